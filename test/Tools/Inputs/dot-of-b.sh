#!/bin/sh
# Interesting is a kernel with a dot, a load of label b, a size BM of at least 8
# and a word: by default what keeps the name of argument K.
# usage: dot-of-b.sh [WORD] FILE
for file; do :; done
word='fly.name = "K"'
[ $# -lt 2 ] || word=$1
grep -q "$word" "$file" && grep -q 'fly.dot' "$file" &&
  grep -q 'label "b"' "$file" &&
  grep -qE 'BM = ([89]|[0-9]{2,})[,}]' "$file" && exit 1
exit 0
