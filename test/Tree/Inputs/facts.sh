#!/usr/bin/env bash
# Searches lib, include and tools for what belongs elsewhere.
# usage: facts.sh SOURCE
set -euo pipefail
cd "$1"
status=0
report() { # MESSAGE, lines "file:line:text" on the input
  while IFS=: read -r file line _; do
    echo "$file:$line: $1" >&2
    status=1
  done
}
# grep without an error where nothing matches; comments do not count.
search() { # PATTERN FILE...
  local pattern=$1
  shift
  { grep -nHE "$pattern" "$@" || true; } | grep -vE '^[^:]*:[0-9]+:[[:space:]]*(//|#)' || true
}

mapfile -t files < <(find lib include tools -name '*.cpp' -o -name '*.h' -o -name '*.td' | sort)
mapfile -t outside < <(printf '%s\n' "${files[@]}" | grep -v '/Arch/' | grep -E '\.(cpp|h)$' || true)
mapfile -t libraries < <(printf '%s\n' "${files[@]}" | grep '^lib/' || true)
[ ${#files[@]} -gt 0 ] || { echo "error: no sources in $PWD" >&2; exit 1; }

while read -r file; do
  echo "$file: named for no concept" >&2
  status=1
done < <(printf '%s\n' "${files[@]}" | grep -E '(Utils?|Common|Helpers?|Misc)[^/]*\.(cpp|h)$' || true)

report "chip name outside lib/Arch" < <(search '"gfx[0-9]{3,4}"' "${outside[@]}")
report "scheduling mask in hex outside lib/Arch" < <(search \
  '[Ss]ched[A-Za-z_]*\(.*0x[0-9a-fA-F]+|[Mm]ask [=] 0x(8|20|100|200)\b.*sched' "${outside[@]}")
report "left open" < <(grep -nHEi '\b(TODO|FIXME|XXX|HACK)\b|not (yet )?(implemented|supported) yet' "${files[@]}" || true)
report "a library that exits, aborts or prints" < <(search \
  '\b(exit|abort)\(|report_fatal_error|llvm_unreachable\("(unsupported|unknown|not)|errs\(\)|outs\(\)' "${libraries[@]}")
report "process-wide option in a library" < <(search 'cl::opt' "${libraries[@]}")
while read -r lines file; do
  [ "$file" = total ] && continue
  if [ "$lines" -gt 700 ]; then
    echo "$file: has $lines lines; a second concept hides in files over 700" >&2
    status=1
  fi
done < <(wc -l "${files[@]}")
echo "${#files[@]} files checked"
exit $status
