#!/usr/bin/env bash
# Writes what an editor says to a language server, for fly-lsp-server --lit-test:
# opens FILE, then asks, then ends. `hover TEXT` asks at the first occurrence of
# TEXT (one character in), `complete TEXT` behind it.
# usage: session.sh FILE (hover|complete TEXT)...
set -euo pipefail
file=$1
shift

escape() { sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/\t/\\t/g' "$1" | awk '{ printf "%s\\n", $0 }'; }

message() { printf '%s\n// -----\n' "$1"; }

# The line and character, from 0, of a text that does not span lines.
position() { # TEXT START|END
  WANTED=$1 awk -v behind="$2" '
    (at = index($0, ENVIRON["WANTED"])) {
      print NR - 1, behind == "END" ? at - 1 + length(ENVIRON["WANTED"]) : at
      found = 1
      exit
    }
    END { exit !found }' "$file" || { echo "no '$1' in $file" >&2; exit 1; }
}

message '{"jsonrpc":"2.0","id":"initialize","method":"initialize","params":{"processId":1,"rootPath":"","capabilities":{},"trace":"off"}}'
message '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"test:///k.mlir","languageId":"mlir","version":1,"text":"'"$(escape "$file")"'"}}}'
while [ $# -gt 0 ]; do
  case $1 in
  hover) method=hover where=START ;;
  complete) method=completion where=END ;;
  esac
  read -r line character < <(position "$2" $where)
  id=$(printf '%s %s' "$1" "$2" | sed 's/"/~/g')
  message '{"jsonrpc":"2.0","id":"'"$id"'","method":"textDocument/'$method'","params":{"textDocument":{"uri":"test:///k.mlir"},"position":{"line":'"$line"',"character":'"$character"'},"context":{"triggerKind":1}}}'
  shift 2
done
message '{"jsonrpc":"2.0","id":"shutdown","method":"shutdown"}'
echo '{"jsonrpc":"2.0","method":"exit"}'
