//===- ThreadTrace.cpp - Names of what a thread trace tells ---------------===//
//
// The words that public viewers use for categories and wave states.
//
//===----------------------------------------------------------------------===//

#include "fly/Profile/ThreadTrace.h"

using namespace fly::profile;

llvm::StringRef fly::profile::name(Category category) {
  static constexpr llvm::StringRef names[] = {
      "NONE", "SMEM", "SALU",  "VMEM",    "FLAT",    "LDS", "VALU",
      "JUMP", "NEXT", "IMMED", "CONTEXT", "MESSAGE", "BVH"};
  return names[unsigned(category)];
}

llvm::StringRef fly::profile::name(WaveState state) {
  static constexpr llvm::StringRef names[] = {"empty", "idle", "exec", "wait",
                                              "stall"};
  return names[unsigned(state)];
}
