#!/bin/bash
# source-lines.sh K.mlir K.hsaco: nine of ten instructions are on lines other
# than the kernel's first one, and each matrix, memory and LDS instruction on a
# line of the source with an operation that makes one. Prints the first figure.
set -euo pipefail
source=$1 object=$2
name=$(basename "$source")
# placed and all of instructions, LDS, memory, MFMA
read -r placed all lds allLds memory allMemory mfma allMfma < <(
  fly-report isa "$object" --json | tr -d ' \n' |
    sed -n 's/.*"lines":{\([^}]*\)}.*/\1/p' | tr -cs '0-9' ' ' && echo)
if ((all == 0 || placed * 10 < all * 9 || lds != allLds || mfma != allMfma)); then
  echo "$name: $placed of $all placed, LDS $lds of $allLds, MFMA $mfma of $allMfma"
  exit 1
fi
# Loads of kernel arguments belong to the header.
if ((allMemory - memory > 4)); then
  echo "$name: $memory of $allMemory memory instructions placed"
  exit 1
fi
echo "$name: $((1000 * placed / all)) of 1000"
llvm-objdump --disassemble --line-numbers "$object" |
  awk -v name="$name" '
    /^; / { line = substr($2, length(name) + 2); next }
    /^\tv_(mfma|smfmac)/ { print line, "mfma" }
    /^\t(buffer|global)_(load|store|atomic)/ { print line, "memory" }
    /^\tds_(read|write)/ { print line, "lds" }' | sort -u |
  while read -r line class; do
    text=$(sed -n "${line}p" "$source")
    case $class in
    mfma) pattern='fly\.dot|amdgpu\.(scaled_)?mfma' ;;
    memory) pattern='fly\.(load|store|gather|scatter|read|write|copy|atomic|update|pipeline|dma)' ;;
    lds) pattern='fly\.(load|store|gather|dot|reduce|scan|convert|exchange|read|write|pipeline|transpose|dma)' ;;
    esac
    if ! grep -Eq "$pattern" <<< "$text"; then
      echo "$name:$line has $class instructions: $text"
      exit 1
    fi
  done
