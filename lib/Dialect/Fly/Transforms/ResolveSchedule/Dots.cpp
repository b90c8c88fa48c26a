//===- Dots.cpp - Matrix instructions and accumulators of dots -----------===//
//
// The shape of the matrix instruction and the order of the accumulator, from
// the dot's entry, the entries of the loops around it, or by rule. Refused:
// operand types that the chip's matrix unit does not take, and tiles whose k
// the lanes cannot cover in packs of 16 bytes.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/MfmaTable.h"

#include "../TileFlow.h"
#include "Resolver.h"

using namespace mlir;
using namespace fly;

/// The operand type in the matrix table; none where it has no row.
static std::optional<arch::ElementType> getMatrixType(Type type) {
  if (type.isF32())
    return arch::ElementType::F32;
  if (type.isF16())
    return arch::ElementType::F16;
  if (type.isBF16())
    return arch::ElementType::Bf16;
  if (type.isInteger(8))
    return arch::ElementType::I8;
  if (isa<Float8E4M3FNType, Float8E4M3FNUZType>(type))
    return arch::ElementType::Fp8;
  if (isa<Float8E5M2Type, Float8E5M2FNUZType>(type))
    return arch::ElementType::Bf8;
  return std::nullopt;
}

/// The type of the same format in the other flavour of 8-bit floats, or null.
static StringRef getFlavourFix(Type type, arch::Fp8Flavour flavour) {
  bool ocp = flavour == arch::Fp8Flavour::Ocp;
  if (isa<Float8E4M3FNType>(type) && !ocp)
    return "f8E4M3FNUZ";
  if (isa<Float8E5M2Type>(type) && !ocp)
    return "f8E5M2FNUZ";
  if (isa<Float8E4M3FNUZType>(type) && ocp)
    return "f8E4M3FN";
  if (isa<Float8E5M2FNUZType>(type) && ocp)
    return "f8E5M2";
  return {};
}

LogicalResult ScheduleResolver::checkMatrixType(DotPlan &dot) {
  std::optional<arch::ElementType> types[2];
  DotOp op = dot.op;
  const Value operands[] = {op.getA(), op.getB()};
  for (auto [index, operand] : llvm::enumerate(operands)) {
    Type element = getTileType(operand).getElementType();
    types[index] = getMatrixType(element);
    StringRef fix = chip.fp8 ? getFlavourFix(element, *chip.fp8) : StringRef();
    if (!fix.empty())
      return op.emitOpError()
             << "has operands of " << element << ", but the matrix unit of "
             << chip.name << " takes " << fix;
    if (!types[index])
      return op.emitOpError() << "has operands of " << element
                              << ", which no matrix instruction takes";
  }
  unsigned side = dot.policy.mfma;
  if (holds(plan::checkInstruction(chip, dot.tile(), *types[0], *types[1]))) {
    dot.elementA = *types[0];
    dot.elementB = *types[1];
    dot.instruction =
        plan::findInstruction(chip, dot.tile(), *types[0], *types[1]);
    return success();
  }
  return op.emitOpError() << "asks for mfma " << side << "x" << side
                          << ", which " << chip.name << " does not have for "
                          << getTileType(op.getA()).getElementType();
}

/// The request of the dot's own entry, completed by those of the loops around
/// it, the innermost first.
LogicalResult ScheduleResolver::resolveDot(DotPlan &dot) {
  DotRequest request;
  auto merge = [&](Operation *at, StringAttr label) -> LogicalResult {
    auto emitError = [&] {
      return at->emitOpError()
             << "schedule entry '" << label.getValue() << "': ";
    };
    auto more = DotRequest::read(getEntry(label), emitError);
    if (failed(more))
      return failure();
    if (!request.mfma)
      request.mfma = more->mfma;
    if (!request.transposed)
      request.transposed = more->transposed;
    return success();
  };
  if (failed(merge(dot.op, dot.label)))
    return failure();
  for (Operation *parent = dot.op->getParentOp(); parent != kernel;
       parent = parent->getParentOp())
    if (StringAttr label = labelled.label(parent))
      if (failed(merge(parent, label)))
        return failure();

  if (!request.mfma)
    passed(dot.op, "MfmaShape",
           "mfma = 16x16: fits every tile that a 32x32 fits, with fewer "
           "registers a block");
  dot.policy.mfma = request.mfma.value_or(16);
  if (!request.transposed) {
    SmallVector<Operation *> stores = findStores(dot.op.getResult());
    auto store = stores.empty() ? ViewType() : getMovedView(stores.front());
    std::optional<unsigned> contiguous;
    if (store)
      contiguous = store.getContiguousDim();
    unsigned last = store ? store.getRank() - 1 : 0;
    request.transposed = contiguous && *contiguous == last;
    passed(dot.op, "AccumulatorOrder",
           *request.transposed
               ? "acc = transposed: the store is contiguous along columns, so "
                 "a lane holds 4 contiguous columns"
               : "acc = plain: the result is not stored contiguously along "
                 "columns");
  }
  dot.policy.transposed = *request.transposed;
  return checkMatrixType(dot);
}

LogicalResult ScheduleResolver::collectDots() {
  for (const auto &[label, group] : labelled.getGroups()) {
    if (group.kind != LabelledOps::Kind::Dot)
      continue;
    for (Operation *op : group.ops) {
      DotPlan dot;
      dot.op = cast<DotOp>(op);
      dot.label = label;
      RankedTensorType a = getTileType(dot.op.getA());
      dot.m = a.getDimSize(0);
      dot.k = a.getDimSize(1);
      dot.n = getTileType(dot.op.getB()).getDimSize(0);
      dot.elementBytes = a.getElementTypeBitWidth() / 8;
      dot.a = findLoad(dot.op.getA());
      dot.b = findLoad(dot.op.getB());
      LogicalResult resolved = resolveDot(dot);
      dots.push_back(dot);
      if (failed(resolved))
        return failure();
    }
  }
  return checkLoops();
}

/// The entries of loops, with or without dots, and what of all entries is not
/// done.
LogicalResult ScheduleResolver::checkLoops() {
  for (const auto &[label, group] : labelled.getGroups()) {
    if (group.kind != LabelledOps::Kind::Loop &&
        group.kind != LabelledOps::Kind::Dot)
      continue;
    Operation *op = group.ops.front();
    auto emitError = [&, label = label] {
      return op->emitOpError()
             << "schedule entry '" << label.getValue() << "': ";
    };
    auto request = DotRequest::read(getEntry(label), emitError);
    if (failed(request))
      return failure();
    for (StringRef key : request->ignored)
      missed(op, "Ignored",
             key + " of '" + label.getValue() +
                 "': no pass applies this hint yet");
    if (!request->stages)
      continue;
    if (group.kind == LabelledOps::Kind::Dot)
      return emitError() << "'stages' is a key of loops, this is a dot";
    if (!isa<PipelineOp>(op))
      return emitError() << "'stages' is not applied: run fly-form-pipelines "
                            "before this pass";
    return emitError() << "'stages' is for plain loops; the regions of this "
                          "fly.pipeline are its stages";
  }
  return success();
}

LogicalResult ScheduleResolver::checkRows(const DotPlan &dot) {
  DotOp op = dot.op;
  int64_t rowBytes = dot.k * dot.elementBytes;
  Type element = getTileType(op.getA()).getElementType();
  bool hasRows = holds(plan::checkRows(dot.tile()));
  bool hasPacks = holds(plan::checkPacks(dot.tile()));
  if (!hasRows)
    return op.emitOpError()
           << "has rows of " << dot.k << " * " << dot.elementBytes << " = "
           << rowBytes << " bytes along k, which are not a multiple of "
           << plan::rowBlockBytes << ": use a tile_k that is a multiple of "
           << plan::rowBlockBytes / dot.elementBytes << " for " << element;
  if (!hasPacks)
    return op.emitOpError()
           << "has a tile_k of " << dot.k << ", which is not a multiple of "
           << dot.tile().microStep()
           << ", the elements that 64 lanes with 16 bytes "
           << "each cover for mfma " << dot.policy.mfma << "x"
           << dot.policy.mfma << " of " << element;
  return success();
}
