#!/usr/bin/env bash
# Checks includes against the table of docs/Architecture.md, whose rows are
#   | `FlyArch` | `Arch` | Support | no | ... |
# library, folder (or file without extension) below lib/ and include/fly/, what it
# may include of fly/, whether it uses MLIR. The longest path that fits a file
# counts. Prints the number of files of each library.
# usage: layers.sh SOURCE
set -euo pipefail
cd "$1"
{
  grep -E '^[|] .Fly' docs/Architecture.md | sed 's/^/row/'
  find lib include/fly \( -name '*.cpp' -o -name '*.h' \) -printf 'file|%p\n'
  grep -rnE '^#include "(fly|mlir)/' lib include/fly --include='*.cpp' --include='*.h' |
    sed -E 's/^([^:]*):([0-9]+):#include "([^"]*)".*/include|\1|\2|\3/'
} | tr -d '` ' | awk -F'|' '
  function owner(file,    name, best, i) {
    name = file
    sub(/^lib\//, "", name)
    sub(/^include\/fly\//, "", name)
    best = 0
    for (i = 1; i <= rows; ++i)
      if ((index(name, path[i] "/") == 1 || index(name, path[i] ".") == 1) &&
          (!best || length(path[i]) > length(path[best])))
        best = i
    return best
  }
  function complain(text) { print text > "/dev/stderr"; status = 1 }
  $1 == "row" {
    library[++rows] = $2; path[rows] = $3; mlir[rows] = $5
    may[rows] = $3 "," $4
    next
  }
  $1 == "file" {
    i = owner($2)
    if (i) ++count[i]
    else complain($2 ": is in no row of docs/Architecture.md")
    next
  }
  {
    i = owner($2)
    if (!i) next
    if ($4 ~ /^mlir\//) {
      if (mlir[i] != "yes")
        complain($2 ":" $3 ": " library[i] " is without MLIR, but includes " $4)
      next
    }
    n = split(may[i], allowed, ",")
    for (j = 1; j <= n; ++j)
      if (index($4, "fly/" allowed[j] "/") == 1 || index($4, "fly/" allowed[j] ".") == 1)
        next
    complain($2 ":" $3 ": " library[i] " may not include " $4)
  }
  END {
    if (!rows) complain("error: no table of libraries in docs/Architecture.md")
    for (i = 1; i <= rows; ++i) print library[i] ": " count[i] + 0 " files"
    exit status
  }'
