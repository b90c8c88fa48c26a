#!/usr/bin/env bash
# A session with a document whose type is nested DEPTH times, and one beside it.
# usage: deep.sh DEPTH
set -euo pipefail
message() { printf '%s\n// -----\n' "$1"; }
hover() { message '{"jsonrpc":"2.0","id":"'"$1"'","method":"textDocument/hover","params":{"textDocument":{"uri":"test:///'"$2"'"},"position":{"line":0,"character":8}}}'; }
message '{"jsonrpc":"2.0","id":"initialize","method":"initialize","params":{"processId":1,"rootPath":"","capabilities":{},"trace":"off"}}'
message '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"test:///other.mlir","languageId":"mlir","version":1,"text":"!X = tensor<4x8xf32>"}}}'
printf '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"test:///deep.mlir","languageId":"mlir","version":1,"text":"!X = '
awk -v depth="$1" 'BEGIN { for (i = 0; i < depth; ++i) printf "tuple<" }'
message '"}}}'
hover deep deep.mlir
hover other other.mlir
message '{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"test:///deep.mlir","version":2},"contentChanges":[{"text":"!X = tensor<2x8xf32>"}]}}'
hover mended deep.mlir
message '{"jsonrpc":"2.0","id":"shutdown","method":"shutdown"}'
echo '{"jsonrpc":"2.0","method":"exit"}'
