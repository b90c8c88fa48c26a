#!/usr/bin/env bash
# Interrupts bisections at moments that the seed chooses, by SIGINT, SIGTERM and
# SIGKILL; compares what the user has before and after. Then one more runs to its
# end, removes what the killed ones left, and leaves nothing.
# usage: bisect-killed.sh DIRECTORY SEED COUNT
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$1"
mkdir -p "$1/scratch"
planted=$(bash "$here/bisect-repository.sh" "$1/repository" "$2")
RANDOM=$2
cd "$1/repository" || exit 1
echo "$2" > ../state
export STATE=$1/state
# Everything that a careless tool would lose.
echo staged > count && git add count
git -c user.name=A -c user.email=a@b.c stash push -q -m kept
echo changed > value
echo new > untracked
echo staged > staged && git add staged
git branch other main~50
# A bisection of the user's own, in the middle.
git bisect start --no-checkout main main~150 > /dev/null

picture() {
  git symbolic-ref HEAD
  git for-each-ref
  git stash list
  git status --porcelain
  git ls-files --stage
  cat value kind count untracked staged .git/config
  find . -path ./.git -prune -o -type f -print | sort
  head -100 .git/BISECT_*
}
run() {
  exec fly-bisect main~199 --build='! grep -q broken kind; echo x > made; sleep 0.01' \
    --scratch="$scratch" --metric='time: ([0-9]+) us' -- sh bench.sh
}
killed=
scratch=$(cd ../scratch && pwd)
picture > ../before.txt
git rev-list --count --all > /dev/null
for ((i = 0; i < $3; ++i)); do
  signal=$(echo INT TERM KILL | cut -d' ' -f$((1 + i % 3)))
  run > ../out.txt 2> ../err.txt &
  # From the first moments to the middle of the search.
  sleep "0.$(printf %03d $((RANDOM % 600)))"
  kill -s $signal $! 2> /dev/null
  wait $! 2> /dev/null
  picture > ../after.txt
  cmp ../before.txt ../after.txt || { echo "changed by SIG$signal"; diff ../before.txt ../after.txt; }
  # Only what is killed outright may leave something behind.
  [ $signal = KILL ] || [ -z "$(ls "$scratch")" ] || [ -n "$killed" ] || { echo "SIG$signal leaves $(ls "$scratch"):"; cat ../err.txt; find "$scratch"; }
  [ $signal = KILL ] && killed=yes
done
(run) > ../out.txt 2> ../err.txt
code=$?
picture > ../after.txt
cmp ../before.txt ../after.txt
git worktree list | wc -l
ls "$scratch" | wc -l
grep -q "^$planted is the first bad commit" ../out.txt && echo "found, exit $code" || cat ../err.txt ../out.txt
