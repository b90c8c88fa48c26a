//===- MemoryLayoutParser.h - Text of layout attributes ---------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_IR_MEMORYLAYOUTPARSER_H
#define FLY_LIB_DIALECT_FLY_IR_MEMORYLAYOUTPARSER_H

#include "fly/Layout/ComposedLayout.h"

namespace fly {

/// The text of a layout, without the identity in front.
std::string printMemoryLayout(const layout::ComposedLayout &layout);
/// Its counterpart.
llvm::Expected<layout::ComposedLayout>
parseMemoryLayout(llvm::StringRef text, size_t *errorOffset = nullptr);

/// A layout, or an operation of the algebra on layouts, evaluated. Where a
/// division does not cover its layout, `warning` gets what is wrong.
llvm::Expected<layout::ComposedLayout>
evaluateMemoryLayout(llvm::StringRef text, size_t &errorOffset,
                     std::string &warning);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_IR_MEMORYLAYOUTPARSER_H
