#!/usr/bin/env bash
# Runs random programs on tiles on the simulator against the reference executor.
# A program that is refused by a rule that gives numbers (LDS or registers that the
# chip does not have) counts as refused; everything else must be right.
#
# usage: tile-programs.sh GENERATOR FLY_RUN SCRATCH FIRST_SEED COUNT
set -u
right=0 refused=0 failed=0
for ((seed = $4; seed < $4 + $5; ++seed)); do
  "$1" "$seed" >"$3.mlir" || exit 1
  if timeout 300 "$2" "$3.mlir" >"$3.out" 2>&1; then
    right=$((right + 1))
  elif grep -qE 'error: .*(vector registers|bytes on gfx)' "$3.out"; then
    refused=$((refused + 1))
  else
    failed=$((failed + 1))
    echo "seed $seed:"
    head -5 "$3.out"
  fi
done
echo "seeds $4 to $(($4 + $5 - 1)): $right right, $refused refused, $failed failed"
[ "$failed" = 0 ]
