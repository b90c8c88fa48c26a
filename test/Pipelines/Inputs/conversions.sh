#!/bin/bash
# conversions.sh CHIP TYPE IEEE SATURATED SCRATCH: what thirteen numbers become
# as TYPE, which must be the given bytes. The sign of a NaN of the OCP's E4M3 is
# not looked at.
set -euo pipefail
chip=$1 type=$2 ieee=$3 saturated=$4 scratch=$5.$2
values=(1.0 -1.0 3.9 240.0 248.0 448.0 464.0 480.0 pos_inf nan -0.0 0.001953125 0.0009765625)

# A .npy of bytes or of f32: header, then data.
npy() { # DESCR SHAPE
  local text="{'descr': '$1', 'fortran_order': False, 'shape': $2, }"
  printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "$text"
}
{
  npy '<f4' '(13,)'
  for bits in 3f800000 bf800000 4079999a 43700000 43780000 43e00000 43e80000 43f00000 7f800000 7fc00000 80000000 3b000000 3a800000; do
    printf "\\x${bits:6:2}\\x${bits:4:2}\\x${bits:2:2}\\x${bits:0:2}"
  done
} > "$scratch.x.npy"

kernels() {
  echo "gpu.module @m [#rocdl.target<chip = \"$chip\">] {"
  for overflow in ieee saturate; do
    # At run time.
    echo "  gpu.func @run_$overflow(%X: !fly.ptr<f32>, %Y: !fly.ptr<$type>) kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %g = fly.grid to (1) step (1)
    %x = fly.view %X[13] : !fly.view<13xf32>
    %y = fly.view %Y[13] : !fly.view<13x$type>
    %t = fly.load %x[0] : !fly.view<13xf32> -> tensor<13xf32>"
    if [ $overflow = ieee ]; then
      echo "    %c = arith.truncf %t : tensor<13xf32> to tensor<13x$type>"
    else
      echo "    %c = fly.cast %t overflow saturate : tensor<13xf32> -> tensor<13x$type>"
    fi
    echo "    fly.store %c, %y[0] : tensor<13x$type>, !fly.view<13x$type>
    gpu.return
  }"
    # Constants: each element of its own.
    echo "  gpu.func @fold_$overflow(%Y: !fly.ptr<$type>) kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %g = fly.grid to (1) step (1)
    %y = fly.view %Y[13] : !fly.view<13x$type>"
    for i in "${!values[@]}"; do
      echo "    %v$i = fly.constant ${values[$i]} : tensor<1xf32>"
      if [ $overflow = ieee ]; then
        echo "    %c$i = arith.truncf %v$i : tensor<1xf32> to tensor<1x$type>"
      else
        echo "    %c$i = fly.cast %v$i overflow saturate : tensor<1xf32> -> tensor<1x$type>"
      fi
      echo "    fly.store %c$i, %y[$i] : tensor<1x$type>, !fly.view<13x$type>"
    done
    echo "    gpu.return
  }"
  done
  echo "}"
}
kernels > "$scratch.mlir"

bytes() { # FILE: the data behind the header, NaN without its sign
  local text
  text=$(tail -c 13 "$1" | od -An -tx1 -v | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')
  [ "$type" = f8E4M3FN ] && text=${text//ff/7f}
  echo "$text"
}
for overflow in ieee saturate; do
  expected=$ieee
  [ $overflow = saturate ] && expected=$saturated
  for device in sim reference; do
    for kind in run fold; do
      input=()
      [ $kind = run ] && input=("X=@$scratch.x.npy")
      fly-run "$scratch.mlir" --kernel="${kind}_$overflow" --device=$device "${input[@]}" --out "Y=@$scratch.y.npy" > "$scratch.log" 2>&1 || { cat "$scratch.log"; exit 1; }
      got=$(bytes "$scratch.y.npy")
      [ "$got" = "$expected" ] || { echo "$type $overflow $device $kind: $got, expected $expected"; exit 1; }
    done
  done
done
