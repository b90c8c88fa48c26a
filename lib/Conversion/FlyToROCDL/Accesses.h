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

/// Lowers accesses through views of global memory (GlobalAccess.cpp).
class GlobalAccessLowering {
public:
  GlobalAccessLowering(const arch::ArchInfo &arch, const Uniformity &uniformity)
      : arch(arch), uniformity(uniformity) {}

  mlir::LogicalResult lower(ReadOp read);
  mlir::LogicalResult lower(WriteOp write);
  mlir::LogicalResult lower(LoadScalarOp load);

  /// Buffer instructions made so far.
  unsigned count = 0;

private:
  /// A view as buffer resource and 32-bit geometry.
  struct View {
    ViewOp op;
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
  mlir::Value buildRecords(View &view, I32Builder &i32);
  mlir::Value getResource(View &view, unsigned granule);
  bool coversByRange(View &view, unsigned dim);
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
  const Uniformity &uniformity;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<View>> views;
};

/// Alignment of an LDS field, which fly.lds.struct promises.
inline constexpr uint64_t ldsFieldAlignBytes = arch::widestAccessBytes;
/// Bytes that the immediate of an LDS instruction reaches: 16 bits. [LLVM22]
inline constexpr int64_t maxLdsImmediateBytes = 65535;

/// Lowers accesses to LDS (LdsFields.cpp and LdsAccess.cpp).
class LdsAccessLowering {
public:
  LdsAccessLowering(mlir::gpu::GPUFuncOp kernel, const Uniformity &uniformity,
                    LdsGlobals &globals);

  mlir::LogicalResult lower(ReadOp read);
  mlir::LogicalResult lower(WriteOp write);
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
    mlir::Value address; ///< At the kernel's entry.
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
  /// By the global's name, in order of first use.
  llvm::MapVector<mlir::Attribute, Field> fields;
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::LLVM::AliasScopeAttr>>
      accesses;
};

} // namespace fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_ACCESSES_H
