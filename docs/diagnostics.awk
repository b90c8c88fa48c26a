# Lists the texts of all diagnostics of the libraries, as a page.
# usage: cd SOURCE && awk -f docs/diagnostics.awk FILE...
#
# A diagnostic is a statement with one of the calls below. Its text is the string
# literals of the statement, with `...` for what is put between them.

BEGIN {
  trigger = "(emitOpError|emitError|createStringError|emitRemark)[(]"
  print "<!-- Written by docs/diagnostics.awk. -->"
  print "# All diagnostics"
}

FNR == 1 && NR > 1 { flush_file() }
{ text = text $0 "\n"; name = FILENAME }
END { flush_file(); print "\n" total " texts." }

function flush_file(    rest, offset, line, i) {
  rest = text
  line = 1
  while (match(rest, trigger)) {
    for (i = 1; i < RSTART; ++i)
      if (substr(rest, i, 1) == "\n") ++line
    rest = substr(rest, RSTART + RLENGTH)
    report(message(rest), line)
  }
  text = ""
}

# The literals from the start of `source` to the end of its statement.
function message(source,    i, c, found, gap, any) {
  found = ""; gap = 0; any = 0
  for (i = 1; i <= length(source); ++i) {
    c = substr(source, i, 1)
    if (c == ";" || c == "{" || c == "}") break
    if (c == "\"") {
      if (gap && any) found = found "..."
      else if (gap && gap_text !~ /^[ ()]*$/ && substr(source, 1, i - 1) ~ /<</) found = "..."
      gap = 0; any = 1
      for (++i; i <= length(source); ++i) {
        c = substr(source, i, 1)
        if (c == "\\") { ++i; found = found substr(source, i, 1); continue }
        if (c == "\"") break
        found = found c
      }
      gap_text = ""
      continue
    }
    if (c == "'") { # A character literal, perhaps of a quote.
      i += substr(source, i + 1, 1) == "\\" ? 3 : 2
      gap = 1
      continue
    }
    if (c !~ /[ \t\n<()]/) { gap = 1; gap_text = gap_text c }
  }
  if (gap && any && found !~ /%/) found = found "..."
  return found
}

function report(found, line) {
  # Words only: a statement may hold other literals.
  if (found !~ /[a-z] [a-z]/) return
  gsub(/{[0-9]}/, "...", found)
  gsub(/%[0-9]*(l|ll)?[a-z]/, "...", found)
  gsub(/`/, "'", found)
  gsub(/\.\.\.( ?\.\.\.)+/, "...", found)
  library = name
  sub(/\/[^\/]*$/, "", library)
  if (library != last) { print "\n## " library "\n"; last = library }
  print "- `" found "` (" name ":" line ")"
  ++total
}
