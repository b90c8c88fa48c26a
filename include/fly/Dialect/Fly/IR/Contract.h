//===- Contract.h - The launch contract as an attribute ---------*- C++ -*-===//
//
// Between fly-plan-grid, which knows the tile-level kernel, and the code
// object, the launch contract travels in the kernel's attribute `fly.contract`:
// a dictionary with the keys of the contract's JSON form, expressions as
// strings over argument names.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_DIALECT_FLY_IR_CONTRACT_H
#define FLY_DIALECT_FLY_IR_CONTRACT_H

#include "fly/Contract/LaunchContract.h"
#include "fly/Contract/ProgramContract.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fly {

/// The contract as the attribute holds it.
mlir::DictionaryAttr makeContractAttr(mlir::MLIRContext *context,
                                      const contract::LaunchContract &contract);

/// The contract of `kernel`, with the kernel's name and the chip of its module.
/// One error at the kernel where the attribute is absent or malformed.
mlir::FailureOr<contract::LaunchContract>
readContract(mlir::FunctionOpInterface kernel);

/// The same of a program (a function with `fly.program`); fly-plan-programs
/// writes it.
mlir::DictionaryAttr
makeContractAttr(mlir::MLIRContext *context,
                 const contract::ProgramContract &contract);
mlir::FailureOr<contract::ProgramContract>
readProgramContract(mlir::FunctionOpInterface program);

/// What the records of a kernel's checks mean, in `fly.checks` until
/// fly-plan-grid takes it into the contract. Nothing without the attribute; one
/// error at the kernel where it is malformed.
mlir::ArrayAttr makeChecksAttr(mlir::MLIRContext *context,
                               llvm::ArrayRef<contract::CheckSite> sites);
mlir::FailureOr<std::vector<contract::CheckSite>>
readChecks(mlir::FunctionOpInterface kernel);

/// The functions with `fly.program` at the top level of `module`.
llvm::SmallVector<mlir::FunctionOpInterface>
findPrograms(mlir::ModuleOp module);

/// Bytes that the address of a pointer argument is a multiple of.
uint32_t getPointerAlignment(mlir::FunctionOpInterface function,
                             unsigned index);

/// The name of an argument in contracts and messages: its `fly.name`, or
/// `arg` and its number.
std::string getArgumentName(mlir::FunctionOpInterface function, unsigned index);

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_CONTRACT_H
