//===- Dots.cpp - Matrix instructions and accumulators of dots -----------===//
//
// The shape of the matrix instruction and the order of the accumulator, from
// the dot's entry, the entries of the loops around it, or by rule. Refused:
// operand types that the chip's matrix unit does not take, and tiles whose k
// the lanes cannot cover in packs of 16 bytes.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/MfmaTable.h"
#include "fly/Dialect/Fly/IR/MatrixTypes.h"

#include "../MatrixInstruction.h"
#include "../TileFlow.h"
#include "Resolver.h"

using namespace mlir;
using namespace fly;

plan::DotTile DotPlan::tile() const {
  ProductOpInterface product = op;
  plan::DotTile tile;
  tile.m = m;
  tile.n = n;
  tile.k = k;
  tile.mfma = policy.mfma;
  tile.a.bits = bits.first;
  tile.b.bits = bits.second;
  tile.pack = std::max(getPack(product, product.getLhs(), tile.mfma),
                       getPack(product, product.getRhs(), tile.mfma));
  tile.isScaled = isa<DotScaledOp>(product);
  return tile;
}

/// The rows and columns that instructions for these types have on the chip.
static SmallVector<unsigned> getLegalSides(const arch::ArchInfo &chip,
                                           const MatrixTypes &types) {
  SmallVector<unsigned> sides;
  for (const arch::MfmaRow &row : arch::mfmaTable())
    if (row.blocks == 1 && row.availableOn(chip.chip) &&
        (!types.isScaled || row.scaled) && !llvm::is_contained(sides, row.m) &&
        llvm::is_contained(
            arch::legalMfmaK(chip.chip, row.m, row.n, types.a, types.b), row.k))
      sides.push_back(row.m);
  return sides;
}

/// The chips that multiply these types.
static std::string getChipsFor(const MatrixTypes &types) {
  std::string names;
  for (const arch::ArchInfo *chip : arch::allChips())
    if (chip->canCompile && !getLegalSides(*chip, types).empty())
      names += (names.empty() ? "" : " or ") + std::string(chip->name);
  return names;
}

LogicalResult ScheduleResolver::checkMatrixType(DotPlan &dot) {
  ProductOpInterface op = dot.op;
  for (OpOperand *operand : {&op.getLhs(), &op.getRhs()}) {
    Type element = getTileType(operand->get()).getElementType();
    std::optional<arch::Fp8Flavour> flavour = getFp8Flavour(element);
    if (flavour && chip.fp8 && *flavour != *chip.fp8 && !isa<DotScaledOp>(op))
      return op->emitOpError()
             << "has operands of " << element << ", but the matrix unit of "
             << chip.name << " takes "
             << arch::mlirTypeName(*getMatrixType(element), *chip.fp8);
    if (!getMatrixType(element))
      return op->emitOpError() << "has operands of " << element
                               << ", which no matrix instruction takes";
  }
  MatrixTypes types = *getMatrixTypes(op);
  SmallVector<unsigned> sides = getLegalSides(chip, types);
  auto dotOp = dyn_cast<DotOp>(op.getOperation());
  if (sides.empty()) {
    InFlightDiagnostic diag = op->emitOpError();
    if (types.isScaled)
      return diag << "multiplies with a scale for each block of K, which "
                  << chip.name << " does not have: needs "
                  << getChipsFor(types);
    return diag << "has operands of " << arch::elementTypeName(types.a)
                << ", which the matrix unit of " << chip.name
                << " does not take: needs " << getChipsFor(types)
                << (dotOp && dotOp.getXf32() ? ", or f32 without 'xf32'" : "");
  }
  unsigned side = dot.policy.mfma;
  if (llvm::is_contained(sides, side)) {
    // Whether K is a multiple of the instruction's is checked with the rows.
    dot.elementA = types.a;
    dot.elementB = types.b;
    if (holds(plan::checkInstruction(chip, dot.tile(), types.a, types.b)))
      dot.instruction =
          plan::findInstruction(chip, dot.tile(), types.a, types.b);
    return success();
  }
  InFlightDiagnostic diag = op->emitOpError();
  diag << "asks for mfma " << side << "x" << side << ", which " << chip.name
       << " does not have for "
       << getTileType(op.getLhs().get()).getElementType() << "; it has ";
  llvm::interleaveComma(sides, diag,
                        [&](unsigned each) { diag << each << "x" << each; });
  return diag;
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
    if (!request.fromAcc)
      request.fromAcc = more->fromAcc;
    return success();
  };
  if (failed(merge(dot.op.getOperation(), dot.label)))
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
    SmallVector<Operation *> stores = findStores(dot.op->getResult(0));
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
  dot.policy.fromAcc = request.fromAcc;
  return checkMatrixType(dot);
}

LogicalResult ScheduleResolver::collectDots() {
  for (const auto &[label, group] : labelled.getGroups()) {
    if (group.kind != LabelledOps::Kind::Dot)
      continue;
    for (Operation *op : group.ops) {
      DotPlan dot;
      dot.op = cast<ProductOpInterface>(op);
      dot.label = label;
      RankedTensorType a = getTileType(dot.op.getLhs().get());
      RankedTensorType b = getTileType(dot.op.getRhs().get());
      dot.m = a.getDimSize(0);
      dot.k = a.getDimSize(1);
      dot.n = b.getDimSize(0);
      dot.bits = {a.getElementTypeBitWidth(), b.getElementTypeBitWidth()};
      dot.a = findLoad(dot.op.getLhs().get());
      dot.b = findLoad(dot.op.getRhs().get());
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
    if (group.kind == LabelledOps::Kind::Loop) {
      loopWishes.push_back({op, request->hotLoop, request->unroll});
    } else if (request->hotLoop || request->unroll) {
      return emitError() << "'hot_loop' and 'unroll' are keys of loops, this "
                            "is a dot";
    }
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
  ProductOpInterface op = dot.op;
  unsigned side = dot.policy.mfma;
  MatrixTypes types = *getMatrixTypes(op);
  if (types.isScaled) {
    if (dot.instruction)
      return success();
    InFlightDiagnostic diag = op->emitOpError()
                              << "has a tile_k of " << dot.k
                              << ", which is not a multiple of the K of a "
                                 "scaled instruction of "
                              << side << "x" << side << ": ";
    for (const arch::MfmaRow &row : arch::mfmaTable())
      if (row.scaled && row.m == side && row.availableOn(chip.chip))
        diag << row.k;
    return diag;
  }
  int64_t bytes = dot.bits.first / 8, rowBytes = dot.k * bytes;
  Type element = getTileType(op.getLhs().get()).getElementType();
  bool hasRows = holds(plan::checkRows(dot.tile()));
  bool hasPacks = holds(plan::checkPacks(dot.tile()));
  if (!hasRows)
    return op->emitOpError()
           << "has rows of " << dot.k << " * " << bytes << " = " << rowBytes
           << " bytes along k, which are not a multiple of "
           << plan::rowBlockBytes << ": use a tile_k that is a multiple of "
           << plan::rowBlockBytes / bytes << " for " << element;
  if (!hasPacks)
    return op->emitOpError()
           << "has a tile_k of " << dot.k << ", which is not a multiple of "
           << dot.tile().microStep()
           << ", the elements that 64 lanes with 16 bytes each cover "
           << "for mfma " << side << "x" << side << " of " << element;
  return success();
}
