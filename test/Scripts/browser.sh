#!/usr/bin/env bash
# Prints the document that a page becomes when its scripts have run, in a real
# browser without a window and without a network.
# usage: browser.sh BROWSER SCRATCH PAGE
set -euo pipefail
browser=$1 scratch=$2 page=$3
rm -rf "$scratch"
mkdir -p "$scratch"
timeout 60 "$browser" --headless=new --no-sandbox --disable-gpu --no-first-run \
  --disable-background-networking --host-resolver-rules='MAP * ~NOTFOUND' \
  --user-data-dir="$scratch" --dump-dom "file://$page" 2>"$scratch/log" ||
  { cat "$scratch/log" >&2; exit 1; }
rm -rf "$scratch"
