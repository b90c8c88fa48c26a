#!/usr/bin/env bash
# Makes a repository of 200 commits, of which one, by chance, makes the time that
# bench.sh prints 30 % longer. One commit in ten does not build, one in ten
# scatters three times as much as the others; not so the planted one and its
# parent, which must be told apart. Prints the planted commit.
# usage: bisect-repository.sh DIRECTORY SEED
set -euo pipefail
RANDOM=$2
rm -rf "$1"
git init -q -b main "$1"
cd "$1"
planted=$((20 + RANDOM % 160))
{
  for ((i = 1; i <= 200; ++i)); do
    kind=quiet value=100
    ((i >= planted)) && value=130
    ((i == planted || i == planted - 1 || i == 1 || i == 200)) ||
      case $((RANDOM % 10)) in 0) kind=broken ;; 1) kind=noisy ;; esac
    echo "commit refs/heads/main"
    echo "committer A U Thor <author@example.com> $((1700000000 + i)) +0000"
    printf 'data <<END\ncommit %d\nEND\n' "$i"
    [ $i = 1 ] && cat <<'END'
M 100644 inline bench.sh
data <<BENCH
read -r value < value; read -r kind < kind; read -r n < "$STATE"
n=$(((n * 1103515245 + 12345) % 2147483648)); echo $n > "$STATE"
width=80; [ $kind = noisy ] && width=250
echo "ran"; echo "time: $((value * (1000 + (n >> 8) % (2 * width + 1) - width))) us"
BENCH
END
    printf 'M 100644 inline value\ndata <<END\n%d\nEND\n' "$value"
    printf 'M 100644 inline kind\ndata <<END\n%s\nEND\n' "$kind"
    printf 'M 100644 inline count\ndata <<END\n%d\nEND\n\n' "$i"
  done
} | git fast-import --quiet
git checkout -q main
git rev-parse "main~$((200 - planted))"
