#!/usr/bin/env bash
# Blocks after `<!-- from: FILE -->` stand in that file of the tree, line by line.
# usage: snippets.sh SOURCE PAGE...
set -euo pipefail
src=$1
shift
for page in "$@"; do
  awk -v src="$src" -v page="$page" '
    function finish(    text, line, file) {
      file = src "/" from
      while ((getline line < file) > 0) text = text line "\n"
      close(file)
      ++count
      if (index("\n" text, "\n" block)) return
      print page ":" start ": error: is not (any more) in " from > "/dev/stderr"
      status = 1
    }
    /^<!-- from: .* -->$/ { from = $3; next }
    /^```/ {
      if (inside) { finish(); inside = 0; from = "" }
      else if (from != "") { inside = 1; block = ""; start = NR }
      next
    }
    inside { block = block $0 "\n" }
    END { if (count) print page ": " count " snippets"; exit status }
  ' "$page"
done
