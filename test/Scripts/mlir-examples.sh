#!/usr/bin/env bash
# Runs every ```mlir example of the given files through fly-opt.
#
# usage: mlir-examples.sh SCRATCH FILE...
#
# Everything outside the examples becomes an empty line, so that an error's line
# is the line of the source; a line of dashes parts the examples. Prints one
# line a file with the number of its examples. Lines between ``` fences of other
# kinds are not examples.
set -euo pipefail
scratch=$1
shift
mkdir -p "$scratch"
failed=0
for file in "$@"; do
  out=$scratch/$(basename "$file").mlir
  # The fence may be indented, as in the description of a definition.
  awk '
    /^[ \t]*```/ {
      inside = !inside && $1 == "```mlir"
      print inside ? "// -----" : ""
      next
    }
    { print inside ? $0 : "" }
  ' "$file" >"$out"
  count=$(grep -c '^// -----$' "$out" || true)
  echo "$(basename "$file"): $count examples"
  [ "$count" -gt 0 ] || continue
  if ! fly-opt --split-input-file "$out" -o /dev/null; then
    echo "error: an example of $file does not pass fly-opt (lines as above)" >&2
    failed=1
  fi
done
exit $failed
