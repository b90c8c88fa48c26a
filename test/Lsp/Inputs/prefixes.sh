#!/usr/bin/env bash
# A session in which somebody types FILE, STEP characters at a time, and asks for
# completion and hover at the end of what stands there. usage: prefixes.sh FILE STEP
set -euo pipefail
message() { printf '%s\n// -----\n' "$1"; }
message '{"jsonrpc":"2.0","id":"initialize","method":"initialize","params":{"processId":1,"rootPath":"","capabilities":{},"trace":"off"}}'
message '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"test:///k.mlir","languageId":"mlir","version":0,"text":""}}}'
awk -v step="$2" '
  { text = text $0 "\n" }
  END {
    for (n = step; n <= length(text); n += step) {
      prefix = substr(text, 1, n)
      lines = gsub(/\n/, "\n", prefix)
      last = prefix
      sub(/.*\n/, "", last)
      gsub(/\\/, "\\\\", prefix)
      gsub(/"/, "\\\"", prefix)
      gsub(/\n/, "\\n", prefix)
      place = "\"textDocument\":{\"uri\":\"test:///k.mlir\"},\"position\":{\"line\":" lines ",\"character\":" length(last) "}"
      printf "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{\"uri\":\"test:///k.mlir\",\"version\":%d},\"contentChanges\":[{\"text\":\"%s\"}]}}\n// -----\n", n, prefix
      printf "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"textDocument/completion\",\"params\":{%s,\"context\":{\"triggerKind\":1}}}\n// -----\n", 2 * n, place
      printf "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"textDocument/hover\",\"params\":{%s}}\n// -----\n", 2 * n + 1, place
    }
  }' "$1"
message '{"jsonrpc":"2.0","id":"shutdown","method":"shutdown"}'
echo '{"jsonrpc":"2.0","method":"exit"}'
