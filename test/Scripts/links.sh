#!/usr/bin/env bash
# Every relative link of the given pages leads to a file of the tree.
# usage: links.sh PAGE...
set -euo pipefail
status=0
links=0
for page in "$@"; do
  folder=$(dirname "$page")
  while IFS=: read -r line target; do
    target=${target%%#*}
    [ -n "$target" ] || continue
    links=$((links + 1))
    [ -e "$folder/$target" ] && continue
    echo "$page:$line: error: leads to $target, which does not exist" >&2
    status=1
  done < <(grep -noE '\]\([^)]+\)' "$page" | sed -E 's/^([0-9]+):\]\((.*)\)$/\1:\2/' |
           grep -vE '^[0-9]+:(https?|mailto):' || true)
done
echo "$links links in $# pages"
exit $status
