#!/usr/bin/env bash
# Compares the contents of arguments that fly-run knows, as the message about an
# unknown one lists them, with its help and the page of running kernels.
# usage: contents.sh SOURCE FLY-RUN
set -euo pipefail
message=$("$2" "$1/python-free-examples/01-gemm/gemm.mlir" A=unheard 2>&1 || true)
mapfile -t words < <(sed -n 's/.*one of: //p' <<<"$message" | tr ',' '\n' | tr -d ' ' | sort -u)
help=$("$2" --help)
for word in "${words[@]}"; do
  grep -qF -- "$word" <<<"$help" || { echo "not in the help: $word"; exit 1; }
  grep -qF -- "\`$word\`" "$1/docs/Guide/Running.md" ||
    { echo "not in docs/Guide/Running.md: $word"; exit 1; }
done
echo "${#words[@]} contents"
