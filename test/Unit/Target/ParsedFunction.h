//===- ParsedFunction.h - a function of LLVM IR in text ---------*- C++ -*-===//

#ifndef FLY_TEST_UNIT_TARGET_PARSEDFUNCTION_H
#define FLY_TEST_UNIT_TARGET_PARSEDFUNCTION_H

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

namespace fly::test {

/// The first function of a text, in a module of its own.
struct ParsedFunction {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;

  explicit ParsedFunction(const char *text) {
    llvm::SMDiagnostic error;
    module = llvm::parseAssemblyString(text, error, context);
    EXPECT_TRUE(module) << error.getMessage().str() << " in line "
                        << error.getLineNo();
    if (!module) // So that there is a function to look at.
      module = llvm::parseAssemblyString("define void @none() { ret void }",
                                         error, context);
  }
  llvm::Function &function() { return *module->begin(); }
  /// Statements of inline assembly.
  unsigned countStatements() {
    unsigned count = 0;
    for (llvm::Instruction &inst : llvm::instructions(function()))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&inst))
        count += call->isInlineAsm();
    return count;
  }
  /// The instruction of that name, null if there is none.
  llvm::Instruction *find(llvm::StringRef name) {
    for (llvm::Instruction &inst : llvm::instructions(function()))
      if (inst.getName() == name)
        return &inst;
    return nullptr;
  }
  void expectValid() {
    std::string message;
    llvm::raw_string_ostream stream(message);
    EXPECT_FALSE(llvm::verifyModule(*module, &stream)) << message;
  }
};

} // namespace fly::test

#endif // FLY_TEST_UNIT_TARGET_PARSEDFUNCTION_H
