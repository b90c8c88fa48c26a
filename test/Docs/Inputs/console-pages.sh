#!/usr/bin/env bash
# Lists the pages with console blocks that TEST does not run.
# usage: console-pages.sh SOURCE TEST
cd "$1" && grep -rlE '^```console$' README.md CONTRIBUTING.md docs python-free-examples \
  --include='*.md' | sort | while read -r page; do
  grep -qF "%src/$page " "$2" || echo "$page"
done
