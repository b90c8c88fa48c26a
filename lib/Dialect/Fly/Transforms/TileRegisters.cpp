//===- TileRegisters.cpp - Registers of a lane that a tile takes ----------===//
//
// A tile is a value, so all of it is in registers at once; every element of a
// lane becomes ops of its own. A tile beyond the registers of a wave would cost
// minutes of unrolled code that spills, so it is refused as soon as it is
// known who holds what. Tiles that share the registers are not added up here:
// what is alive together is an estimate (fly-check-legal), this is a fact.
//
//===----------------------------------------------------------------------===//
#include "TileRegisters.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include "ScheduleBudget.h"

using namespace mlir;
using namespace fly;

static constexpr int64_t kRegisterBits = 32;

namespace {
/// How many elements share a register, or how many registers an element takes.
struct Packing {
  int64_t perRegister = 1, perElement = 1;
};
} // namespace

/// As dense as elements can lie.
static Packing getDensest(RankedTensorType type) {
  // Masks are made of and become elements of at least a byte.
  int64_t bits = std::max<int64_t>(type.getElementTypeBitWidth(), 8);
  return {std::max<int64_t>(1, kRegisterBits / bits),
          int64_t(llvm::divideCeil(bits, kRegisterBits))};
}

/// As elements lie while they are computed on. [LLVM22] Matrix instructions and
/// packed 16-bit instructions take several of a register; all other narrow
/// elements are widened, one to a register.
static Packing getPacking(RankedTensorType type, Attribute layout) {
  Packing packing = getDensest(type);
  Type element = type.getElementType();
  if (!isa<OperandAttr>(layout) && !element.isF16() && !element.isInteger(16))
    packing.perRegister = 1;
  return packing;
}

/// As many elements as 62 bits count, at most.
static int64_t countElements(ArrayRef<int64_t> extents) {
  constexpr int64_t most = int64_t(1) << 62;
  int64_t count = 1;
  for (int64_t extent : extents)
    if (llvm::MulOverflow(count, extent, count) || count > most)
      return most;
  return count;
}

static LogicalResult checkRegisters(Location loc, RankedTensorType type,
                                    int64_t laneElements, Packing packing,
                                    bool isLeast, const arch::ArchInfo &chip,
                                    const Schedule &schedule) {
  // Above this there is no need to count exactly, nor the bits to do it.
  constexpr int64_t most = int64_t(1) << 40;
  int64_t registers =
      llvm::divideCeil(std::min(laneElements, most), packing.perRegister) *
      packing.perElement;
  int64_t waves = schedule.threads() / arch::waveLanes;
  unsigned wavesPerSimd = std::max<unsigned>(
      schedule.wavesPerEu, llvm::divideCeil(waves, *chip.simdsPerCu));
  unsigned limit = registerLimit(chip, wavesPerSimd);
  if (registers <= limit)
    return success();
  InFlightDiagnostic diag =
      emitError(loc) << "tile " << type << " takes "
                     << (isLeast || laneElements > most ? "at least " : "")
                     << registers << " vector registers a lane with "
                     << schedule.threads() << " threads, limit is " << limit
                     << " on " << chip.name << " with " << wavesPerSimd
                     << " wave" << (wavesPerSimd == 1 ? "" : "s") << " a SIMD";
  // The whole would fit, but some threads hold what others could.
  auto shape = llvm::map_to_vector(type.getShape(), [](int64_t extent) {
    return std::to_string(llvm::PowerOf2Ceil(extent));
  });
  bool isEven = llvm::all_of(type.getShape(), [](int64_t extent) {
    return llvm::isPowerOf2_64(extent);
  });
  if (!isLeast && !isEven &&
      countElements(type.getShape()) / schedule.threads() <=
          limit / packing.perElement * packing.perRegister / 2) {
    diag.attachNote() << "fix: extents that threads share are powers of two; "
                         "choose "
                      << llvm::join(shape, "x") << ", or a smaller tile";
    return diag;
  }
  diag.attachNote() << "fix: a tile of at most "
                    << limit / packing.perElement * packing.perRegister *
                           schedule.threads()
                    << " elements, whose extents the threads can share";
  return diag;
}

LogicalResult fly::checkTileFits(Location loc, RankedTensorType type,
                                 const arch::ArchInfo &chip,
                                 const Schedule &schedule) {
  int64_t elements = countElements(type.getShape());
  return checkRegisters(loc, type,
                        llvm::divideCeil(elements, schedule.threads()),
                        getDensest(type), /*isLeast=*/true, chip, schedule);
}

LogicalResult fly::checkTileFits(Location loc, RankedTensorType type,
                                 Attribute layout, const arch::ArchInfo &chip,
                                 const Schedule &schedule) {
  LaneMap map = cast<LayoutAttrInterface>(layout).getLaneMap(type.getShape());
  return checkRegisters(loc, type, countElements(map.registers),
                        getPacking(type, layout), /*isLeast=*/false, chip,
                        schedule);
}
