#!/usr/bin/env bash
# Compares a report's count of matrix instructions with the assembly: of all
# stretches from a label to a later branch to it, the most. usage: ASM JSON
set -euo pipefail
expected=$(awk '
  /^\.[A-Za-z0-9_]+:/ { sub(/:.*/, ""); at[$1] = count }
  /v_mfma/ { ++count }
  $1 ~ /^s_c?branch/ && ($2 in at) && count - at[$2] > most { most = count - at[$2] }
  END { print most + 0 }' "$1")
[ "$expected" -gt 0 ]
grep -q "\"mfma\": $expected,\{0,1\}$" "$2" || { echo "the assembly has $expected"; exit 1; }
