#!/bin/bash
# ledger.sh TESTS IDS: for each id in the file IDS a line with the tests below
# TESTS that name it: "LDS-QUEUE: Tools/fly-bench-hardware.test". The tests of
# the probes name ids without resting on them.
set -eu
cd "$1"
while read -r id; do
  files=$(grep -rlwF --include='*Test.cpp' --include='*.test' -- "$id" . |
    grep -vE 'fly-bench-probe.test|Sim/ledger.test' | sed 's,^[.]/,,' |
    LC_ALL=C sort | tr '\n' ' ' || true)
  echo "$id: ${files% }"
done < "$2"
