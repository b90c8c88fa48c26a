#!/bin/bash
# transposed-reads.sh SCRATCH: transposed GEMMs against the reference, and the
# instructions that they read LDS with.
set -euo pipefail
scratch=$1
fail() { echo "$1:"; cat "$2"; exit 1; }
# Exact, and reads by INSTRUCTION alone, or none of it where it begins with "no".
run() { # CHIP IN ORDER TILE INSTRUCTION SCHEDULE
  local name="$scratch.$1.$2.$3" schedule=()
  [ -z "$6" ] || schedule=(--schedule "$6")
  fly-gen gemm --chip="$1" --in="$2" --operands="$3" --tile="$4" --waves=2x2 --require=M:16,N:16,K:64 > "$name.mlir"
  fly-run "$name.mlir" "${schedule[@]}" M=144 N=80 K=192 > "$name.log" 2>&1 || fail "$name $6" "$name.log"
  grep -q ' right ' "$name.log" || fail "$name $6" "$name.log"
  fly-compile "$name.mlir" "${schedule[@]}" --emit=asm -o "$name.s" 2> "$name.err" || fail "$name $6" "$name.err"
  case $5 in
    no*) ! grep -q "${5#no}" "$name.s" || { echo "$name $6: has ${5#no}"; exit 1; } ;;
    *) grep -q "$5" "$name.s" || { echo "$name $6: no $5"; exit 1; } ;;
  esac
}
words=ds_read_b64_tr_b16 bytes=ds_read_b64_tr_b8
run gfx950 bf16 nn 64x128x64 $words ''
run gfx950 bf16 tn 64x128x64 $words 'a={copy=async},b={copy=async}'
run gfx950 f16 tt 64x64x64 $words 'a={swizzle=xor,copy=async},b={swizzle=pad}'
run gfx950 fp8 tn 64x64x128 $bytes 'a={copy=async},b={copy=async}'
run gfx950 i8 nn 64x64x64 $bytes 'kloop={mfma=32x32},b={stages=3}'
run gfx950 bf16 tt 64x64x64 nods_read_b64_tr 'a={read=plain},b={read=plain}'
run gfx942 bf16 nn 64x64x64 nods_read_b64_tr 'b={read=transposed}'
run gfx950 f32 nn 64x64x32 nods_read_b64_tr 'b={read=transposed}'
# Copies fill whole lines of 16 bytes, and no element of LDS is read by itself.
fly-gen gemm --chip=gfx950 --operands=tn --tile=128x128x64 --waves=2x2 --require=M:16,N:16,K:64 > "$scratch.mlir"
fly-compile "$scratch.mlir" --schedule 'a={copy=async},b={copy=async}' --emit=asm -o "$scratch.s"
grep -q 'buffer_load_dwordx4.* lds' "$scratch.s" || { echo "no copies of 16 bytes"; exit 1; }
! grep -q 'ds_read_u16\|ds_write' "$scratch.s" || { echo "narrow reads, or writes"; exit 1; }
