//===- Accesses.h - The two kinds of memory access --------------*- C++ -*-===//
//
// A view resolved to what its accesses need, and the lowering of one access,
// for global memory and for LDS.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_ACCESSES_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_ACCESSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/MapVector.h"

#include "AddressTerms.h"
#include "Lowering.h"
#include "Pieces.h"

namespace fly {

/// Elements that an access of this type moves.
unsigned countElements(mlir::Type type);

/// Whether the elements of an access are inside or outside all together: it
/// says so, or its start and the extent are multiples of its length.
template <typename OpT>
bool isWhole(OpT op, mlir::Value extent, unsigned elements) {
  // A part of a chunk, of which whole ones fill a row.
  if (op.getWhole() ||
      llvm::isa_and_nonnull<PreshuffleAttr>(op.getView().getType().getLayout()))
    return true;
  mlir::Value coordinate =
      op.getCoordinates()[*op.getView().getType().getContiguousDim()];
  return knownDivisor(coordinate) % elements == 0 &&
         knownDivisor(extent, op) % elements == 0;
}

/// Bytes of a copy's target that go to the immediate (SharedTarget.h).
int64_t getImmediate(DmaOp copy);

/// Lowers accesses through views of global memory (GlobalAccess.cpp, Dma.cpp).
class GlobalAccessLowering {
public:
  /// `threads` of a workgroup; with `memoryChanges`, memory may change under
  /// the kernel.
  GlobalAccessLowering(const arch::ArchInfo &arch, Uniformity &uniformity,
                       int64_t threads, bool memoryChanges, LdsGlobals &globals)
      : arch(arch), uniformity(uniformity), threads(threads),
        memoryChanges(memoryChanges), globals(globals) {}

  mlir::LogicalResult lower(ReadOp read);
  mlir::LogicalResult lower(WriteOp write);
  mlir::LogicalResult lower(LoadScalarOp load);
  mlir::LogicalResult lower(UpdateOp update);
  mlir::LogicalResult lower(AtomicRmwOp atomic);

  /// What a copy to LDS reads.
  struct CopySource {
    mlir::Value resource;
    mlir::Value laneOffset, uniformOffset; ///< i32, bytes.
    /// Bytes that the instruction adds to both addresses; the offsets here and
    /// the target are so much less.
    int64_t immediate = 0;
  };
  mlir::FailureOr<CopySource> getCopySource(DmaOp copy);

  /// Instructions on global memory made so far.
  unsigned count = 0;

private:
  /// A view as buffer resource and 32-bit geometry.
  struct View {
    ViewOp op;
    /// Base or extents differ between lanes: no resource holds the view, and
    /// its accesses take addresses of 64 bits (FlatAccess.cpp).
    bool isPerLane = false;
    mlir::Value base;                                   ///< !llvm.ptr<1>
    llvm::SmallVector<mlir::Value, 4> extents, strides; ///< i32
    mlir::Value recordsBytes;                           ///< i32
    /// The resource, and those whose ranges are rounded up to a whole number
    /// of granules, by the bytes of a granule.
    llvm::SmallMapVector<unsigned, mlir::Value, 2> resources;
  };
  /// Where an access is: offsets for the three places of the instruction, and
  /// what must hold for an element to be inside.
  struct Place {
    mlir::Value address;       ///< !llvm.ptr<1>, where there is no resource.
    mlir::Value laneOffset;    ///< i32, vector register.
    mlir::Value uniformOffset; ///< i32, scalar register.
    int64_t constant = 0;      ///< Immediate.
    /// `laneOffset` is proved to be at least 0 as a signed number.
    bool laneNonNegative = true;
    /// Every dimension but the vector's own is inside; null where nothing has
    /// to be checked.
    mlir::Value inside;
    /// The coordinate and extent to compare for each element, or null.
    mlir::Value vectorCoordinate, vectorExtent;
    bool vectorNonNegative = true;
    uint64_t divisorBytes = 1;
  };

  mlir::FailureOr<View *> resolve(mlir::Operation *access, mlir::Value view);
  /// Lets the users of a lowered access see its value.
  void replace(mlir::Value from, mlir::Value to) {
    uniformity.replace(from, to);
    from.replaceAllUsesWith(to);
  }
  /// An error where the op moves a vector along a dimension of another stride
  /// than 1.
  template <typename OpT>
  mlir::LogicalResult checkVectorStride(OpT op, View &view);
  // FlatAccess.cpp
  template <typename OpT>
  mlir::FailureOr<Place> locateFlat(OpT op, View &view, I32Builder &i32);
  mlir::LogicalResult lowerFlat(ReadOp read, View &view);
  mlir::LogicalResult lowerFlat(WriteOp write, View &view);
  /// The address of the one element of a uniform access.
  template <typename OpT>
  mlir::FailureOr<Place> locateScalar(OpT op, I32Builder &i32);
  /// LDS of 8 bytes through which waves hand on a scalar.
  mlir::Value getScalarSlot(mlir::Operation *op, mlir::OpBuilder &builder);
  mlir::Value buildRecords(View &view, I32Builder &i32);
  mlir::Value getResource(View &view, unsigned granule);
  bool coversByRange(View &view, unsigned dim);
  bool endsAtDword(View &view);
  bool isFlatAndCut(View &view, bool isFlat, const Place &place);
  template <typename OpT>
  mlir::FailureOr<Place> locate(OpT op, View &view, I32Builder &i32,
                                bool compareAll);
  void compareCoordinate(Place &place, mlir::Value coordinate,
                         mlir::Value extent, bool isVectorDim, I32Builder &i32);
  mlir::Value elementInside(const Place &place, unsigned element,
                            I32Builder &i32);
  mlir::Value pieceOffset(const Place &place, mlir::Value inside,
                          int64_t extraBytes, I32Builder &i32);

  const arch::ArchInfo &arch;
  Uniformity &uniformity;
  int64_t threads;
  bool memoryChanges;
  LdsGlobals &globals;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<View>> views;
};

/// The scalar or vector that an access moves.
template <typename OpT>
mlir::Type accessedType(OpT op) {
  return op.getValue().getType();
}
inline mlir::Type accessedType(DmaOp op) { return op.getType(); }

/// Elements that an address is a multiple of: proved, or declared.
uint64_t alignElements(std::optional<int64_t> declared, uint64_t divisorBytes,
                       unsigned elementBytes);
/// The operand of a buffer instruction that says how caches keep its data.
mlir::Value cacheOperand(I32Builder &i32, Cache cache);

/// Alignment of an LDS field, which fly.lds.struct promises.
inline constexpr uint64_t ldsFieldAlignBytes = arch::widestAccessBytes;
/// Bytes that the immediate of an LDS instruction reaches: 16 bits. [LLVM22]
inline constexpr int64_t maxLdsImmediateBytes = 65535;

/// Strides in elements of an LDS view.
llvm::SmallVector<int64_t, 4> getLdsStrides(ViewType type);
/// Bytes, at most a field's alignment, that the linear offset of these
/// coordinates is proved to be a multiple of.
uint64_t ldsOffsetDivisor(mlir::ValueRange coordinates, ViewType type);

/// Lowers accesses to LDS (LdsFields.cpp, LdsAccess.cpp, Dma.cpp).
class LdsAccessLowering {
public:
  LdsAccessLowering(mlir::gpu::GPUFuncOp kernel, const Uniformity &uniformity,
                    LdsGlobals &globals);

  mlir::LogicalResult lower(ReadOp read);
  mlir::LogicalResult lower(WriteOp write);
  mlir::LogicalResult lower(ReadTransposedOp read);
  /// Puts the copy from `source` to where `copy` says.
  mlir::LogicalResult lower(DmaOp copy,
                            const GlobalAccessLowering::CopySource &source);
  /// After all accesses: each learns which other fields it does not touch.
  void attachScopes();
  /// Keeps the structs that the kernel allocates whole, accessed or not.
  void reserveStructs();
  /// LDS instructions made so far.
  unsigned count() const { return accesses.size(); }

  /// A byte address in registers and the constant that is added to it.
  struct Place {
    mlir::Value base; ///< !llvm.ptr<3>
    int64_t constant = 0;
  };

private:
  /// A field that is accessed.
  struct Field {
    LdsStructOp owner;
    mlir::StringAttr name; ///< Null for all members of a union.
    mlir::Value address;   ///< At the kernel's entry.
    mlir::LLVM::AliasScopeAttr scope;
  };
  /// How an access is split.
  struct Shape {
    unsigned elementBytes;
    uint64_t alignBytes; ///< Of the first element's address.
    llvm::SmallVector<Piece> pieces;
  };

  mlir::FailureOr<Field *> resolve(mlir::Operation *access, mlir::Value view);
  mlir::LLVM::GlobalOp getGlobal(LdsStructOp structOp, mlir::StringAttr field);
  template <typename OpT>
  Place locate(OpT op, const Field &field, I32Builder &i32,
               int64_t firstElement);
  template <typename OpT>
  mlir::FailureOr<Shape> shape(OpT op);
  mlir::ArrayAttr otherScopes(const Field &field);

  mlir::gpu::GPUFuncOp kernel;
  const Uniformity &uniformity;
  LdsGlobals &globals;
  /// The kernel's LDS may exceed what an instruction's immediate reaches.
  bool opaqueBases = false;
  /// In order of first use.
  llvm::SmallVector<std::unique_ptr<Field>> fields;
  llvm::SmallVector<std::pair<mlir::Operation *, const Field *>> accesses;
};

} // namespace fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_ACCESSES_H
