#!/usr/bin/env bash
# Checks includes against the table of docs/Architecture.md, whose rows are
#   | `FlyArch` | `Arch` | Support | no | ... |
# library, folder below lib/ and include/fly/, folders it may include, whether it
# uses MLIR. Prints the number of files of each library.
# usage: layers.sh SOURCE
set -euo pipefail
cd "$1"
status=0
rows=$(grep -E '^\| `Fly[A-Za-z]+` \|' docs/Architecture.md | tr -d '`')
[ -n "$rows" ] || { echo "error: no table of libraries in docs/Architecture.md" >&2; exit 1; }

# Every folder with sources is in the table.
for folder in $(find lib -name '*.cpp' -printf '%h\n' | sort -u); do
  known=0
  while IFS='|' read -r _ _ path _; do
    path=$(echo $path)
    case "$folder/" in "lib/$path/"*) known=1 ;; esac
  done <<<"$rows"
  [ $known = 1 ] || { echo "$folder: is in no row of docs/Architecture.md" >&2; status=1; }
done

while IFS='|' read -r _ library path may mlir _; do
  library=$(echo $library) path=$(echo $path) may=$(echo $may | tr -d ',') mlir=$(echo $mlir)
  files=$(find "lib/$path" "include/fly/$path" \( -name '*.cpp' -o -name '*.h' \) 2>/dev/null || true)
  [ -n "$files" ] || continue
  echo "$library: $(echo "$files" | wc -l) files"
  while IFS=: read -r file line include; do
    header=$(echo "$include" | sed -E 's/.*"([^"]*)".*/\1/')
    case $header in
    mlir/*)
      if [ "$mlir" != yes ]; then
        echo "$file:$line: $library is without MLIR, but includes $header" >&2
        status=1
      fi
      continue ;;
    fly/*) ;;
    *) continue ;;
    esac
    allowed=0
    for folder in $path $may; do
      case $header in "fly/$folder/"*) allowed=1 ;; esac
    done
    if [ $allowed = 0 ]; then
      echo "$file:$line: $library may not include $header" >&2
      status=1
    fi
  done < <(grep -nHE '^#include "(fly|mlir)/' $files || true)
done <<<"$rows"
exit $status
