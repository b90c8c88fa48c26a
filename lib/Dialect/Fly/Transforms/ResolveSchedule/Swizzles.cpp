//===- Swizzles.cpp - How tiles lie in LDS --------------------------------===//
//
// Which kind of order a buffer gets: an XOR of the chunks of its rows, rows
// farther apart, or neither. Left to us, both are evaluated by the chip's bank
// model on the addresses of the lanes that read the tile for its dots, and
// weighed: cycles first, then address registers, then bytes. fly-swizzle-lds
// chooses among the orders of the kind when all accesses are known.
//
// Refused: an XOR of rows that are no power of two of chunks, rows farther
// apart where copies fill the buffer, which leave no gaps.
//
//===----------------------------------------------------------------------===//
#include "llvm/Support/FormatVariadic.h"

#include "../LayoutMoves.h"
#include "../LdsFieldOrders.h"
#include "Resolver.h"

using namespace mlir;
using namespace fly;

using Swizzle = OperandPolicy::Swizzle;

static ViewType getLinearField(const LoadPlan &load) {
  RankedTensorType tile = load.ldsTile();
  return ViewType::get(tile.getShape(), tile.getElementType(), /*inLds=*/true);
}

/// How the dots read the tiles of a load.
SmallVector<LdsTileAccess>
ScheduleResolver::getReads(const LoadPlan &load) const {
  SmallVector<LdsTileAccess> reads;
  for (const DotPlan &dot : dots) {
    ProductOpInterface product = dot.op;
    for (auto [op, side] :
         {std::pair(dot.a, OperandSide::A), {dot.b, OperandSide::B}}) {
      if (!llvm::is_contained(load.ops, op))
        continue;
      OpOperand &operand =
          side == OperandSide::A ? product.getLhs() : product.getRhs();
      RankedTensorType tile = getTileType(op->getResult(0));
      // Packed elements are read as bytes, in packs of another number.
      if (tile.getElementType() != getTileType(operand.get()).getElementType())
        continue;
      auto parent = MmaAttr::get(context, {dot.policy.mfma, dot.policy.mfma},
                                 waves, dot.policy.transposed);
      Attribute layout = OperandAttr::get(
          context, side, parent, getPack(product, operand, dot.policy.mfma));
      if (load.policy.readsTransposed)
        layout = getTransposed(layout);
      LdsTileAccess read = {load.ldsTile(op).cloneWithEncoding(layout),
                            arch::LdsDirection::Read};
      if (!llvm::is_contained(reads, read))
        reads.push_back(read);
    }
  }
  return reads;
}

LogicalResult ScheduleResolver::resolveSwizzle(LoadPlan &load) {
  Operation *op = load.ops.front();
  ViewType linear = getLinearField(load);
  int64_t rowBytes = linear.getShape().back() *
                     linear.getElementType().getIntOrFloatBitWidth() / 8;
  plan::Rule rule = plan::checkXor(load.label.getValue(), rowBytes);
  load.policy.swizzle = load.request.swizzle.value_or(Swizzle::None);
  if (load.policy.swizzle == Swizzle::Xor && !holds(rule)) {
    InFlightDiagnostic diag =
        op->emitOpError() << "cannot be swizzled by xor: a row of " << rowBytes
                          << " bytes is " << rowBytes / kAccessBytes
                          << " chunks of 16 bytes, no power of two";
    diag.attachNote() << "fix: swizzle = pad or none, or a tile of a power of "
                         "two in k";
    return diag;
  }
  if (load.policy.swizzle == Swizzle::Pad && load.policy.isAsync) {
    InFlightDiagnostic diag =
        op->emitOpError() << "cannot be padded: copies past the registers fill "
                             "LDS without gaps";
    diag.attachNote() << "fix: swizzle = " << (rule.holds ? "xor" : "none")
                      << ", or copy = sync";
    return diag;
  }
  bool isChosen = load.request.swizzle.has_value();
  if (linear.getRank() != 2 ||
      linear.getElementType().getIntOrFloatBitWidth() % 8 != 0 ||
      (isChosen && load.policy.swizzle != Swizzle::Pad))
    return success();

  // A tile that LDS does not hold is refused for that, however it may lie; its
  // accesses would be too many to look at.
  bool fits = *linear.getSizeInBytes() <= int64_t(*chip.lds.bytes);
  SmallVector<LdsTileAccess> reads;
  if (fits)
    reads = getReads(load);
  if (reads.empty()) {
    if (!isChosen)
      load.policy.swizzle = rule.holds ? Swizzle::Xor : Swizzle::None;
    return success();
  }
  FieldOrder plain = getOrder(chip, linear, reads);
  FieldOrder padded = findPadding(chip, linear, reads);
  int64_t padding =
      padded.field ? *padded.field.getSizeInBytes() - *linear.getSizeInBytes()
                   : 0;
  if (isChosen) {
    load.padBytes = padding;
    return success();
  }
  FieldOrder best = plain;
  FieldOrder permuted = findXor(chip, linear, reads);
  auto consider = [&](const FieldOrder &order, Swizzle kind) {
    if (!order.field || order.rank() >= best.rank())
      return;
    best = order;
    load.policy.swizzle = kind;
  };
  consider(permuted, Swizzle::Xor);
  // Of rows that take an XOR as well, one that meets no bank twice: bytes are
  // dearer than the registers that it may save.
  if (!load.policy.isAsync)
    consider(padded, Swizzle::Pad);
  load.padBytes = load.policy.swizzle == Swizzle::Pad ? padding : 0;
  auto describe = [](const FieldOrder &order) {
    return llvm::formatv("{0} cycles (degree {1}, {2} address register{3})",
                         order.cost.cycles, order.cost.degree, order.cost.bases,
                         order.cost.bases == 1 ? "" : "s")
        .str();
  };
  static constexpr llvm::StringLiteral names[] = {"none", "xor", "pad"};
  std::string text =
      ("swizzle = " + names[unsigned(load.policy.swizzle)] +
       ": a wave reads the tile in " + describe(plain) + " as it is")
          .str();
  if (permuted.field)
    text += ", " + describe(permuted) + " by xor";
  else
    text += ", no xor in rows of " + std::to_string(rowBytes) + " bytes";
  if (load.policy.isAsync)
    text += ", no padding under a copy";
  else if (padded.field)
    text += ", " + describe(padded) + " in " + padded.describe();
  passed(op, "Swizzle", text);
  return success();
}

void ScheduleResolver::dropPadding(LoadPlan &load) {
  if (load.request.swizzle || load.policy.swizzle != Swizzle::Pad)
    return;
  load.padBytes = 0;
  load.policy.swizzle =
      findXor(chip, getLinearField(load), getReads(load)).field ? Swizzle::Xor
                                                                : Swizzle::None;
  passed(load.ops.front(), "Swizzle",
         "swizzle = " +
             Twine(load.policy.swizzle == Swizzle::Xor ? "xor" : "none") +
             ": padded rows would not fit in LDS");
}
