#!/usr/bin/env bash
# One case of fly-bisect on a small repository: base, between, broken (does
# not build), main, a merge of a topic whose own last commit is bad, after.
# usage: bisect-cases.sh DIRECTORY CASE
set -uo pipefail
export GIT_AUTHOR_NAME=Somebody GIT_AUTHOR_EMAIL=somebody@example.com
export GIT_COMMITTER_NAME=Somebody GIT_COMMITTER_EMAIL=somebody@example.com
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
root=$1/$2
rm -rf "$root"
mkdir -p "$root" && cd "$root" || exit 1
git init -q -b main repository && cd repository || exit 1
commit() { # TEXT, files NAME=CONTENTS
  local text=$1 file
  shift
  for file in "$@"; do echo "${file#*=}" > "${file%%=*}"; done
  git add -A && git commit -q --allow-empty -m "$text"
}
commit base value=good number=20 build=ok
git branch base
commit between count=0
git branch topic
commit broken build=no
commit main build=ok
git checkout -q topic
commit "half of the topic" value=good number=3
commit "all of the topic" value=bad number=10
git checkout -q main
git merge -q --no-ff topic -m "Merge the topic"
commit after count=2
scratch=$root/scratch
mkdir "$scratch"
build='grep -q ok build || { echo cannot build; exit 2; }'
find_it() { fly-bisect --scratch="$scratch" "$@" 2> "$root/err.txt" | tee "$root/out.txt"; code=${PIPESTATUS[0]}; grep error: "$root/err.txt"; echo "exit $code"; }
good=(grep -q good value)
number=(--metric='^([0-9]+)$')
case $2 in
text) find_it base --build="$build" -- "${good[@]}" ;;
json) find_it base --build="$build" --json -- "${good[@]}" ;;
higher) find_it base --build="$build" "${number[@]}" --higher-is-better -- cat number ;;
same) find_it base -- true ;;
lower) find_it base "${number[@]}" -- cat number ;;
threshold) find_it base "${number[@]}" --higher-is-better --threshold=60 -- cat number ;;
scatter)
  echo 0 > "$root/turn"
  find_it base "${number[@]}" -- "read -r n < $root/turn; echo \$((n + 1)) > $root/turn; echo \$((100 + n % 7 * 20 + n))"
  ;;
clocks) find_it base --metric='([0-9]+)' -- 'grep -q good value && echo 100 || echo 110' ;;
unjudged)
  commit "cannot be judged" value=unknown
  git branch -f base HEAD~1
  git checkout -q base && git checkout -q --detach
  echo good > value && git commit -q -am "good again" && git tag good
  commit "cannot be judged" value=unknown
  commit bad value=bad
  find_it good -- 'case $(cat value) in good) exit 0 ;; bad) exit 1 ;; *) exit 125 ;; esac'
  ;;
submodule)
  git init -q -b main "$root/library"
  (cd "$root/library" && commit one text=good && commit two text=bad)
  git submodule --quiet add "$root/library" library
  (cd library && git checkout -q main~1)
  commit "with a library" count=3
  git tag good
  commit between count=4
  (cd library && git checkout -q main)
  commit "a newer library"
  commit after count=5
  cp .git/config "$root/config"
  git submodule status > "$root/status"
  find_it good -- grep -q good library/text
  git submodule status | cmp - "$root/status" && cmp .git/config "$root/config" &&
    [ -z "$(git status --porcelain)" ] && echo "nothing changed"
  ;;
checkout)
  # A filter that fails at one commit, and a hook that must not run.
  git config filter.broken.smudge false
  git config filter.broken.clean cat
  git config filter.broken.required true
  printf '#!/bin/sh\ntouch %s/hooked\n' "$root" > .git/hooks/post-checkout
  chmod +x .git/hooks/post-checkout
  commit "good again" value=good
  git tag good
  commit between count=6
  commit "cannot be had" .gitattributes='number filter=broken' number=77
  rm .gitattributes
  commit "bad again" value=bad number=78
  commit after count=7
  find_it good -- grep -q good value
  [ ! -e "$root/hooked" ] && [ -z "$(git status --porcelain)" ] && echo "nothing changed"
  ;;
hang)
  find_it base --timeout=1 -- 'grep -q good value || { sleep 977 & sleep 977; }'
  echo "$(ps ax | grep -c '[s]leep 977') left"
  ;;
crash)
  # By a signal, as an assertion or a wild pointer ends it.
  find_it base -- 'grep -q good value || kill -SEGV $$'
  ;;
once)
  # At each commit one run of seven fails.
  echo 0 > "$root/turn"
  find_it base "${number[@]}" --higher-is-better -- "read -r n < $root/turn; echo \$((n + 1)) > $root/turn; [ \$((n % 8)) = 3 ] && exit 1; cat number"
  ;;
endless)
  find_it base --metric='([0-9]+)' -- 'grep -q good value && echo 100 || yes'
  ;;
orphans)
  # Killed while a command runs: the command and what it has started end, too.
  fly-bisect --scratch="$scratch" base -- 'sleep 976 & sleep 976' 2> /dev/null &
  pid=$!
  for _ in $(seq 200); do ps ax | grep -q '[s]leep 976' && break; sleep 0.05; done
  kill -KILL $pid
  wait $pid 2> /dev/null
  for _ in $(seq 100); do ps ax | grep -q '[s]leep 976' || break; sleep 0.05; done
  echo "$(ps ax | grep -c '[s]leep 976') left"
  ;;
places)
  # A folder of the tree with changes, a detached HEAD, a bare clone, a clone
  # of few commits; nothing of them changes.
  mkdir -p below && echo kept > below/file && git add below && echo mine > value
  git checkout -q --detach && git rev-parse HEAD > "$root/head"
  (cd below && find_it base --build="$build" -- "${good[@]}")
  grep -q "is the first bad commit" "$root/out.txt" && echo "below: found"
  [ "$(cat value) $(git diff --cached --name-only) $(git rev-parse HEAD)" = "mine below/file $(cat "$root/head")" ] &&
    ! git symbolic-ref -q HEAD > /dev/null && echo "nothing changed"
  git clone -q --bare . "$root/bare.git"
  (cd "$root/bare.git" && git for-each-ref > "$root/refs" && find_it base main --build="$build" -- "${good[@]}" && git for-each-ref | cmp - "$root/refs")
  grep -q "is the first bad commit" "$root/out.txt" && echo "bare: found"
  git clone -q --depth=3 --branch=main "file://$root/repository" "$root/shallow"
  (cd "$root/shallow" && find_it "$(git -C ../repository rev-parse base)" -- true && git worktree list | wc -l)
  ;;
breaks)
  # A metric that a commit stops to print.
  find_it base "${number[@]}" -- "grep -q good value && cat number"
  find_it base -- "grep -q good value && cat number"
  ;;
errors)
  find_it nothing -- true
  find_it base base -- true
  find_it main base -- true
  git checkout -q -b aside base
  commit aside count=9
  find_it aside main -- true
  find_it base main --metric='missing' -- cat value
  find_it base main --metric='^(.*)$' -- cat value
  find_it base main --metric='(' -- cat value
  find_it base main
  (cd / && find_it base main -- true)
  echo "$(git worktree list | wc -l) work tree"
  ;;
esac
