#!/bin/bash
# ledger.sh TESTS IDS GFX942 GFX950: for each id in the file IDS a line with the
# tests below TESTS that rest on it: "LDS-QUEUE: Tools/fly-bench-hardware.test".
# These are those that name the id, and those that time a launch on a chip of
# which every timing rests on it: GFX942 and GFX950 are what launches on these
# chips say that they rest on (`fly-run --timing --json`). The tests of the probes
# name ids without resting on them.
set -eu
cd "$1"
others='fly-bench-probe.test|Sim/ledger.test'
views='--timing|--html|--att|--counters|--kernel-trace|--perfetto'
timed=$(mktemp)
trap 'rm -f "$timed"' EXIT
# Runs that are to fail time nothing.
{
  grep -rlE --include='*.test' --include='*.mlir' \
    "^(// )?RUN: *(bash .*(one-occupancy|foreign-timing)|.*fly-bench (mechanisms|predictions|hardware|run) |(.*[|&] *)?fly-run .*($views))" .
  grep -rlE --include='*Test.cpp' 'timing\.enabled = true' .
} | sed 's,^[.]/,,' | grep -vE "$others" | LC_ALL=C sort -u > "$timed"
chips() {
  local has950=no
  grep -qE 'gfx950|MI355X|-950' "$1" && has950=yes && echo gfx950
  { [ $has950 = no ] || grep -qE 'gfx942|MI3[02]|-942' "$1"; } && echo gfx942
  return 0
}
declare -A on
while read -r file; do
  for chip in $(chips "$file"); do
    on[$chip]+=" $file"
  done
done < "$timed"
while read -r id; do
  {
    grep -rlwF --include='*Test.cpp' --include='*.test' -- "$id" . |
      grep -vE "$others" | sed 's,^[.]/,,' || true
    ! grep -qwF -- "\"$id\"" "$3" || printf '%s\n' ${on[gfx942]}
    ! grep -qwF -- "\"$id\"" "$4" || printf '%s\n' ${on[gfx950]}
  } | LC_ALL=C sort -u | tr '\n' ' ' | sed "s,^,$id: ,; s, \$,,"
  echo
done < "$2"
