#!/usr/bin/env bash
# From a fresh machine to a kernel that is right: installs what is missing,
# builds the tools and the generated reference, compiles the GEMM example for
# both chips, and runs it on the simulator for each, compared with the
# reference. The last lines say how to go on.
# usage: cmake/quickstart.sh
set -euo pipefail
cd "$(dirname "$0")/.."

cmake/install-packages.sh
[ -f build/dev/build.ninja ] || cmake --preset dev
cmake --build --preset dev --target fly-opt fly-compile fly-run fly-gen fly-docs

bin=$PWD/build/dev/bin
example=python-free-examples/01-gemm/gemm.mlir
for chip in gfx942 gfx950; do
  "$bin/fly-compile" "$example" --chip=$chip -o "build/dev/gemm.$chip.hsaco"
  echo "compiled build/dev/gemm.$chip.hsaco"
  "$bin/fly-run" "$example" --chip=$chip M=128 N=256 K=192
done

cat <<EOF

The tools are in build/dev/bin. To call them by name in this shell:
  export PATH="$bin:\$PATH"
The reference of the ops is build/dev/docs/Dialects/Fly.md.
EOF
