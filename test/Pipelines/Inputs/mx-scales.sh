#!/bin/bash
# mx-scales.sh SCRATCH: GEMMs of MX formats in which a lane has the scales of
# several instructions next to each other, against the reference.
set -euo pipefail
scratch=$1
run() { # IN MFMA TILE K SCHEDULE [OPTIONS...]
  local in=$1 mfma=$2 tile=$3 k=$4 schedule=$5
  shift 5
  local name="$scratch.$in.$mfma.$tile.$k.$schedule"
  fly-gen gemm --chip=gfx950 --scales=mx --in="$in" --mfma="$mfma" --tile="$tile" --waves=1x2 "$@" > "$name.mlir"
  fly-run "$name.mlir" ${schedule:+--schedule=$schedule} M=33 N=80 K="$k" > "$name.log" 2>&1 ||
    { echo "$name:"; cat "$name.log"; exit 1; }
  grep -q ' right ' "$name.log" || { echo "$name: wrong"; cat "$name.log"; exit 1; }
}
run fp4 16x16 32x64x256 512 ""
run fp4 16x16 32x64x512 512 "" --b-layout=preshuffle --require=K:512,N:16
run fp4 32x32 32x64x256 512 a.first_pack=carried --require=K:256,N:16
run fp4 32x32 32x64x128 256 "" --acc=plain --b-layout=preshuffle
# Rows of scales that end in a tile, and start anywhere.
run fp4 16x16 32x64x256 608 ""
run fp6 16x16 32x64x256 256 ""
run bf6,fp4 32x32 32x64x128 192 ""
