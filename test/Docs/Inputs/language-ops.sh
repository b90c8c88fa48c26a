#!/usr/bin/env bash
# Compares the tables of docs/Guide/Language.md with the ops that the reference
# has, and counts those that are not compiled.
#
# usage: language-ops.sh SOURCE BUILD SCRATCH
set -euo pipefail
page=$1/docs/Guide/Language.md
sed -nE 's/^\| `fly\.([a-z_.]+)` .*/\1/p' "$page" | sort >"$3.page"
sed -nE 's/^### `fly\.([a-z_.]+)` .*/\1/p' "$2/docs/Dialects/Fly.md" | sort >"$3.reference"
diff "$3.page" "$3.reference"
sed -nE 's/^\| `fly\.([a-z_.]+)` .*\| no \|$/\1/p' "$page" | sort >"$3.not-compiled"
echo "$(wc -l <"$3.page") ops, $(wc -l <"$3.not-compiled") not compiled"
