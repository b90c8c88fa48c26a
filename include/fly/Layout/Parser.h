//===- Parser.h - Reads the text forms of layouts ---------------*- C++ -*-===//
//
// What `str()` writes, these functions read:
//
//   integer    128   -1   ?M   4*?M*?N   ceil(?M/128)
//   tuple      ((2,3),3)
//   layout     ((2,3),3):((57,69),19)
//   tiler      8:1   16   <4:1,(2,3):(1,2),_>
//   swizzle    S<3,4,3>
//   composed   S<3,4,3> o 0 o (8,64):(64,1)
//
// Spaces may stand between all of these. An unknown value needs a name: two of
// the same name are equal, two of different names are not known to be.
//
// Errors read "column 7: expected ',' or ')', got ':'", counted from 1; for
// callers that have the text within another one, the offset is given apart.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LAYOUT_PARSER_H
#define FLY_LAYOUT_PARSER_H

#include "fly/Layout/ComposedLayout.h"

namespace fly::layout {

/// Each reads all of `text`. On an error, `errorOffset`, if given, gets the
/// number of characters before the place.
llvm::Expected<IntTuple> parseIntTuple(llvm::StringRef text,
                                       size_t *errorOffset = nullptr);
llvm::Expected<Layout> parseLayout(llvm::StringRef text,
                                   size_t *errorOffset = nullptr);
llvm::Expected<Tiler> parseTiler(llvm::StringRef text,
                                 size_t *errorOffset = nullptr);
llvm::Expected<Swizzle> parseSwizzle(llvm::StringRef text,
                                     size_t *errorOffset = nullptr);
llvm::Expected<ComposedLayout>
parseComposedLayout(llvm::StringRef text, size_t *errorOffset = nullptr);

} // namespace fly::layout

#endif // FLY_LAYOUT_PARSER_H
