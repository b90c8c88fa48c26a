//===- Lowering.h - State of one kernel's lowering --------------*- C++ -*-===//
//
// What the parts of the conversion share while they rewrite one kernel: the
// chip, the analysis, and small builders of 32-bit arithmetic that fold. The
// parts run in this order: flattenVectors, carryDwords, lowerPackedSlices,
// expandLayouts, lowerNarrowFloats, lowerQuotients, lowerAccesses,
// lowerPointerTests, lowerFences, lowerScheduling, lowerEvents, lowerShuffles,
// lowerThreadIds, hoistInvariants, keepOffsetsScalar, lowerLoops; upstream's
// patterns do the rest.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_LOWERING_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_LOWERING_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/Transforms/Uniformity.h"

#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace fly {

/// 32-bit integer arithmetic at a place, folded where operands are constant.
class I32Builder {
public:
  I32Builder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::Value constant(int64_t value);
  /// An index or integer as i32; 64-bit ones are cut.
  mlir::Value cast(mlir::Value value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  /// Whether two conditions hold; null stands for one that always does.
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t b);
  /// An extent or stride: an attribute or an i32 value.
  mlir::Value get(mlir::OpFoldResult value);
  /// `a` with an addition that must stay next to its use, so that instruction
  /// selection folds it into the immediate.
  mlir::Value addImmediate(mlir::Value a, int64_t constant);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// `value`, a number of at most 64 bits, as the first lane holds it.
mlir::Value readFirstLane(I32Builder &i32, mlir::Value value);

/// Marks address arithmetic that hoistInvariants leaves where it is: a constant
/// addend folds into the instruction only within its block.
inline constexpr llvm::StringLiteral keepInPlaceAttrName = "fly.keep_in_place";

/// Threads of a workgroup, from fly.waves or the block size; an error if the
/// kernel has neither.
mlir::FailureOr<int64_t> getThreads(mlir::gpu::GPUFuncOp kernel,
                                    const arch::ArchInfo &arch);

/// Replaces vectors of rank above 1 by lists of rank-1 vectors. Errors name the
/// op that cannot be flattened.
mlir::LogicalResult flattenVectors(mlir::gpu::GPUFuncOp kernel);

/// The dwords that a vector of rank 1 of elements below a byte fills; null for
/// other types.
mlir::VectorType getDwords(mlir::Type type);

/// The vector of its elements, bytes, that fills a register, for a vector of
/// rank 1 that has fewer; null for other types.
mlir::VectorType getFilledRegister(mlir::Type type);

/// Whether `insert` puts such a vector at the begin of a register whose other
/// bytes have no value.
bool fillsRegister(mlir::vector::InsertStridedSliceOp insert);

/// Has loops carry dwords in place of vectors of fewer bytes and of elements
/// below a byte. After flattenVectors.
void carryDwords(mlir::gpu::GPUFuncOp kernel);

/// Slices vectors of elements below a byte as dwords. After flattenVectors.
void lowerPackedSlices(mlir::gpu::GPUFuncOp kernel);

/// Makes shifts of quotients by powers of two, where their dividends are known
/// multiples or at least 0.
void lowerQuotients(mlir::gpu::GPUFuncOp kernel);

/// Lowers conversions of 8-bit floats to the chip's instructions.
mlir::LogicalResult lowerNarrowFloats(mlir::gpu::GPUFuncOp kernel,
                                      mlir::amdgpu::Chipset chipset);

/// The LLVM global of each field of an LDS struct, which the kernels of a
/// module share.
using LdsGlobals = llvm::DenseMap<std::pair<mlir::Operation *, mlir::Attribute>,
                                  mlir::LLVM::GlobalOp>;

/// Lowers views, reads and writes, in global memory and LDS.
struct AccessCounts {
  unsigned buffer = 0, lds = 0;
};
mlir::FailureOr<AccessCounts> lowerAccesses(mlir::gpu::GPUFuncOp kernel,
                                            const arch::ArchInfo &arch,
                                            LdsGlobals &globals);

/// Makes arithmetic on addresses of fly.is_aligned.
void lowerPointerTests(mlir::gpu::GPUFuncOp kernel);

/// Whether what stands above is visible to those that acquire.
bool releases(MemoryOrder order);
/// Whether what others released is visible below.
bool acquires(MemoryOrder order);
/// The synchronisation scope of LLVM.
llvm::StringRef getSyncScope(MemoryScope scope);
/// The fence, for the accesses of one lane, before an atomic that releases.
void emitRelease(mlir::OpBuilder &builder, mlir::Location loc,
                 MemoryOrder order, MemoryScope scope);
/// The fence behind an atomic that acquires.
void emitAcquire(mlir::OpBuilder &builder, mlir::Location loc,
                 MemoryOrder order, MemoryScope scope);
/// Whether anything in the kernel acquires what other workgroups released.
bool hasAcquire(mlir::gpu::GPUFuncOp kernel);

/// Lowers fences of the workgroup; they ask for barriers and waits.
void lowerFences(mlir::gpu::GPUFuncOp kernel);

/// Lowers hints, priorities, barriers and waits.
void lowerScheduling(mlir::gpu::GPUFuncOp kernel);

/// Lowers fly.event.
void lowerEvents(mlir::gpu::GPUFuncOp kernel);

/// Lowers exchanges between lanes; they ask for fly.lane.
mlir::LogicalResult lowerShuffles(mlir::gpu::GPUFuncOp kernel);

/// Lowers fly.lane and fly.wave and the thread and block numbers.
mlir::LogicalResult lowerThreadIds(mlir::gpu::GPUFuncOp kernel,
                                   int64_t threads);

/// Moves invariant arithmetic out of loops and removes duplicates.
void hoistInvariants(mlir::gpu::GPUFuncOp kernel);

/// Has LLVM know that scalar offsets of buffer accesses are uniform in a wave.
/// After hoistInvariants.
void keepOffsetsScalar(mlir::gpu::GPUFuncOp kernel);

/// Turns scf.for into rotated loops (test at the end) in a flow graph.
void lowerLoops(mlir::gpu::GPUFuncOp kernel);

/// Bytes of one element; 0 for types that are no whole bytes.
unsigned getElementBytes(mlir::Type type);

} // namespace fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_LOWERING_H
