#!/usr/bin/env bash
# Times a GEMM of another compiler, size^3 of bf16, and ours with the same tile.
# usage: foreign-timing.sh SOURCES CHIP OBJECT TILE DYNAMIC_LDS SIZE
set -euo pipefail
sources=$1 chip=$2 object=$3 tile=$4 lds=$5 size=$6
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
IFS=x read -r m n k <<< "$tile"
llvm-mc -triple=amdgcn-amd-amdhsa -mcpu="$chip" -filetype=obj \
  "$sources/test/Sim/Objects/$object.s" -o "$folder/foreign.o"
ld.lld -shared "$folder/foreign.o" -o "$folder/foreign.hsaco"
fly-gen gemm --chip="$chip" --in=bf16 --out=bf16 --tile="$tile" --require="M:$m,N:$n,K:$k" \
  -o "$folder/ours.mlir"
cycles() { grep -oE '^ {4}"cycles": [0-9]+' | grep -oE '[0-9]+'; }
ours=$(fly-run "$folder/ours.mlir" M="$size" N="$size" K="$size" A=pattern:a B=pattern:b \
  --check=none --timing --json | cycles)
foreign=$(fly-run "$folder/foreign.hsaco" --grid=$((size / m * (size / n))) --block=256 \
  --dynamic-lds="$lds" "--arg=bf16[${size}x${size}]=pattern:a" \
  "--arg=bf16[${size}x${size}]=pattern:b" "--arg=bf16[${size}x${size}]=zeros" \
  --arg="$size" --arg="$size" --arg="$size" --arg="$size" --arg="$size" --arg="$size" \
  '--arg=i32[1]=zeros' '--arg=i32[1]=zeros' --check=none --timing --json | cycles)
echo "theirs $foreign, ours $ours cycles"
if [ $((2 * foreign)) -ge "$ours" ] && [ $((2 * ours)) -ge "$foreign" ]; then
  echo "within a factor of two"
fi
