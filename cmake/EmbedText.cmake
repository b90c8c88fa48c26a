# Writes text files as string constants of C++, so that a library carries them.
# usage: cmake -DOUTPUT=x.inc "-DTEXTS=name=a.js,b.js|name2=c.css" -P EmbedText.cmake
# Several files of one name follow each other.
string(REPLACE "|" ";" constants "${TEXTS}")
set(content "// Made of text files by cmake/EmbedText.cmake.\n")
foreach(constant ${constants})
  string(REGEX MATCH "^([A-Za-z]+)=(.*)$" matched "${constant}")
  set(name ${CMAKE_MATCH_1})
  string(REPLACE "," ";" files "${CMAKE_MATCH_2}")
  string(APPEND content "\nstatic constexpr llvm::StringLiteral ${name}(\n")
  foreach(file ${files})
    file(READ ${file} text)
    string(APPEND content "R\"~~~(${text})~~~\"\n")
  endforeach()
  string(APPEND content ");\n")
endforeach()
file(WRITE ${OUTPUT} "${content}")
