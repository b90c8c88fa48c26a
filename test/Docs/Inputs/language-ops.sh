#!/usr/bin/env bash
# Compares the tables of docs/Guide/Language.md with the ops that the reference
# has, and those that are not compiled with the list that the passes ask.
#
# usage: language-ops.sh SOURCE BUILD SCRATCH
set -euo pipefail
page=$1/docs/Guide/Language.md
sed -nE 's/^\| `fly\.([a-z_.]+)` .*/\1/p' "$page" | sort >"$3.page"
sed -nE 's/^### `fly\.([a-z_.]+)` .*/\1/p' "$2/docs/Dialects/Fly.md" | sort >"$3.reference"
diff "$3.page" "$3.reference"
sed -nE 's/^\| `fly\.([a-z_.]+)` .*\| no \|$/\1/p' "$page" | sort >"$3.not-compiled"
# ScanOp is scan, LoadScalarOp load_scalar.
tr '\n' ' ' <"$1/lib/Dialect/Fly/Transforms/UnloweredOps.cpp" |
  sed -nE 's/.*if \(!isa<([^>]*)>.*/\1/p' | grep -oE '[A-Za-z]+Op' |
  sed -E 's/Op$//; s/([a-z])([A-Z])/\1_\2/g' | tr '[:upper:]' '[:lower:]' | sort >"$3.unlowered"
diff "$3.not-compiled" "$3.unlowered"
echo "$(wc -l <"$3.page") ops, $(wc -l <"$3.unlowered") not compiled"
