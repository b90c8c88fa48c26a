#!/usr/bin/env bash
# Compares the numbers of a report's page, as a browser has read it, with those
# of its JSON: the same ones, each as often. Prints how many.
# usage: page-figures.sh DOCUMENT JSON
set -euo pipefail
document=$1 json=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
grep -oE '<data value="[^"]*"' "$document" | sed 's/^<data value="//; s/"$//' |
  sort >"$scratch/page"
# A line of the JSON ends with its value, in arrays the value stands alone; text
# is in quotes.
grep -oE '(: |^ *)-?[0-9][0-9.e+-]*,?$' "$json" | grep -oE -- '-?[0-9][0-9.e+-]*' |
  sort >"$scratch/json"
diff "$scratch/page" "$scratch/json" >&2 || exit 1
echo "figures: $(wc -l <"$scratch/page")"
