#!/usr/bin/env bash
# Lists the pages that have console blocks. usage: console-pages.sh SOURCE
cd "$1" && grep -rlE '^```console$' README.md CONTRIBUTING.md docs python-free-examples \
  --include='*.md' | sort
