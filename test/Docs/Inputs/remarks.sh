#!/usr/bin/env bash
# Compares the remarks that a page lists with those in the sources of passes.
#
# usage: remarks.sh SOURCE SCRATCH
set -euo pipefail
# Lines of the page: "| `fly-pass` | `Name` | ...".
sed -n 's/^| `fly-[a-z-]*` | `\([A-Za-z]*\)`.*/\1/p' "$1/docs/Remarks.md" |
  sort -u >"$2.page"
find "$1/lib" -name '*.cpp' -print0 | sort -z | xargs -0 cat | tr '\n' ' ' |
  grep -oE '(remark(Passed|Missed)\( *[^,;]*, *[^,;]*, *|[^k](passed|missed)\( *[^,;]*, *)"[A-Za-z]+"' |
  sed 's/.*"\([A-Za-z]*\)"$/\1/' | sort -u >"$2.sources"
diff "$2.page" "$2.sources"
echo "$(wc -l <"$2.page") remarks"
