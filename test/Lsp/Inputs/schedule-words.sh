#!/usr/bin/env bash
# Compares the table of schedule keys with the readers: each is given a key and
# words that nobody knows, and its error lists what is known.
# usage: schedule-words.sh TABLE KERNEL SCRATCH
set -euo pipefail
table=$1 kernel=$2 scratch=$3
count=0

# What the reader says to be known when the kernel's entries get REPLACEMENT for
# PATTERN.
known() { # PATTERN REPLACEMENT
  sed "0,/$1/s//$2/" "$kernel" > "$scratch.mlir"
  cmp -s "$kernel" "$scratch.mlir" && { echo "no $1" >&2; exit 1; }
  fly-opt "$scratch.mlir" --fly-instantiate --fly-resolve-schedule 2>&1 > /dev/null |
    sed -nE 's/.*error:.*; (known|expected)[^:]*:? (.*)/\2/p' | head -n 1 | tr -d ','
}

# The entry of KEY in the table: of its values, the words in backquotes; numbers
# are no list of the reader's.
keys() { awk -F' [|] ' -v of="| $1" '$1 == of { gsub("`", "", $2); printf "%s ", $2 }' "$table"; }
words() { awk -F' [|] ' -v of="| $1" -v key="\`$2\`" '$1 == of && $2 == key { gsub("[`,]", "", $3); print $3 }' "$table"; }

compare() { # NAME EXPECTED ACTUAL
  expected=$(printf '%s\n' $2 | sort | tr '\n' ' ')
  actual=$(printf '%s\n' $3 | sort | tr '\n' ' ')
  [ "$expected" = "$actual" ] || { echo "$1: the table has '$expected', the reader '$actual'"; exit 1; }
  count=$((count + 1))
}

for of in lds regs; do
  compare "keys of $of" "$(keys $of)" "$(known 'a = lds(stages = 2)' "a = $of(zzz = 1)")"
done
compare "keys of dot" "$(keys dot)" "$(known '{mfma = 16x16}' '{zzz = 1}')"
compare "keys of store" "$(keys store)" "$(known 'waves = ' 'c = {zzz = 1}, waves = ')"
compare "keys of grid" "$(keys grid)" "$(known 'waves = ' 'grid = {zzz = 1}, waves = ')"
for key in swizzle copy read cache; do
  compare "lds $key" "$(words lds $key) auto" "$(known 'a = lds(stages = 2)' "a = lds($key = zzz)")"
done
compare "regs cache" "$(words regs cache) auto" "$(known 'a = lds(stages = 2)' 'a = regs(cache = zzz)')"
for key in mfma acc a; do
  compare "dot $key" "$(words dot $key) auto" "$(known '{mfma = 16x16}' "{$key = zzz}")"
done
for key in epilogue cache; do
  compare "store $key" "$(words store $key) auto" "$(known 'waves = ' "c = {$key = zzz}, waves = ")"
done
for key in order xcd; do # A word with an argument is listed as the word.
  compare "grid $key" "$(words grid $key | sed -E 's/[(][a-z]+[)]//g') auto" "$(known 'waves = ' "grid = {$key = zzz}, waves = ")"
done
# Of numbers, what is beyond the last of the table is refused.
for key in stages; do
  last=$(words lds $key | tr ' ' '\n' | tail -n 1)
  grep -q "from 1 to $last" <<< "$(fly-opt <(sed "s/a = lds(stages = 2)/a = lds($key = $((last + 1)))/" "$kernel") --fly-instantiate --fly-resolve-schedule 2>&1)" ||
    { echo "$key: the table ends at $last"; exit 1; }
  count=$((count + 1))
done
echo "$count lists agree"
