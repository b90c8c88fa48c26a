#!/bin/bash
# batch.sh SCRATCH: batches of GEMMs against the reference.
set -euo pipefail
scratch=$1
run() { # CHIP IN TILE "SIZES" [OPTIONS...]
  local chip=$1 in=$2 tile=$3 sizes=$4
  shift 4
  fly-gen gemm --chip="$chip" --in="$in" --tile="$tile" --batch "$@" > "$scratch.mlir"
  # shellcheck disable=SC2086
  fly-run "$scratch.mlir" $sizes > "$scratch.log" 2>&1 || { echo "$* $sizes:"; cat "$scratch.log"; exit 1; }
  grep -q ' right ' "$scratch.log" || { echo "$* $sizes: wrong"; cat "$scratch.log"; exit 1; }
}
# Without gaps; with gaps between rows and matrices; one B for all.
run gfx942 bf16 32x64x64 "M=33 N=70 K=100 lda=100 ldb=100 ldc=70 batch=3 stride_a=3300 stride_b=7000 stride_c=2310"
run gfx950 f16 32x64x64 "M=20 N=40 K=72 lda=80 ldb=72 ldc=43 batch=5 stride_a=1700 stride_b=2880 stride_c=900" --epilogue=bias_relu --out=f16
run gfx942 fp8 32x64x64 "M=20 N=40 K=72 lda=72 ldb=72 ldc=40 batch=4 stride_a=1440 stride_b=0 stride_c=800"
# The transpose of both; weights as a matrix unit reads them; scales.
run gfx950 bf16 32x64x64 "M=33 N=70 K=100 lda=40 ldb=72 ldc=70 batch=3 stride_a=4000 stride_b=7200 stride_c=2310" --operands=tn
run gfx942 fp8 32x64x64 "M=33 N=80 K=128 lda=128 ldc=80 batch=3 stride_a=4224 stride_c=2640" --b-layout=preshuffle --scales=row_col --require=stride_a:16,lda:16
run gfx950 fp4 32x64x128 "M=33 N=80 K=256 lda=256 ldb=256 ldc=80 batch=2 stride_a=8448 stride_b=20480 stride_c=2640" --scales=mx
run gfx942 bf16,i4 32x64x128 "M=33 N=80 K=256 lda=256 ldb=256 ldc=80 batch=2 stride_a=8448 stride_b=20480 stride_c=2640"
run gfx950 fp8 32x128x128 "M=33 N=80 K=256 lda=256 ldb=256 ldc=80 batch=2 stride_a=8448 stride_b=20480 stride_c=2640" --scales=block
