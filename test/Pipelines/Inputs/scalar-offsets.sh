#!/bin/bash
# scalar-offsets.sh SCRATCH: how many branches of loops over lanes the machine
# code of each kernel has.
set -euo pipefail
mkdir -p $1
for chip in gfx942 gfx950; do
  for layout in plain preshuffle; do
    for require in M:16,N:16,K:128 N:256,K:128 M:128,N:256,K:128; do
      fly-gen gemm --chip=$chip --in=fp8 --out=bf16 --tile=64x128x128 \
        --b-layout=$layout --waves=1x4 --lds-stages=2 --require=$require \
        -o $1/k.mlir
      for copy in sync async; do
        fly-compile $1/k.mlir --schedule=a.copy=$copy,codegen=vgpr --werror \
          --emit=asm -o $1/k.s
        echo "$chip $layout $require $copy" \
          "$(grep -c 's_cbranch_execnz' $1/k.s || true)"
      done
    done
  done
done
