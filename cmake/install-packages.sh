#!/usr/bin/env bash
# Installs what building and testing Fly needs, from Debian's packages (Debian
# 12). Does nothing where all is there. Uses sudo where it is not run by root.
# usage: cmake/install-packages.sh
set -euo pipefail

packages=(
  # Compiler and build.
  clang-22 lld-22 cmake ninja-build ccache git
  # LLVM, MLIR and lld as libraries; gtest for the unit tests.
  llvm-22-dev libmlir-22-dev liblld-22-dev libgtest-dev
  # Tools: mlir-tblgen; lit, FileCheck, llvm-objdump and others for the tests.
  mlir-22-tools llvm-22-tools llvm-22 python3
  # Readers of profiles (rocprofv3's JSON, CSV, SQLite); sqlite3 makes the
  # databases of their tests; a browser shows the HTML report to its test.
  rapidjson-dev libcsv-dev libsqlite3-dev sqlite3 chromium
  # Benchmarks of the compiler's and the simulator's own speed.
  libbenchmark-dev
  # The sanitizer preset, formatting, linting.
  libclang-rt-22-dev clang-format-22 clang-tidy-22
)

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "all ${#packages[@]} packages are installed"
  exit 0
fi
echo "installing: ${missing[*]}"
root=()
[ "$(id -u)" -eq 0 ] || root=(sudo)
"${root[@]}" apt-get update -q
"${root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -q --no-install-recommends "${missing[@]}"
