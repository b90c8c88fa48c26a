//===- Schedule.h - What a schedule says, typed -----------------*- C++ -*-===//
//
// `#fly.schedule` is a tree of words; this is what the words mean. A *request*
// is an entry as written, where everything may be absent or `auto`; a *policy*
// is an entry that fly-resolve-schedule made explicit. Passes after it read
// policies through Schedule::get(). Every reader emits one error that names the
// entry, what is wrong with it and what is known.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_DIALECT_FLY_IR_SCHEDULE_H
#define FLY_DIALECT_FLY_IR_SCHEDULE_H

#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <optional>

namespace fly {

/// Starts an error about one entry of a schedule.
using EmitScheduleError = llvm::function_ref<mlir::InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// How the tile of a load reaches the lanes.
struct OperandPolicy {
  /// Order of the LDS buffer's bytes: as they are, chunks of a row permuted, or
  /// rows farther apart.
  enum class Swizzle : uint8_t { None, Xor, Pad };

  /// Through LDS, or straight from global memory to registers.
  bool inLds = false;
  /// Buffers in LDS, from 1. Of LDS tiles.
  unsigned stages = 1;
  Swizzle swizzle = Swizzle::None;
  /// Whether the tile goes to LDS past the registers. Of LDS tiles.
  bool isAsync = false;
  /// Whether the first pack of the next tile is read behind its barrier and
  /// carried round the loop. Of LDS tiles.
  bool carriesFirstPack = false;
  /// Whether rows lie in LDS as memory has them, across K, and lanes read them
  /// by transposing reads. Of LDS tiles.
  bool readsTransposed = false;
  /// Iterations that the load runs ahead, from 1. Of register tiles.
  unsigned depth = 1;
  /// Of its global reads; none is what the op says.
  std::optional<Cache> cache;

  /// `lds(stages = 2, swizzle = xor, copy = sync)` or `regs(depth = 1)`.
  mlir::Attribute toAttr(mlir::MLIRContext *context) const;
};

/// The entry of a load as written.
struct OperandRequest {
  std::optional<bool> inLds;
  std::optional<unsigned> stages;
  std::optional<OperandPolicy::Swizzle> swizzle;
  std::optional<bool> isAsync, carriesFirstPack, readsTransposed;
  std::optional<unsigned> depth;
  std::optional<Cache> cache;

  /// Reads `lds`, `lds(...)`, `regs`, `regs(...)`, the arguments alone in
  /// braces, or `auto`; null is `auto`.
  static mlir::FailureOr<OperandRequest> read(mlir::Attribute entry,
                                              EmitScheduleError emitError);
};

//===----------------------------------------------------------------------===//
// Dots and loops
//===----------------------------------------------------------------------===//

/// How a dot is computed.
struct DotPolicy {
  /// Rows and columns of the matrix instruction, 16 or 32.
  int64_t mfma = 16;
  /// Operands swapped, so that a lane holds contiguous columns of a row.
  bool transposed = false;
  /// Whether the first operand must come out of an accumulator's registers as
  /// they are; none: where it can.
  std::optional<bool> fromAcc = std::nullopt;

  /// `{mfma = 16x16, acc = plain, a = from_acc}`.
  mlir::Attribute toAttr(mlir::MLIRContext *context) const;
};

/// The entry of a dot, or of a loop for the dots in it, as written.
struct DotRequest {
  std::optional<int64_t> mfma;
  std::optional<bool> transposed;
  std::optional<bool> fromAcc;
  /// Of a loop: how many iterations loads and dots run ahead, by label, as
  /// numbers from below 0 to 0; null where nothing is said.
  mlir::DictionaryAttr stages;
  /// Of a loop: `off`, `on`, `guide`, or the author's pattern as an array such
  /// as [mfma(4), dsrd(1)]; null where the compiler decides.
  mlir::Attribute hotLoop;
  /// Of a loop: copies of its body, from 1.
  std::optional<unsigned> unroll;

  /// Reads `{mfma = 32x32, acc = auto}`; null is all `auto`.
  static mlir::FailureOr<DotRequest> read(mlir::Attribute entry,
                                          EmitScheduleError emitError);
};

//===----------------------------------------------------------------------===//
// Stores and the grid
//===----------------------------------------------------------------------===//

/// How a tile is written.
enum class Epilogue : uint8_t {
  Direct,   ///< From where the lanes hold it.
  CShuffle, ///< Row by row: it changes lanes first, where they hold it
            ///< otherwise.
};
llvm::StringRef stringifyEpilogue(Epilogue epilogue);

/// The entry of a store as written.
struct StoreRequest {
  std::optional<Epilogue> epilogue;
  /// Of its global writes; none is what the op says.
  std::optional<Cache> cache;

  /// Reads `{epilogue = cshuffle, cache = stream}`, `cshuffle(cache = stream)`,
  /// `cshuffle` or `auto`; null is `auto`.
  static mlir::FailureOr<StoreRequest> read(mlir::Attribute entry,
                                            EmitScheduleError emitError);
};

/// How consecutive workgroups walk over the grid.
enum class GridOrder : uint8_t {
  NFastest,     ///< Along the last dimension: the tiles of one row.
  MFastest,     ///< Along the first.
  Grouped,      ///< Along a number of tiles of the first, then the others.
  LongestFirst, ///< As NFastest, the first dimension from its end.
};

/// The walk over the grid.
struct GridPolicy {
  GridOrder order = GridOrder::NFastest;
  /// Tiles of the first dimension that are walked together; of Grouped.
  int64_t group = 1;
  /// Whether each accelerator die (XCD) walks over neighbours.
  bool xcd = false;
  /// The dimension whose tiles a die shares least with others; none is that of
  /// the order.
  std::optional<unsigned> by;
  /// The workgroups that take all tiles in turn; none: each has one.
  std::optional<int64_t> workgroups;

  /// `{order = grouped(8), xcd = by(1), persistent = 304}`.
  mlir::Attribute toAttr(mlir::MLIRContext *context) const;
  /// "grouped(8)".
  std::string describeOrder() const;
};

/// The entry of the grid as written.
struct GridRequest {
  std::optional<GridOrder> order;
  int64_t group = 1;
  std::optional<bool> xcd;
  /// A dimension of the grid, its number or its name; or null.
  mlir::Attribute by;
  std::optional<bool> persistent;
  /// Of a persistent grid; none is as many as the device holds.
  std::optional<int64_t> workgroups;

  /// Reads `{order = grouped(8), xcd = by(h), persistent = on}`; null is
  /// `auto`.
  static mlir::FailureOr<GridRequest> read(mlir::Attribute entry,
                                           EmitScheduleError emitError);
};

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// A resolved schedule.
struct Schedule {
  /// Waves of a workgroup in rows and columns of a dot's result.
  llvm::SmallVector<int64_t, 2> waves;
  /// Waves that each SIMD shall hold at least.
  unsigned wavesPerEu = 1;
  /// A form of code generation by name (fly/Support/CodegenForms.h).
  std::string codegen = "auto";
  GridPolicy grid;

  /// Reads the schedule of `kernel`. One error, at the kernel or the op that
  /// lacks an entry, where it is absent, malformed or not resolved.
  static mlir::FailureOr<Schedule> get(mlir::FunctionOpInterface kernel);

  /// Threads of a workgroup.
  int64_t threads() const { return arch::waveLanes * waves[0] * waves[1]; }
  /// The policy of the load of that label, null if there is none.
  const OperandPolicy *operand(llvm::StringRef label) const;
  /// Labels of the loads whose first pack is carried round the loop.
  llvm::StringSet<> getCarriedLabels() const;
  /// The policy of a dot of the kernel that was read.
  const DotPolicy &dot(ProductOpInterface op) const;
  /// The policy of the store of that label; direct if there is none.
  Epilogue store(llvm::StringRef label) const;

private:
  llvm::StringMap<OperandPolicy> operands;
  llvm::StringMap<DotPolicy> dots;
  llvm::StringMap<Epilogue> stores;
};

/// The schedule of a kernel: of `#fly.schedules` the one of the chip that the
/// module's target names. Null where there is none.
ScheduleAttr getScheduleOf(mlir::Operation *kernel);

/// The same, but one error where a kernel has `#fly.schedules` and its target
/// names no chip, or one without a schedule.
mlir::FailureOr<ScheduleAttr> findSchedule(mlir::Operation *kernel);

/// The known word closest to a misspelt one, as " (did you mean 'stages'?)";
/// empty if none is close.
std::string suggestWord(llvm::StringRef word,
                        llvm::ArrayRef<llvm::StringRef> known);

/// Keys of a schedule that are no labels.
llvm::ArrayRef<llvm::StringLiteral> getGlobalScheduleKeys();

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_SCHEDULE_H
