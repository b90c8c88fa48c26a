//===- Interpreter.h - The machine of the reference executor ----*- C++ -*-===//
//
// Values by SSA name, and one member function for each group of ops. Errors are
// diagnostics at the op; the functions return failure then.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_REFERENCE_INTERPRETER_H
#define FLY_LIB_REFERENCE_INTERPRETER_H

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/MapExpression.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>

#include "Elementwise.h"
#include "RuntimeValue.h"

namespace fly::reference {

/// A finite number as one of its two neighbours in the type, by the rule of
/// fly.cast's `rounding sr`; beyond the type's range as if it had no end.
Element roundAtRandom(Element element, ElementType to, uint32_t place,
                      uint32_t seed);

class Interpreter {
public:
  Interpreter(mlir::FunctionOpInterface kernel, const Options &options)
      : kernel(kernel), options(options) {}

  /// Reads sizes and consts of the schedule, binds the arguments.
  mlir::LogicalResult bind(llvm::ArrayRef<Argument> arguments);
  /// Runs the parts of the kernel's body that depend on arguments alone.
  mlir::FailureOr<LaunchPlan> plan();
  /// Runs one workgroup; `index` counts workgroups in each grid dimension.
  mlir::LogicalResult runWorkgroup(const LaunchPlan &plan,
                                   llvm::ArrayRef<int64_t> index);

  /// The same two of a program (Program.cpp): what it demands of its arguments'
  /// memory, and its steps one after the other.
  mlir::FailureOr<LaunchPlan> planProgram();
  mlir::LogicalResult runProgram();

private:
  // Control flow (ControlFlow.cpp). A block's results are what its terminator
  // hands on.
  using Results = llvm::SmallVector<RuntimeValue>;
  mlir::LogicalResult runBlock(mlir::Block &block, Results &results);
  mlir::LogicalResult runRegion(mlir::Region &region,
                                llvm::ArrayRef<RuntimeValue> arguments,
                                Results &results);
  mlir::LogicalResult execute(mlir::Operation *op);
  mlir::LogicalResult executeFor(mlir::scf::ForOp op);
  mlir::LogicalResult executeWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult executePipeline(PipelineOp op);
  mlir::LogicalResult executeStaticFor(StaticForOp op);
  mlir::LogicalResult executeCall(mlir::Operation *op);
  mlir::FailureOr<mlir::LogicalResult> executeControlFlow(mlir::Operation *op);

  /// Verifies the ops with numbers for the names of sizes (Sizes.cpp).
  mlir::LogicalResult verifyWithSizes();

  // The launch (Plan.cpp). Values are known as far as arguments say them.
  enum class Place {
    Top,    ///< Every launch comes here.
    Nested, ///< In a branch or loop: errors are those of the run.
  };
  mlir::LogicalResult planBlock(mlir::Block &block, LaunchPlan &plan,
                                Place place);
  mlir::LogicalResult planOp(mlir::Operation &op, LaunchPlan &plan,
                             Place place);
  mlir::LogicalResult planCall(mlir::func::CallOp call, LaunchPlan &plan,
                               Place place);
  /// Values of a block from an earlier visit.
  void forget(mlir::Block &block);
  /// The argument whose memory it is.
  std::optional<unsigned> findArgument(const Memory *memory);
  mlir::LogicalResult planView(ViewOp op, LaunchPlan &plan);
  mlir::LogicalResult planGrid(GridOp op, LaunchPlan &plan);
  mlir::LogicalResult planContractGrid(LaunchPlan &plan);
  mlir::LogicalResult checkRequire(RequireOp op);
  mlir::LogicalResult checkRequireMultiple(RequireMultipleOp op);
  std::string describeArguments(mlir::Value condition);

  // Programs (Program.cpp).
  mlir::FailureOr<int64_t>
  countElements(llvm::ArrayRef<mlir::OpFoldResult> extents,
                mlir::Operation *at);
  mlir::LogicalResult makeWorkspace(WorkspaceOp op, bool isRun);
  mlir::LogicalResult runFill(FillOp op, LaunchPlan *plan);
  mlir::LogicalResult runLaunch(LaunchOp op, LaunchPlan *plan);
  /// An error where the program comes to more than contracts have room for.
  mlir::LogicalResult countStep(mlir::Operation *at);
  mlir::LogicalResult runLoop(mlir::scf::ForOp op, LaunchPlan *plan);
  mlir::LogicalResult runSteps(mlir::Block &block, LaunchPlan *plan);
  mlir::LogicalResult addDemand(mlir::Operation *op, mlir::Value pointer,
                                const BufferShape &shape, LaunchPlan &plan);

  // Memory (MemoryOps.cpp).
  mlir::FailureOr<View> makeView(ViewOp op);
  mlir::FailureOr<View> makeLdsView(LdsFieldOp op);
  mlir::LogicalResult executeLoad(LoadOp op);
  mlir::LogicalResult executeStore(StoreOp op);

  // Values (TileOps.cpp, MapOp.cpp).
  mlir::LogicalResult executeConstant(mlir::Operation *op);
  mlir::LogicalResult executeElementwise(mlir::Operation *op,
                                         const ElementFn &fn);
  mlir::LogicalResult executeSplat(SplatOp op);
  mlir::LogicalResult executeBroadcast(BroadcastOp op);
  mlir::LogicalResult executeBitcast(BitcastOp op);
  mlir::LogicalResult executeRepeat(RepeatOp op);
  mlir::LogicalResult executeDot(DotOp op);
  void setProduct(DotOp op, const Tile &a, const Tile &b, const Tile &acc);
  mlir::LogicalResult executeCast(CastOp op);
  mlir::LogicalResult executeMap(MapOp op);

  // Along a dimension (AlongOps.cpp).
  mlir::LogicalResult executeIota(IotaOp op);
  mlir::LogicalResult executeTranspose(TransposeOp op);
  mlir::LogicalResult executeReduce(ReduceOp op);
  mlir::LogicalResult reduceLine(ReduceOp op,
                                 llvm::ArrayRef<const Tile *> tiles,
                                 int64_t start, int64_t stride, int64_t count,
                                 llvm::MutableArrayRef<Element> running);
  mlir::LogicalResult executeScan(ScanOp op);
  mlir::LogicalResult runCombiner(mlir::Region &combiner,
                                  llvm::MutableArrayRef<Element> running,
                                  llvm::ArrayRef<Element> next);

  // Scalars, rows by number, atomics (RowOps.cpp), checks (CheckOps.cpp).
  mlir::LogicalResult executeLoadScalar(LoadScalarOp op);
  mlir::LogicalResult executeAtomic(AtomicOp op);
  mlir::LogicalResult executeAtomicRmw(AtomicRmwOp op);
  mlir::LogicalResult executeGather(GatherOp op);
  mlir::LogicalResult executeScatter(ScatterOp op);
  mlir::LogicalResult executeAssert(AssertOp op);
  mlir::LogicalResult executePrint(PrintOp op);

  // What lanes hold (LanesOps.cpp), MX products (ScaledOps.cpp), slices and
  // reshapes (ShapeOps.cpp).
  mlir::LogicalResult executeLanes(LanesOp op);
  mlir::LogicalResult executeLaneNumber(mlir::Operation *op);
  mlir::LogicalResult executeVector(mlir::Operation *op);
  mlir::LogicalResult executeDotScaled(DotScaledOp op);
  mlir::LogicalResult executeShape(mlir::Operation *op);

  /// An integer that decides where the kernel goes or what it accesses: warns,
  /// once an op, where the device's may be another one.
  int64_t getCertain(mlir::Value value, mlir::Operation *at);
  const Tile &getCertainTile(mlir::Value value, mlir::Operation *at);
  void warnUncertain(mlir::Operation *at);

  /// The value of a size of the schedule, or an error that lists the sizes.
  mlir::FailureOr<int64_t> sizeOf(llvm::StringRef name, mlir::Operation *at);
  /// A value, number or name of size as a number.
  mlir::FailureOr<int64_t> resolve(mlir::OpFoldResult entry,
                                   mlir::Operation *at);
  mlir::FailureOr<llvm::SmallVector<int64_t, 4>>
  resolveAll(llvm::ArrayRef<mlir::OpFoldResult> entries, mlir::Operation *at);
  /// The extents of a tile type, names filled in.
  mlir::FailureOr<llvm::SmallVector<int64_t, 4>> shapeOf(mlir::Type type,
                                                         mlir::Operation *at);

  bool isKnown(mlir::Value value) const { return values.count(value); }
  const RuntimeValue &get(mlir::Value value) const {
    return values.find(value)->second;
  }
  int64_t getInteger(mlir::Value value) const {
    return std::get<Integer>(get(value)).value;
  }
  const Tile &getTile(mlir::Value value) const {
    return *std::get<TilePtr>(get(value));
  }
  void set(mlir::Value value, RuntimeValue result) {
    values[value] = std::move(result);
  }

  mlir::FunctionOpInterface kernel;
  Options options;
  std::map<std::string, int64_t> sizes;
  std::vector<Memory> memories;
  /// Of a program: bytes with their bounds, and the memory that they are.
  struct Workspace {
    std::vector<uint8_t> bytes;
    ErrorBounds bounds;
    Memory memory;
  };
  std::vector<std::unique_ptr<Workspace>> workspaces;
  unsigned steps = 0;
  /// An LDS field's bytes and their bounds, and the memory that points to both.
  struct LdsField {
    std::vector<uint8_t> storage;
    ErrorBounds bounds;
    Memory memory;
  };
  /// By struct and field; live for a workgroup.
  std::map<std::pair<std::string, std::string>, LdsField> lds;
  llvm::DenseMap<mlir::Value, RuntimeValue> values;
  llvm::DenseMap<mlir::Operation *, ElementFn> elementwise;
  llvm::DenseMap<mlir::Operation *, std::shared_ptr<MapNode>> mapTrees;
  llvm::SmallVector<int64_t, 3> workgroup;
  /// Whose turn it is in a region of fly.lanes.
  int64_t thread = 0;
  unsigned callDepth = 0;
  llvm::DenseSet<mlir::Operation *> uncertain;
};

/// Helpers do not recurse; this bounds the stack if one does.
inline constexpr unsigned kMaxCallDepth = 64;

} // namespace fly::reference

#endif // FLY_LIB_REFERENCE_INTERPRETER_H
