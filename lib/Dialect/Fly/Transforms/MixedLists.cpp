//===- MixedLists.cpp - Lists of values and numbers, taken apart ----------===//
#include "MixedLists.h"

using namespace mlir;

ArrayAttr fly::splitMixed(Builder &builder, ArrayRef<OpFoldResult> mixed,
                          SmallVectorImpl<Value> &values) {
  SmallVector<Attribute> entries;
  for (OpFoldResult entry : mixed) {
    if (auto value = dyn_cast<Value>(entry)) {
      values.push_back(value);
      entries.push_back(builder.getUnitAttr());
    } else {
      entries.push_back(cast<Attribute>(entry));
    }
  }
  return builder.getArrayAttr(entries);
}
