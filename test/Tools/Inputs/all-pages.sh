#!/usr/bin/env bash
# Makes the page and the JSON of each report on the files of a folder, and
# compares the figures of both. Some pages are read by a browser first, which
# takes a second each.
# usage: all-pages.sh FOLDER BROWSER SCRIPTS INPUTS
set -euo pipefail
folder=$1 browser=$2 scripts=$3 inputs=$4
cd "$folder"
sizes="M=256 N=256 K=128"
page() {
  local name=$1
  shift
  # A report may end with 2: a check that fails.
  fly-report "$@" --json --html="$name.html" >"$name.json" || test $? = 2
  case $name in
  hotspots | roofline)
    bash "$scripts/browser.sh" "$browser" "$PWD/profile" "$PWD/$name.html" >"$name.dom"
    ;;
  *) cp "$name.html" "$name.dom" ;;
  esac
  echo "$name: $(bash "$inputs/page-figures.sh" "$name.dom" "$name.json")"
}
page checklist checklist gemm.mlir $sizes sim.json
page compare compare gemm.hsaco other.hsaco
page counters counters trace/out_counter_collection.csv --chip=gfx942
page hotspots hotspots trace/ui_output_agent_1_dispatch_1
page isa isa gemm.hsaco
page kernels kernels trace/out_kernel_trace.csv
page occupancy occupancy gemm.hsaco
page plan plan gemm.mlir $sizes
page roofline roofline gemm.mlir $sizes --timing=sim.json
page runs compare trace/out_kernel_trace.csv trace/out_kernel_trace.csv
