#!/usr/bin/env bash
# Compares the generated reference with the definitions and with ops.mlir and
# hand-written.mlir.
# usage: reference.sh SOURCE BUILD
set -euo pipefail
src=$1 docs=$2/docs
reference=$docs/Dialects/Fly.md
definitions=$src/include/fly/Dialect/Fly/IR

# Mnemonics as the definitions spell them; the hints get their prefix.
defined=$(sed -nE \
  -e 's/^def Fly_[A-Za-z]*Op : Fly_SchedOp<"([a-z_]*)".*/sched.\1/p' \
  -e '/^class/!s/^def Fly_[A-Za-z]*Op : Fly_[A-Za-z]*<"([a-z_.]*)".*/\1/p' \
  "$definitions"/*Ops.td | grep -vE '^(mfma|dsrd|dswr|vmem|vmem_write|valu|salu|trans)$' | sort -u)
documented=$(sed -nE 's/^### `fly\.([a-z_.]+)` .*/\1/p' "$reference" | sort -u)
if [ "$defined" != "$documented" ]; then
  echo "error: definitions and reference differ:" >&2
  diff <(echo "$defined") <(echo "$documented") >&2
  exit 1
fi
for op in $documented; do
  grep -qhE "fly\.${op//./\\.}( |\$)" "$src"/test/Dialect/Fly/{ops,hand-written}.mlir ||
    { echo "error: test/Dialect/Fly/{ops,hand-written}.mlir have no fly.$op" >&2; exit 1; }
done
echo "ops: $(echo "$documented" | wc -l) documented, all of them in ops.mlir or hand-written.mlir"

types=
for type in ptr view lds; do
  grep -q "^Syntax: \`!fly\.$type\|!fly\.$type" "$reference" ||
    { echo "error: the reference lacks !fly.$type" >&2; exit 1; }
  types+=" $type"
done
echo "types:$types"

count=0
while read -r pass; do
  grep -qh "^### \`-$pass\`" "$docs"/Passes/*.md ||
    { echo "error: the reference lacks the pass $pass" >&2; exit 1; }
  count=$((count + 1))
done < <(find "$src/include/fly" -name "*Passes.td" -exec \
  sed -nE 's/^def .*Pass<"([a-z-]+)".*/\1/p' {} +)
echo "passes: $count"
