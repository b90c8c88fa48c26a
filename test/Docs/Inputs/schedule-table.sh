#!/usr/bin/env bash
# Checks the table of docs/Guide/Schedules.md against fly-resolve-schedule.
#
# usage: schedule-table.sh PAGE SCRATCH
#
# Every line becomes one GEMM a chip. Where the line names the chip, the remarks
# must have its waves, swizzle, LDS bytes and registers; where it does not, the
# chip must refuse the kernel.
set -euo pipefail
page=$1
scratch=$2
mkdir -p "$scratch"

# Lines of the table, as "tile waves mfma stages split swizzle lds registers
# barriers chips", split over single characters that the columns do not have.
awk -F ' *[|] *' '/^[|] [0-9]+x[0-9]+x[0-9]+ / {
  print $2 ";" $3 ";" $4 ";" $5 ";" $6 ";" $7 ";" $8 ";" $9 ";" $10 ";" $11
}' "$page" >"$scratch/lines"

# One kernel of the line and chip, as fly-opt reads it.
kernel() { # name tile waves mfma stages chip
  IFS=x read -r m n k <<<"$2"
  cat <<END
gpu.module @m [#rocdl.target<chip = "$6">] {
  gpu.func @$1(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {
      fly.schedule = #fly.schedule<waves = $3, l = {mfma = $4}, a = lds(stages = $5), b = lds(stages = $5)>} {
    %a = fly.view %A[$m, %K] : !fly.view<${m}x?xbf16>
    %b = fly.view %A[$n, %K] : !fly.view<${n}x?xbf16>
    %c = fly.view %C[$m, $n] : !fly.view<${m}x${n}xf32>
    %z = fly.constant 0.0 : tensor<${m}x${n}xf32>
    %r = fly.pipeline @l %k = 0 to %K step $k iter_args(%s = %z) : tensor<${m}x${n}xf32>
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<${m}x?xbf16> -> tensor<${m}x${k}xbf16>
        %tb = fly.load %b[0, %k] label "b" : !fly.view<${n}x?xbf16> -> tensor<${n}x${k}xbf16>
        fly.yield %ta, %tb : tensor<${m}x${k}xbf16>, tensor<${n}x${k}xbf16>
      } compute(%ta: tensor<${m}x${k}xbf16>, %tb: tensor<${n}x${k}xbf16>) {
        %d = fly.dot %ta, %tb, %s : tensor<${m}x${k}xbf16>, tensor<${n}x${k}xbf16> -> tensor<${m}x${n}xf32>
        fly.yield %d : tensor<${m}x${n}xf32>
      }
    fly.store %r, %c[0, 0] label "c" : tensor<${m}x${n}xf32>, !fly.view<${m}x${n}xf32>
    gpu.return
  }
}
// -----
END
}

: >"$scratch/legal.mlir"
: >"$scratch/expected"
: >"$scratch/illegal.mlir"
legal=0
illegal=0
while IFS=';' read -r tile waves mfma stages split swizzle lds registers _ chips; do
  for chip in gfx942 gfx950; do
    name=k${tile}_${waves}_${mfma}_${stages}_$chip
    if [[ $chips == *$chip* ]]; then
      kernel "$name" "$tile" "$waves" "$mfma" "$stages" "$chip" >>"$scratch/legal.mlir"
      echo "$name waves = $split; swizzle = $swizzle; LDS: $lds; estimated $registers" >>"$scratch/expected"
      legal=$((legal + 1))
    else
      kernel "$name" "$tile" "$waves" "$mfma" "$stages" "$chip" >>"$scratch/illegal.mlir"
      illegal=$((illegal + 1))
    fi
  done
done <"$scratch/lines"

fly-opt --fly-resolve-schedule --split-input-file --remarks-filter=fly-resolve-schedule \
  "$scratch/legal.mlir" -o /dev/null 2>"$scratch/remarks"
# Remarks of one kernel, joined in the form of the expected lines.
awk '
  match($0, /Function=[^ ]+/) { name = substr($0, RSTART + 9, RLENGTH - 9) }
  match($0, /waves = \[[0-9]+, [0-9]+\]/) { waves[name] = substr($0, RSTART, RLENGTH) }
  match($0, /swizzle = [a-z]+/) { swizzle[name] = substr($0, RSTART, RLENGTH) }
  match($0, /LDS: [0-9]+/) { lds[name] = substr($0, RSTART, RLENGTH) }
  match($0, /estimated [0-9]+ of [0-9]+/) {
    print name, waves[name] "; " swizzle[name] "; " lds[name] "; " substr($0, RSTART, RLENGTH)
  }' "$scratch/remarks" >"$scratch/actual"
diff "$scratch/expected" "$scratch/actual"

fly-opt --fly-resolve-schedule --split-input-file "$scratch/illegal.mlir" -o /dev/null \
  2>"$scratch/errors" || true
refused=$(grep -c ' error: ' "$scratch/errors" || true)
[ "$refused" -eq "$illegal" ] || {
  echo "error: $illegal combinations are not in the table, $refused were refused" >&2
  exit 1
}
echo "$legal legal, $illegal refused"
