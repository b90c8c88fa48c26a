#!/usr/bin/env bash
# Compares figures of a report's document with those of `fly-run --timing --json`
# of the same run; prints each figure that is equal.
# usage: report-figures.sh DOCUMENT JSON
set -euo pipefail
document=$1 json=$2
# The text of the element with this id, without tags and separators.
shown() { grep -oE "id=\"$1\"[^>]*>([^<]|<[^/])*" "$document" | head -1 | sed -E 's/^[^>]*>//; s/<.*//; s/,//g; s/ .*//'; }
# A member of the launch's timing itself.
given() { grep -oE "^ {4}\"$1\": [^,]*" "$json" | head -1 | sed 's/.*: //'; }
# A member of an object in it.
within() { sed -nE "/^ {4}\"$1\": \{/,/^ {4}\}/p" "$json" | grep -oE "\"$2\": [^,]*" | sed 's/.*: //' | sort -u; }
rows() { grep -oE "<table[^>]*id=\"$1\".*" "$document" | sed 's/<\/table>.*//' | grep -oE '<tbody>.*' | grep -oE '<tr' | wc -l; }
status=0
compare() {
  if [ -n "$2" ] && [ "$2" = "$3" ]; then
    echo "$1: $2"
  else
    echo "$1: the report shows '$2', the run gives '$3'" >&2
    status=1
  fi
}
compare cycles "$(shown cycles)" "$(given cycles)"
compare conflicts "$(shown lds-conflicts)" "$(given lds_conflict_cycles)"
compare busy "$(shown mfma-busy)" "$(given mfma_util | awk '{ printf "%.1f", $1 }')"
compare microseconds "$(shown time)" "$(given microseconds | awk '{ printf "%.2f", $1 }')"
compare limiter "$(shown limiter)" "$(within occupancy limiter | tr -d '"')"
compare waves "$(rows waves)" "$(within counters SQ_WAVES)"
exit $status
