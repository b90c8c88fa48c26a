#!/bin/bash
# weights.sh SCRATCH: GEMMs with scales inside the loop, against the reference.
set -euo pipefail
scratch=$1
run() { # CHIP IN TILE K [OPTIONS...]
  local chip=$1 in=$2 tile=$3 k=$4
  shift 4
  local name="$scratch.$chip.$in.$tile"
  fly-gen gemm --chip="$chip" --in="$in" --tile="$tile" --waves=1x2 "$@" > "$name.mlir"
  fly-run "$name.mlir" M=33 N=72 K="$k" > "$name.log" 2>&1 || { echo "$name:"; cat "$name.log"; exit 1; }
  grep -q ' right ' "$name.log" || { echo "$name: wrong"; cat "$name.log"; exit 1; }
}
run gfx942 bf16,i4 32x64x128 256
run gfx950 f16,i4 32x64x128 256 --group=32
run gfx942 f16,i4 32x64x64 192 --group=64 --mfma=32x32
run gfx950 bf16,i4 32x64x64 320 --group=32 --acc=plain
run gfx942 fp8 32x128x128 256 --scales=block
run gfx950 fp8 32x128x128 300 --scales=block --b-layout=plain
run gfx942 i8 32x64x64 128 --scales=row_col --out=bf16 --epilogue=bias
run gfx950 fp8 32x64x128 256 --scales=row_col --out=f16
# Rows of weights are whole bytes, so two elements of A are inside or outside.
run gfx942 f16,i4 64x64x64 316 --group=32 --async --lds-stages=3
