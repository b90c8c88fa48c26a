#!/bin/bash
# shared-k.sh SCRATCH: GEMMs whose workgroups share K, of each form and kind of
# type: exact on integers against the reference, with workgroups in another order
# than that of the grid. Forms that promise the same bits in every run give
# them for numbers whose sums round.
set -euo pipefail
scratch=$1
run() { # CHIP IN TILE M N K [OPTIONS...]
  local chip=$1 in=$2 tile=$3 m=$4 n=$5 k=$6
  shift 6
  local name="$scratch.mlir" zeros=()
  fly-gen gemm --chip="$chip" --in="$in" --tile="$tile" "$@" > "$name"
  [[ $* = *:atomic* ]] && zeros=(C=zeros)
  fly-run "$name" --dispatch-seed=7 M="$m" N="$n" K="$k" "${zeros[@]}" > "$scratch.log" 2>&1 || { echo "$*:"; cat "$scratch.log"; exit 1; }
  grep -q ' right ' "$scratch.log" || { echo "$*: wrong"; cat "$scratch.log"; exit 1; }
}
same() { # CHIP IN TILE M N K [OPTIONS...]
  local problem=(A=normal:1 B=normal:2 M="$4" N="$5" K="$6")
  fly-gen gemm --chip="$1" --in="$2" --tile="$3" "${@:7}" > "$scratch.mlir"
  fly-run "$scratch.mlir" "${problem[@]}" --out C=@"$scratch.0.npy" > /dev/null
  for order in 3; do
    fly-run "$scratch.mlir" --dispatch-seed=$order "${problem[@]}" --check=none --out C=@"$scratch.1.npy" > /dev/null
    cmp "$scratch.0.npy" "$scratch.1.npy" || { echo "${*:7}: other bits in another order"; exit 1; }
  done
}
# Odd K; fewer K than a tile; one workgroup a part; more parts than tiles of K.
run gfx942 bf16 32x64x64 33 70 161 --split-k=2
run gfx950 f16 32x64x64 33 70 21 --split-k=3:two-kernel --out=f16
run gfx950 bf16 32x64x64 32 64 640 --split-k=5:atomic
run gfx942 f16 32x64x64 40 100 100 --split-k=9 --epilogue=bias
# Types: integers, doubles, scales in the loop and behind it, weights of 4 bits.
run gfx942 i8 32x64x64 33 70 200 --split-k=3 --out=bf16 --scales=row_col
run gfx950 i8 32x64x64 33 70 200 --split-k=3:atomic
run gfx942 f64 32x64x16 17 33 51 --split-k=2:two-kernel
run gfx950 f64 32x64x16 17 33 51 --split-k=3:atomic
run gfx950 fp8,bf8 32x128x128 33 130 300 --scales=block --split-k=2:two-kernel
run gfx942 fp8 32x64x64 33 80 256 --scales=row_col --split-k=2:two-kernel --b-layout=preshuffle
run gfx950 fp4 32x64x128 33 80 384 --scales=mx --split-k=2
run gfx942 bf16,i4 32x64x128 33 80 384 --stream-k=5
# Stream-K: tiles that two and three workers have, workers without any.
run gfx950 bf16 32x64x64 70 200 160 --stream-k=7 --operands=tn
run gfx942 i8 32x64x64 33 65 640 --stream-k=11
run gfx950 fp8 32x64x128 20 30 128 --stream-k=4 --xcd-swizzle
same gfx942 bf16 32x64x64 64 128 640 --stream-k=7
same gfx950 bf16 32x64x64 64 128 640 --split-k=4
same gfx942 f32 32x64x32 64 128 640 --split-k=4:two-kernel
