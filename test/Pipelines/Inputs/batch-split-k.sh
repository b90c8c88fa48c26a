#!/bin/bash
# batch-split-k.sh SCRATCH: batches of GEMMs that share K, against the reference.
set -euo pipefail
scratch=$1
run() { # CHIP IN TILE "SIZES" [OPTIONS...]
  local chip=$1 in=$2 tile=$3 sizes=$4 zeros=()
  shift 4
  [[ $* = *:atomic* ]] && zeros=(C=zeros)
  fly-gen gemm --chip="$chip" --in="$in" --tile="$tile" --batch "$@" > "$scratch.mlir"
  # shellcheck disable=SC2086
  fly-run "$scratch.mlir" $sizes "${zeros[@]}" > "$scratch.log" 2>&1 || { echo "$* $sizes:"; cat "$scratch.log"; exit 1; }
  grep -q ' right ' "$scratch.log" || { echo "$* $sizes: wrong"; cat "$scratch.log"; exit 1; }
}
# Without gaps, with gaps between rows and matrices, one B for all.
plain="M=33 N=70 K=200 lda=200 ldb=200 ldc=70 batch=3 stride_a=6600 stride_b=14000 stride_c=2310"
gaps="M=20 N=40 K=136 lda=144 ldb=136 ldc=43 batch=2 stride_a=3000 stride_b=5440 stride_c=900"
one="M=20 N=40 K=264 lda=264 ldb=264 ldc=40 batch=4 stride_a=5280 stride_b=0 stride_c=800"
for form in last two-kernel atomic; do
  run gfx942 bf16 32x64x64 "$plain" --split-k=2:$form
  run gfx950 i8 32x64x64 "$one" --split-k=3:$form
done
run gfx950 f16 32x64x64 "$gaps" --split-k=3 --epilogue=bias_relu --out=f16
run gfx942 f16 32x64x64 "$gaps" --split-k=2:two-kernel --epilogue=bias --out=bf16
# More parts than tiles of K; no K; the transpose of both; scales.
run gfx942 fp8 32x64x64 "$plain" --split-k=7
run gfx950 bf16 32x64x64 "M=20 N=40 K=0 lda=0 ldb=0 ldc=40 batch=2 stride_a=0 stride_b=0 stride_c=800" --split-k=2:two-kernel
run gfx950 bf16 32x64x64 "M=33 N=70 K=150 lda=40 ldb=72 ldc=70 batch=2 stride_a=6000 stride_b=10800 stride_c=2310" --operands=tn --split-k=2
run gfx942 fp8 32x64x64 "M=33 N=80 K=256 lda=256 ldc=80 batch=2 stride_a=8448 stride_c=2640" --b-layout=preshuffle --scales=row_col --split-k=2:two-kernel
run gfx950 fp4 32x64x128 "M=33 N=80 K=256 lda=256 ldb=256 ldc=80 batch=2 stride_a=8448 stride_b=20480 stride_c=2640" --scales=mx --split-k=2
