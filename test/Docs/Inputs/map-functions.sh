#!/usr/bin/env bash
# Compares the functions of docs/Guide/Map.md with those that fly.map knows.
#
# usage: map-functions.sh PAGE SCRATCH
set -euo pipefail
sed -n 's/^| `\([a-z0-9_]*\)(.*/\1/p' "$1" >"${2}.page"
# The error about an unknown function lists the known ones.
error=$(printf '%s\n' 'func.func private @f(%x: tensor<4xf32>) {' \
  '  %y = fly.map "unknown(x)" (x = %x) : (tensor<4xf32>) -> tensor<4xf32>' \
  '  return' '}' | fly-opt 2>&1 || true)
sed -n 's/.* known are: //p' <<<"$error" | head -n 1 | tr -d ' ' | tr ',' '\n' \
  >"${2}.compiler"
diff "${2}.page" "${2}.compiler"
echo "$(wc -l <"${2}.page") functions"
