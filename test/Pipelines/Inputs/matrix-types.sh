#!/bin/bash
# matrix-types.sh SCRATCH: generates, compiles and runs GEMMs of every type; each
# line names the instruction that must be there and, with !, one that must not.
set -euo pipefail
scratch=$1
run() { # CHIP IN MFMA TILE INSTRUCTION [OPTIONS...]
  local chip=$1 in=$2 mfma=$3 tile=$4 instruction=$5
  shift 5
  local name="$scratch.$chip.$in.$mfma.$tile"
  fly-gen gemm --chip="$chip" --in="$in" --mfma="$mfma" --tile="$tile" --waves=1x2 "$@" > "$name.mlir"
  fly-compile "$name.mlir" --emit=asm -o "$name.s"
  grep -q "$instruction" "$name.s" || { echo "$name: no $instruction"; exit 1; }
  [ "$(grep -o 'v_mfma[a-z0-9_]*' "$name.s" | sort -u | wc -l)" = 1 ] || { echo "$name: several"; exit 1; }
  fly-run "$name.mlir" M=33 N=80 K=192 | grep -q ' right ' || { echo "$name: wrong"; exit 1; }
}
run gfx942 bf16 32x32 32x64x32 v_mfma_f32_32x32x8_bf16
run gfx942 fp8 16x16 32x64x64 v_mfma_f32_16x16x32_fp8_fp8 --b-layout=preshuffle
# Transposed accumulators swap the operands.
run gfx942 fp8,bf8 16x16 32x64x128 v_mfma_f32_16x16x32_bf8_fp8 --acc=transposed
run gfx942 bf8 32x32 32x64x64 v_mfma_f32_32x32x16_bf8_bf8 --out=bf16
run gfx942 bf8,fp8 16x16 32x64x64 v_mfma_f32_16x16x32_bf8_fp8 --acc=plain --b-layout=preshuffle
run gfx942 i8 16x16 32x64x64 v_mfma_i32_16x16x32_i8 --b-layout=preshuffle
run gfx942 i8 32x32 32x64x64 v_mfma_i32_32x32x16_i8 --out=f32
run gfx942 f32 16x16 32x64x32 v_mfma_f32_16x16x4_f32 --b-layout=preshuffle
run gfx942 xf32 16x16 32x64x32 v_mfma_f32_16x16x8_xf32
run gfx942 xf32 32x32 32x64x32 v_mfma_f32_32x32x4_xf32 --b-layout=preshuffle
run gfx942 f64 16x16 32x64x16 v_mfma_f64_16x16x4_f64
run gfx942 f64 16x16 32x64x16 v_mfma_f64_16x16x4_f64 --acc=plain --b-layout=preshuffle
run gfx950 f16 16x16 32x64x64 v_mfma_f32_16x16x32_f16 --b-layout=preshuffle
run gfx950 bf16 32x32 32x64x32 v_mfma_f32_32x32x16_bf16
run gfx950 fp8 16x16 32x64x64 v_mfma_f32_16x16x32_fp8_fp8
run gfx950 fp8 16x16 32x64x128 v_mfma_f32_16x16x128_f8f6f4 --require=K:64
run gfx950 fp8 16x16 32x64x384 v_mfma_f32_16x16x128_f8f6f4 --lds-stages=1
run gfx950 fp8,bf8 32x32 32x64x64 v_mfma_f32_32x32x64_f8f6f4 --b-layout=preshuffle
run gfx950 bf8 16x16 32x64x192 v_mfma_f32_16x16x32_bf8_bf8 --b-layout=preshuffle
run gfx950 i8 16x16 32x64x64 v_mfma_i32_16x16x64_i8 --b-layout=preshuffle
run gfx950 i8 32x32 32x64x64 v_mfma_i32_32x32x32_i8
run gfx950 f64 16x16 32x64x16 v_mfma_f64_16x16x4_f64
