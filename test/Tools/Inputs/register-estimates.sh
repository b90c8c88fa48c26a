#!/bin/bash
# Compares the register estimate of a plan with the machine code of kernels.
# Usage: register-estimates.sh PREFIX; writes PREFIX.*.
set -eu
prefix=$1
status=0
while read -r line; do
  # shellcheck disable=SC2086
  fly-gen gemm $line > "$prefix.mlir"
  estimate=$(fly-report plan "$prefix.mlir" | sed -n 's/.*estimated \([0-9]*\) a lane.*/\1/p')
  fly-compile "$prefix.mlir" -o "$prefix.o" 2> "$prefix.log"
  counts=$(fly-report isa "$prefix.o" |
    sed -n 's/.*VGPR \([0-9]*\) + AGPR \([0-9]*\)[ ,].* spills \([0-9]*\),.*/\1 \2 \3/p')
  read -r vector accumulation spills <<< "$counts"
  real=$((vector + accumulation))
  verdict=near
  # At most three quarters more, or a quarter less, than the estimate: with
  # registers to spare the code generator moves loads to the front.
  if ((real * 4 > estimate * 7 || real * 4 < estimate * 3)); then
    verdict=FAR
    status=1
  fi
  if ((spills > 0)); then
    verdict=SPILLS
    status=1
  fi
  echo "$verdict $line: estimated $estimate, $real, $spills spilled"
done << 'END'
--chip=gfx950 --in=fp8 --scales=mx --tile=128x128x128 --require=K:128,N:16
--chip=gfx950 --in=fp8 --scales=mx --tile=64x128x256 --require=K:256,N:16
--chip=gfx950 --config=fp4 --require=K:256,N:16
--chip=gfx950 --config=fp4-small --require=K:256,N:16
--chip=gfx950 --in=f16,i4 --tile=64x64x128 --require=K:128,N:16
--chip=gfx942 --in=f16,i4 --tile=32x64x128 --group=32 --require=K:128,N:16
--chip=gfx942 --config=medium --in=fp8 --require=K:128,N:16
--chip=gfx942 --config=large --in=fp8 --require=K:128,N:16
--chip=gfx942 --in=bf16 --tile=128x128x64 --require=K:64,N:8
--chip=gfx942 --in=bf16 --tile=64x64x64
END
exit $status
