#!/usr/bin/env bash
# Compares the contract that a page shows with that of the kernel above it.
#
# usage: contract-example.sh PAGE SCRATCH
set -euo pipefail
block() { # language: its first fenced block
  awk -v fence='```'"$1" '$0 == fence { inside = 1; next } /^```/ { if (inside) exit } inside' "$2"
}
block mlir "$1" >"$2.mlir"
# As one "key = value" a line, sorted, without the order and layout of either.
normalize() {
  tr -d '\n' | sed 's/ : i64//g; s/"\([a-z_]*\)": /\1 = /g' |
    grep -o '[a-z_]* = \("[^"]*"\|\[[^][]*\]\|[0-9]*\)' | sed 's/\[ */[/; s/ *\]/]/; s/ *, */, /g' | sort
}
block json "$1" | normalize >"$2.page"
fly-opt --fly-resolve-schedule --fly-plan-grid "$2.mlir" |
  sed -n 's/.*fly.contract = {\(.*\)}, fly.schedule = .*/\1/p' | normalize >"$2.compiler"
diff "$2.page" "$2.compiler"
[ -s "$2.page" ] && echo "same contract"
