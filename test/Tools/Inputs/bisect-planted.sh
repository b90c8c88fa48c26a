#!/usr/bin/env bash
# Finds the planted commits of made repositories; prints how many.
# usage: bisect-planted.sh DIRECTORY SEED...
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
directory=$1
shift
mkdir -p "$directory"
found=0
for seed in "$@"; do
  planted=$(bash "$here/bisect-repository.sh" "$directory/repository" "$seed")
  echo "$seed" > "$directory/state"
  cd "$directory/repository" || exit 1
  STATE=$directory/state fly-bisect main~199 --build='! grep -q broken kind' \
    --metric='time: ([0-9]+) us' -- sh bench.sh > ../out.txt 2> ../err.txt
  if [ $? = 0 ] && grep -q "^$planted is the first bad commit" ../out.txt; then
    found=$((found + 1))
  else
    echo "seed $seed: planted $planted, but:" >&2
    cat ../err.txt ../out.txt >&2
  fi
done
echo "found $found of $# (seeds $*)"
