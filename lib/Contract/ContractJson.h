//===- ContractJson.h - Parts of contracts as JSON --------------*- C++ -*-===//
//
// What the forms of kernels (ContractJson.cpp) and of programs
// (ProgramJson.cpp) share. Functions named fromJSON are found by llvm::json
// through the namespace of what they read.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_CONTRACT_CONTRACTJSON_H
#define FLY_LIB_CONTRACT_CONTRACTJSON_H

#include "fly/Contract/LaunchContract.h"
#include "fly/Contract/ProgramContract.h"

namespace fly::contract {

/// A 32-bit number that is checked; LLVM's own reader cuts it silently.
struct Word {
  uint32_t value = 0;
};

llvm::json::Array writeExprs(llvm::ArrayRef<Expr> exprs);
llvm::json::Object writeArgument(const Argument &argument);
llvm::json::Array writeRequirements(llvm::ArrayRef<Requirement> requirements);
llvm::json::Array writeChecks(llvm::ArrayRef<CheckSite> sites);
llvm::json::Array writeWork(llvm::ArrayRef<DotWork> work);

bool fromJSON(const llvm::json::Value &value, Word &word,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Expr &expr,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, View &view,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Argument &argument,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Requirement &requirement,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, CheckSite &site,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, DotWork &work,
              llvm::json::Path path);

/// Reads a whole program.
bool fromJSON(const llvm::json::Value &value, ProgramContract &program,
              llvm::json::Path path);

/// Reads the three expressions of a grid.
bool readGrid(llvm::json::ObjectMapper &map, std::array<Expr, 3> &grid,
              llvm::json::Path path);

} // namespace fly::contract

#endif // FLY_LIB_CONTRACT_CONTRACTJSON_H
