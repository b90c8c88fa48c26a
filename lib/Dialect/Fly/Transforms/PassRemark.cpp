//===- PassRemark.cpp - How passes say what they did ----------------------===//
//
// A thin layer over mlir/IR/Remarks.h that finds the kernel's name.
//
//===----------------------------------------------------------------------===//
#include "PassRemark.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

/// Options of a remark at `op`. The names live as long as the context.
static remark::RemarkOpts getOptions(Operation *op, StringRef pass,
                                     StringRef name) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<FunctionOpInterface>();
  return remark::RemarkOpts::name(name).category(pass).function(
      function ? function.getName() : StringRef());
}

void fly::remarkPassed(Operation *op, llvm::StringLiteral pass,
                       llvm::StringLiteral name, const llvm::Twine &message) {
  if (op->getContext()->getRemarkEngine())
    remark::passed(op->getLoc(), getOptions(op, pass, name)) << message.str();
}

void fly::remarkMissed(Operation *op, llvm::StringLiteral pass,
                       llvm::StringLiteral name, const llvm::Twine &message) {
  if (op->getContext()->getRemarkEngine())
    remark::missed(op->getLoc(), getOptions(op, pass, name)) << message.str();
}
