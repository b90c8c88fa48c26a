#!/usr/bin/env bash
# Runs a kernel and compares what its object, its run and the trace of its run say
# of waves and workgroups; prints it where all are the same. Leaves the object
# (KERNEL.hsaco of a source) and the trace (KERNEL.csv) beside the kernel.
# usage: one-occupancy.sh CHIP KERNEL WORDS...
set -euo pipefail
chip=$1 kernel=$2
shift 2
object=$kernel block=()
options=()
for word in "$@"; do
  case $word in
  --block=*) block=("--workgroup=${word#--block=}") ;;
  --chip=* | --schedule=*) options+=("$word") ;;
  esac
done
if [ "${kernel%.mlir}" != "$kernel" ]; then
  object=$kernel.hsaco
  fly-compile "$kernel" -o "$object" "${options[@]+"${options[@]}"}"
fi
fly-run "$kernel" "$@" --timing --json --kernel-trace="$kernel.csv" > "$kernel.json"
# "2 waves a SIMD, 2 workgroups of 256 work items a compute unit"
placed() { sed -n '2{s/^ *//;s/; .*//;s/, limited.*//;p;}'; }
by_object=$(fly-report occupancy "$object" "${block[@]+"${block[@]}"}" | placed)
by_trace=$(fly-report occupancy "$kernel.csv" --chip="$chip" | placed)
waves=${by_object%% *}
# Of the object in the report of the run, and of the timing model.
by_run=$(grep -o '"waves_per_simd": [0-9]*' "$kernel.json" | sort -u)
limiters=$(grep -o '"limiter": "[A-Za-z]*"' "$kernel.json" | sort -u | wc -l)
if [ "$by_object" = "$by_trace" ] && [ "$by_run" = "\"waves_per_simd\": $waves" ] && [ "$limiters" = 1 ]; then
  echo "$by_object"
else
  echo "object: '$by_object', trace: '$by_trace', run: $by_run, $limiters limiters" >&2
  exit 1
fi
