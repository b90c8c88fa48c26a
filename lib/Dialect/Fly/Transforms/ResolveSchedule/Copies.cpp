//===- Copies.cpp - Which loads go to LDS past the registers --------------===//
//
// A copy takes whole vectors from plain rows of memory and writes zeros for
// what is outside; the rest takes the way through registers. What the load's op
// or its place in memory rules out is a remark that says why, with the
// requirement that would prove what is missing. What the schedule itself gets
// wrong, the size of the tile against the threads or the number of buffers, is
// an error.
//
// Where nobody says which way, the counts decide: a copy is as wide as a load
// or it is not taken, since then it stands for a load and a write, and needs no
// registers; and it has the time of an iteration to arrive, which takes two
// buffers. With two it is issued behind the barrier and waited for in front of
// the next one, while loads to registers may be issued before; so the matrix
// instructions in between must take as long as memory does.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"

#include "llvm/Support/FormatVariadic.h"

#include "../TileAccess.h"
#include "Resolver.h"

using namespace mlir;
using namespace fly;

/// Whether vectors of `elements` along the rows are inside or outside as a
/// whole; `missing` gets what would prove it.
static bool isWhole(const TileAccess &access, unsigned dim, uint64_t elements,
                    IntegerFacts &facts, std::string &missing) {
  OpFoldResult extent = ViewOp(access.view).getMixedExtents()[dim];
  OpFoldResult coordinate = access.coordinates[dim];
  if (facts.isInside(access.op, coordinate, access.tileExtent(dim), extent) ==
      IntegerFacts::Inside::Proved)
    return true;
  if (facts.divisor(coordinate) % elements != 0) {
    missing = "the tile's first column is no known multiple of " +
              std::to_string(elements);
    return false;
  }
  if (facts.divisor(extent) % elements == 0)
    return true;
  missing = "the last vector of a row may be partly outside";
  if (!getNumber(extent))
    missing += "; 'fly.require_multiple " + describeValue(extent) + " of " +
               std::to_string(elements) + "' would exclude it";
  return false;
}

/// Why `op` must go through registers; empty where it need not. A tile that is
/// read transposed keeps the rows of memory, whichever dimension they are.
static std::string explainSync(Operation *op, int64_t width,
                               bool readsTransposed, IntegerFacts &facts) {
  auto load = dyn_cast<LoadOp>(op);
  if (!load)
    return "rows by number have addresses that differ between lanes of a copy";
  if (load.getMask())
    return "a mask chooses elements, a copy takes whole vectors";
  if (load.getPad() != Pad::Zero)
    return ("outside elements shall be " + stringifyPad(load.getPad()) +
            ", a copy makes them zero")
        .str();
  auto view = load.getView().getDefiningOp<ViewOp>();
  if (!view)
    return "its view is not made in this kernel";
  ViewType type = view.getType();
  if (type.getLayout() && !isa<StridedAttr>(type.getLayout()))
    return "its view lies in blocks, not in rows";
  unsigned last = type.getRank() - (readsTransposed ? 2 : 1);
  if (type.getContiguousDim() != last)
    return "rows of its tile are not contiguous in memory, and a copy writes "
           "what it reads in order";
  TileAccess access{load, view, load.getMixedCoordinates(),
                    getTileType(load.getTile()), load.getLabelAttr()};
  int64_t bits = access.tile.getElementTypeBitWidth();
  std::string missing;
  if (!load.isInBounds(last) &&
      !isWhole(access, last, width * 8 / bits, facts, missing))
    return missing;
  RowAlignment rows = getRowAlignment(access, facts);
  uint64_t align =
      std::max(rows.elements, uint64_t(load.getAlign().value_or(1))) * bits / 8;
  if (align % arch::wideAccessAlign == 0)
    return "";
  return llvm::formatv(
      "a copy needs rows that start at multiples of {0} bytes: "
      "{1}",
      arch::wideAccessAlign, rows.shortfall);
}

int64_t ScheduleResolver::getGap(Operation *load) {
  auto pipeline = cast<PipelineOp>(load->getParentOp());
  SmallVector<int64_t, 3> distances = pipeline.getDistances();
  unsigned stage = pipeline.getStageOf(load->getParentRegion());
  return distances[stage] - distances[stage + 1];
}

std::optional<int64_t> ScheduleResolver::getMatrixCycles(Operation *load) {
  int64_t cycles = 0;
  for (const DotPlan &dot : dots) {
    // Those of loops in the loop, too, of which nobody knows how many rounds.
    if (!load->getParentOp()->isProperAncestor(dot.op))
      continue;
    std::optional<unsigned> each =
        dot.instruction ? arch::matrixCycles(chip, *dot.instruction,
                                             dot.elementA, dot.elementB)
                        : std::nullopt;
    if (!each)
      return std::nullopt;
    cycles += getTile(dot).mfmasPerTile(*dot.instruction) * *each;
  }
  return cycles * llvm::divideCeil(waves[0] * waves[1], *chip.simdsPerCu);
}

/// Why a copy into one of two buffers would come late; empty where it would
/// not.
std::string ScheduleResolver::explainLateCopy(Operation *load) {
  std::optional<int64_t> cycles = getMatrixCycles(load);
  if (!cycles || *cycles >= *chip.latency.hbm)
    return "";
  std::string has =
      *cycles ? llvm::formatv("whose matrix instructions take {0} cycles of "
                              "the {1} that memory may take",
                              *cycles, *chip.latency.hbm)
                    .str()
              : "which has no matrix instructions";
  return "with two buffers a copy has one iteration to arrive, " + has +
         "; three buffers would give it two";
}

/// Why a copy past the registers would not be better; empty where it would.
std::string ScheduleResolver::explainChosenSync(const LoadPlan &load) {
  if (load.policy.swizzle == OperandPolicy::Swizzle::Pad)
    return "copies would leave no gaps between rows";
  IntegerFacts facts(kernel);
  for (Operation *each : load.ops) {
    RankedTensorType tile = load.ldsTile(each);
    Type element = tile.getElementType();
    if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
      return "its elements are no whole bytes";
    int64_t bits = element.getIntOrFloatBitWidth();
    int64_t rowBytes = tile.getShape().back() * bits / 8;
    std::optional<int64_t> width = plan::findDirectCopy(
        chip, bits, rowBytes, tile.getNumElements() * bits / 8, threads());
    if (width != kAccessBytes)
      return (width ? "a copy past the registers takes " +
                          std::to_string(*width) + " bytes a lane, a load " +
                          std::to_string(kAccessBytes)
                    : "threads cannot copy it in whole rounds");
    std::string why =
        explainSync(each, *width, load.policy.readsTransposed, facts);
    if (!why.empty())
      return why;
    int64_t gap = getGap(each), stages = load.request.stages.value_or(2);
    if (stages <= gap)
      return llvm::formatv("it is under way for {0} iteration{1}, for which a "
                           "copy takes {2} buffers, not {3}",
                           gap, gap == 1 ? "" : "s", gap + 1, stages);
    if (gap == 1 && stages == 2)
      if (std::string late = explainLateCopy(each); !late.empty())
        return late;
  }
  return "";
}

void ScheduleResolver::chooseCopy(LoadPlan &load, bool hasBuffers) {
  std::string why = explainChosenSync(load);
  if (why.empty() && !hasBuffers)
    why = "LDS holds one buffer, so it would begin when the last tile has been "
          "read";
  load.policy.isAsync = why.empty();
  Operation *op = load.ops.front();
  if (!why.empty())
    return passed(op, "Copy", "copy = sync: " + why);
  RankedTensorType tile = load.ldsTile();
  int64_t bits = tile.getElementTypeBitWidth();
  holds(plan::checkDirectCopy(chip, load.label.getValue(), bits,
                              tile.getShape().back() * bits / 8,
                              load.tileBytes(), threads()));
  int64_t rounds = load.tileBytes() / (threads() * kAccessBytes);
  passed(op, "Copy",
         llvm::formatv("copy = async: {0} cop{1} of {2} bytes a lane for {0} "
                       "load{3} and {0} LDS write{3}, {4} registers less",
                       rounds, rounds == 1 ? "y" : "ies", kAccessBytes,
                       rounds == 1 ? "" : "s", rounds * kAccessBytes / 4)
             .str());
}

LogicalResult ScheduleResolver::resolveCopy(LoadPlan &load) {
  load.policy.isAsync = load.request.isAsync.value_or(false);
  if (!load.policy.isAsync)
    return success();
  IntegerFacts facts(kernel);
  for (Operation *each : load.ops) {
    RankedTensorType tile = load.ldsTile(each);
    Type element = tile.getElementType();
    if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
      return each->emitOpError()
             << "cannot be copied to LDS past the registers: "
                "elements of "
             << element << " are no whole bytes";
    int64_t bits = element.getIntOrFloatBitWidth();
    int64_t rowBytes = tile.getShape().back() * bits / 8;
    int64_t bytes = tile.getNumElements() * bits / 8;
    plan::Rule rule = plan::checkDirectCopy(chip, load.label.getValue(), bits,
                                            rowBytes, bytes, threads());
    std::optional<int64_t> width =
        plan::findDirectCopy(chip, bits, rowBytes, bytes, threads());
    if (!holds(rule)) {
      InFlightDiagnostic diag =
          each->emitOpError()
          << "cannot be copied to LDS past the registers: " << rule.text;
      diag.attachNote() << "fix: copy = sync, whose last round is guarded, a "
                           "larger tile, or fewer waves";
      return diag;
    }
    std::string why =
        explainSync(each, *width, load.policy.readsTransposed, facts);
    if (!why.empty()) {
      missed(each, "CopySync", "copy = sync: " + why);
      load.policy.isAsync = false;
      return success();
    }
    passed(each, "CopyAsync",
           llvm::formatv("copy = async: {0} copies of {1} bytes a lane",
                         bytes / (threads() * *width), *width)
               .str());
  }
  // Copies enter their slot when they are issued: one more than there are tiles
  // under way, or the only one after its tile has been read.
  int64_t stages = load.request.stages.value_or(0);
  for (Operation *each : load.ops) {
    int64_t gap = getGap(each);
    if (stages != 0 && stages <= gap && (stages != 1 || gap != 1))
      return each->emitOpError()
             << "is under way for " << gap
             << " iterations, so copies past the registers need " << gap + 1
             << " stages, got " << stages;
  }
  return success();
}
