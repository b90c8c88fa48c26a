#!/usr/bin/env bash
# usage: rows-random.sh FOLDER COUNT
set -euo pipefail
state=7
draw() { # BOUND: a number below it in $drawn
  state=$(((state * 1103515245 + 12345) % 2147483648))
  drawn=$((state / 65536 % $1))
}
pick() { # WORD...: one of them in $picked
  draw $#
  picked=${*:$((drawn + 1)):1}
}
for ((i = 0; i < $2; ++i)); do
  pick closed copy columns spread
  kernel=$picked
  pick gfx942 gfx950
  chip=$picked
  pick 8 16 32 64
  bm=$picked
  pick 32 64 128
  bn=$picked
  pick '[4, 1]' '[1, 2]' '[2, 2]' '[1, 1]'
  waves=$picked
  draw 60
  m=$((drawn + 1))
  draw 150
  n=$((drawn + 1))
  draw 120
  t=$((drawn + 1))
  args=(X=iota "M=$m" "N=$n")
  case $kernel in
  closed) args=(X=iota "R=rand:$i" "M=$m" "N=$n" "T=$t" --expect Y=zeros) ;;
  copy | columns) args=("X=rand:$i" "R=rand:$((i + 9))" "M=$m" "N=$n" "T=$t") ;;
  spread) args=("X=rand:$i" "M=$m" "N=$n") ;;
  esac
  echo "$kernel $chip BM=$bm BN=$bn waves=$waves ${args[*]}"
  fly-run "$1/rows-by-number.mlir" --kernel="$kernel" --chip="$chip" \
    --size="BM=$bm,BN=$bn" --schedule="waves=$waves" "${args[@]}"
done
