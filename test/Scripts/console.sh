#!/usr/bin/env bash
# Runs the commands that a page of the docs shows, and compares what they print.
#
# usage: console.sh SOURCE SCRATCH PAGE
#
# The convention of the pages:
# - A ```console block holds lines `$ command` (a trailing backslash continues
#   the command) and, below each, lines that it prints. Shown lines must occur
#   in this order; other lines may stand between them; `...` inside a line is
#   any text, a line of `...` alone is nothing.
# - `<!-- file: NAME -->` right before a fenced block writes that block to NAME
#   first.
# - Commands run in a scratch directory in which python-free-examples is the
#   tree's, with the tools of the build on the PATH; each must exit with 0.
# - Blocks of other kinds are not run. A ```sh block is for what a test cannot
#   do (installing packages): its commands must be among those of
#   docs/Guide/GettingStarted.md and README.md that `.ci/run` executes.
set -uo pipefail
src=$1 scratch=$2 page=$3
rm -rf "$scratch"
mkdir -p "$scratch/steps" "$scratch/run"
ln -s "$src/python-free-examples" "$scratch/run/python-free-examples"

awk -v steps="$scratch/steps" -v run="$scratch/run" '
  /^<!-- file: .* -->$/ { name = $3; next }
  /^```/ {
    if (kind != "") { # The end of a block.
      if (kind == "file") close(target)
      kind = ""
    } else if (name != "") {
      kind = "file"; target = sprintf("%s/%04d.file", steps, ++count)
      print name > (target ".name"); close(target ".name")
      printf "" > target; name = ""
    } else
      kind = $0 == "```console" ? "console" : "other"
    next
  }
  kind == "file" { print > target; next }
  kind != "console" { next }
  continued { print > command; continued = /\\$/; next }
  /^\$ / {
    base = sprintf("%s/%04d", steps, ++count)
    command = base ".command"
    print substr($0, 3) > command
    print NR > (base ".line")
    printf "" > (base ".expected")
    continued = /\\$/
    next
  }
  { print > (base ".expected") }
' "$page"

status=0
commands=0
for step in "$scratch"/steps/*.command "$scratch"/steps/*.file; do
  echo "$step"
done | sort | while read -r step; do
  [ -e "$step" ] || continue
  if [[ $step == *.file ]]; then
    cp "$step" "$scratch/run/$(cat "$step.name")"
    continue
  fi
  base=${step%.command}
  where="$page:$(cat "$base.line")"
  (cd "$scratch/run" && bash -o pipefail "$step") >"$base.printed" 2>&1 </dev/null
  code=$?
  if [ $code -ne 0 ]; then
    echo "$where: error: exits with $code: $(cat "$step")" >&2
    cat "$base.printed" >&2
    exit 1
  fi
  awk -v where="$where" -v output="$base.printed" '
    BEGIN { while ((getline line < output) > 0) printed[++count] = line }
    function matches(text, pattern,    parts, n, i, at) {
      n = split(pattern, parts, /\.\.\./)
      for (i = 1; i <= n; ++i) {
        at = index(text, parts[i])
        if (!at) return 0
        text = substr(text, at + length(parts[i]))
      }
      return 1
    }
    /^ *\.\.\. *$/ || /^$/ { next }
    {
      while (++next_line <= count)
        if (matches(printed[next_line], $0)) next
      print where ": error: does not print (after what the lines above matched): " $0
      for (i = 1; i <= count; ++i) print "  printed: " printed[i]
      exit 1
    }
  ' "$base.expected" >&2 || exit 1
done || status=1
commands=$(find "$scratch/steps" -name '*.command' | wc -l)
echo "$(basename "$page"): $commands commands"
exit $status
