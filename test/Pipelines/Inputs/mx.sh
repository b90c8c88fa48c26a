#!/bin/bash
# mx.sh SCRATCH: GEMMs of MX formats against the reference, and the case of one
# byte of two codes.
set -euo pipefail
scratch=$1
run() { # IN MFMA TILE K [OPTIONS...]
  local in=$1 mfma=$2 tile=$3 k=$4
  shift 4
  local name="$scratch.$in.$mfma.$tile"
  fly-gen gemm --chip=gfx950 --scales=mx --in="$in" --mfma="$mfma" --tile="$tile" --waves=1x2 "$@" > "$name.mlir"
  fly-compile "$name.mlir" --emit=asm -o "$name.s"
  grep -q "v_mfma_scale_f32_${mfma}x[0-9]*_f8f6f4" "$name.s" || { echo "$name: no scaled instruction"; exit 1; }
  fly-run "$name.mlir" M=33 N=80 K="$k" > "$name.log" 2>&1 || { echo "$name:"; cat "$name.log"; exit 1; }
  grep -q ' right ' "$name.log" || { echo "$name: wrong"; cat "$name.log"; exit 1; }
}
run fp4 16x16 32x64x128 256
run fp4 32x32 32x64x128 384 --b-layout=preshuffle
run fp6 16x16 32x64x128 256
run bf6 32x32 32x64x64 192
run fp8 16x16 32x64x256 256 --b-layout=preshuffle --acc=plain
run bf8 32x32 32x64x64 128
run fp8,fp4 16x16 32x64x128 256
run bf6,fp8 32x32 32x64x128 256
run fp4,fp6 16x16 32x64x128 128 --out=bf16 --epilogue=bias

# A: bytes 0x72, so 1.0 at even k and 6.0 at odd k, with a scale of 2. B: 1.0
# where k is n. C is 2.0 in even columns and 12.0 in odd ones.
npy() { # DESCR SHAPE
  printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '$1', 'fortran_order': False, 'shape': $2, }"
}
{
  npy '|u1' '(128, 64)'
  for ((n = 0; n < 128; ++n)); do
    row=''
    for ((byte = 0; byte < 64; ++byte)); do
      code='\x00'
      if ((byte == n / 2)); then ((n % 2)) && code='\x20' || code='\x02'; fi
      row+=$code
    done
    printf "$row"
  done
} > "$scratch.b.npy"
{
  npy '<f4' '(16, 128)'
  for ((i = 0; i < 16 * 64; ++i)); do printf '\x00\x00\x00\x40\x00\x00\x40\x41'; done
} > "$scratch.c.npy"
fly-gen gemm --chip=gfx950 --scales=mx --in=fp4 --tile=16x128x128 --waves=1x4 > "$scratch.order.mlir"
fly-run "$scratch.order.mlir" M=16 N=128 K=128 A=bytes:0x72 SA=bytes:128 SB=bytes:127 "B=@$scratch.b.npy" \
  --expect "C=@$scratch.c.npy" | grep -q 'C: 2048 of 2048 equal'
