//===- RegisterOperands.cpp - Operands that are in registers --------------===//
//
// Tries packs from 16 bytes down; the layouts themselves say whether elements
// change lanes. An accumulator with `acc = transposed` gives its lanes runs of
// 4 columns, which are packs of 4 where the instruction has the same shape and
// one wave has all columns.
//
//===----------------------------------------------------------------------===//
#include "RegisterOperands.h"

#include "fly/Arch/Wave.h"

#include "../LayoutMoves.h"
#include "../MatrixInstruction.h"
#include "../TileFlow.h"

using namespace mlir;
using namespace fly;

std::optional<int64_t> fly::findRegisterPack(DotOp dot, MmaAttr parent,
                                             Attribute layout,
                                             const arch::ArchInfo &chip,
                                             int64_t threads) {
  auto from = dyn_cast<LayoutAttrInterface>(layout);
  int64_t block = parent.getShape()[0];
  const arch::MfmaRow *row = chooseInstruction(dot, chip, block);
  if (!from || !row)
    return std::nullopt;
  ArrayRef<int64_t> shape = tileType(dot.getA()).getShape();
  LaneMap held = from.getLaneMap(shape);
  for (int64_t pack = getPack(dot, dot.getAMutable(), block); pack > 0;
       pack /= 2) {
    // An instruction takes a part of a pack, or whole packs.
    int64_t perLane = row->aElements;
    if (shape[1] % (pack * arch::waveLanes / block) != 0 ||
        (pack % perLane != 0 && perLane % pack != 0))
      continue;
    auto wanted =
        OperandAttr::get(dot.getContext(), OperandSide::A, parent, pack);
    if (getRegisterMoves(held, wanted.getLaneMap(shape), threads))
      return pack;
  }
  return std::nullopt;
}
