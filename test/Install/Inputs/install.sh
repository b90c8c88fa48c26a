#!/usr/bin/env bash
# Installs a build into a temporary folder, builds the consumer against it outside
# of both trees, and runs it.
# usage: install.sh CMAKE BUILD CONSUMER CXX MLIR_DIR GEMM.mlir
set -euo pipefail
cmake=$1 build=$2 consumer=$3 cxx=$4 mlir=$5 kernel=$6
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cmake" --install "$build" --prefix "$scratch/prefix" >"$scratch/install.log" ||
  { cat "$scratch/install.log"; exit 1; }
cp -r "$consumer" "$scratch/consumer"
"$cmake" -S "$scratch/consumer" -B "$scratch/build" -G Ninja \
  -DCMAKE_PREFIX_PATH="$scratch/prefix" -DMLIR_DIR="$mlir" \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=Release >"$scratch/configure.log" 2>&1 ||
  { cat "$scratch/configure.log"; exit 1; }
"$cmake" --build "$scratch/build" >"$scratch/build.log" ||
  { cat "$scratch/build.log"; exit 1; }
"$scratch/build/embed" "$kernel"
