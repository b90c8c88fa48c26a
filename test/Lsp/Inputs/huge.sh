#!/usr/bin/env bash
# A session with a document of LINES long lines. usage: huge.sh LINES
set -euo pipefail
message() { printf '%s\n// -----\n' "$1"; }
message '{"jsonrpc":"2.0","id":"initialize","method":"initialize","params":{"processId":1,"rootPath":"","capabilities":{},"trace":"off"}}'
printf '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"test:///k.mlir","languageId":"mlir","version":1,"text":"func.func private @f() {\\n'
awk -v lines="$1" 'BEGIN { for (i = 0; i < lines; ++i) printf "  // a comment that is as long as the lines of kernels are, and goes on and on: number %d\\n", i }'
message '  return\n}\n"}}}'
message '{"jsonrpc":"2.0","id":"hover","method":"textDocument/hover","params":{"textDocument":{"uri":"test:///k.mlir"},"position":{"line":0,"character":3}}}'
message '{"jsonrpc":"2.0","id":"shutdown","method":"shutdown"}'
echo '{"jsonrpc":"2.0","method":"exit"}'
