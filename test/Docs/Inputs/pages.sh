#!/usr/bin/env bash
# usage: pages.sh SOURCE SCRATCH
set -euo pipefail
scripts=$1/test/Scripts
mapfile -t pages < <(find "$1/README.md" "$1/CONTRIBUTING.md" "$1/docs" \
  "$1/python-free-examples" -name '*.md' | sort)
bash "$scripts/mlir-examples.sh" "$2" "${pages[@]}" | sort
bash "$1/test/Docs/Inputs/snippets.sh" "$1" "${pages[@]}"
bash "$scripts/links.sh" "${pages[@]}"
