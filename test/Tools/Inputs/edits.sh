#!/usr/bin/env bash
# Times a launch, and once more with each edit that it names; prints resource,
# edit and cycles of those whose cycles are as promised, and fails if one's are
# not.
# usage: edits.sh JSON KERNEL WORDS...
set -euo pipefail
json=$1
shift
fly-run "$@" --timing --json --check=none > "$json"
cycles() { grep -oE '^    "cycles": [0-9]+' "$1" | head -1 | grep -oE '[0-9]+'; }
before=$(cycles "$json")
status=0
declare -A known
while read -r edit promised free; do
  if [ -z "${known[$edit]:-}" ]; then
    fly-run "$@" --timing --no-what-if --json --check=none "$edit" > "$json.edit"
    known[$edit]=$(cycles "$json.edit")
  fi
  echo "$free $edit $before -> $promised"
  if [ "${known[$edit]}" != "$promised" ]; then
    echo "$edit: promised $promised, found ${known[$edit]}" >&2
    status=1
  fi
done < <(tr -d ' \n' < "$json" | grep -oE '"edit":"[^"]*","edit_cycles":[0-9]+,"free":"[a-z0-9]+"' |
  sed -E 's/"edit":"([^"]*)","edit_cycles":([0-9]+),"free":"([a-z0-9]+)"/\1 \2 \3/')
exit $status
