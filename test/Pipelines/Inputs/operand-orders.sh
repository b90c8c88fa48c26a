#!/bin/bash
# operand-orders.sh SCRATCH: GEMMs of transposed operands with tails, and that
# declared alignment gives 16-byte loads and no element of LDS by itself.
set -euo pipefail
scratch=$1
run() { # CHIP IN ORDER TILE
  local name="$scratch.$1.$2.$3"
  fly-gen gemm --chip="$1" --in="$2" --operands="$3" --tile="$4" --waves=2x2 > "$name.mlir"
  fly-run "$name.mlir" M=65 N=133 K=100 > "$name.log" 2>&1 || { echo "$name:"; cat "$name.log"; exit 1; }
  grep -q ' right ' "$name.log" || { echo "$name: wrong"; cat "$name.log"; exit 1; }
}
for order in nn tn tt; do
  run gfx942 bf16 $order 64x128x64
  run gfx950 fp8 $order 64x128x128
done
run gfx942 i8 tn 64x64x64
run gfx950 f32 nn 64x64x32
run gfx942 f64 tt 64x64x16
for chip in gfx942 gfx950; do
  fly-gen gemm --chip=$chip --operands=tn --tile=128x128x64 --waves=2x2 --require=M:8,N:8,K:64 > "$scratch.wide.mlir"
  fly-compile "$scratch.wide.mlir" -o "$scratch.o" --report=json > "$scratch.json"
  grep -q '"access_bytes": \(8\|16\),' "$scratch.json" || { echo "$chip: narrow accesses"; cat "$scratch.json"; exit 1; }
done
