//===- ControlFlow.cpp - blocks and branches of a kernel ------------------===//

#include "fly/Isa/ControlFlow.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::isa;
using llvm::StringRef;

/// Leaves the function: a call comes back, a jump does not.
static bool isCall(const Instruction &inst) {
  return inst.mnemonic == "s_swappc_b64" || inst.mnemonic == "s_call_b64";
}
static bool isJumpToRegister(const Instruction &inst) {
  return inst.mnemonic == "s_setpc_b64" || inst.mnemonic == "s_rfe_b64" ||
         inst.mnemonic.starts_with("s_cbranch_g_fork") ||
         inst.mnemonic.starts_with("s_cbranch_i_fork") ||
         inst.mnemonic == "s_cbranch_join";
}

bool fly::isa::endsControl(const Instruction &inst) {
  return inst.mnemonic.starts_with("s_endpgm") || inst.mnemonic == "s_branch" ||
         isJumpToRegister(inst) || inst.format == Format::Invalid;
}

size_t fly::isa::indexAt(llvm::ArrayRef<Instruction> function, uint64_t pc) {
  const auto *it =
      llvm::lower_bound(function, pc, [](const Instruction &inst, uint64_t at) {
        return inst.pc < at;
      });
  return it != function.end() && it->pc == pc ? size_t(it - function.begin())
                                              : function.size();
}

ControlFlow::ControlFlow(llvm::ArrayRef<Instruction> function,
                         llvm::ArrayRef<uint64_t> entries)
    : function(function) {
  if (function.empty())
    return;
  split(entries);
  connect();
  sort();
}

void ControlFlow::split(llvm::ArrayRef<uint64_t> entries) {
  std::vector<bool> starts(function.size());
  starts[0] = true;
  for (uint64_t pc : entries)
    if (size_t index = indexAt(function, pc); index != function.size())
      starts[index] = true;
  for (auto [index, inst] : llvm::enumerate(function)) {
    bool isBranch = inst.branchTarget && !isCall(inst);
    if (isBranch)
      if (size_t target = indexAt(function, inst.branchTarget);
          target != function.size())
        starts[target] = true;
    if ((isBranch || endsControl(inst) || isCall(inst)) &&
        index + 1 != function.size())
      starts[index + 1] = true;
  }
  blockIndex.resize(function.size());
  for (size_t index = 0; index != function.size(); ++index) {
    if (starts[index])
      blockList.push_back({index, index, {}, {}});
    blockIndex[index] = unsigned(blockList.size() - 1);
    blockList.back().end = index + 1;
  }
  for (uint64_t pc : entries)
    if (size_t index = indexAt(function, pc); index != function.size())
      if (!llvm::is_contained(entryList, blockIndex[index]))
        entryList.push_back(blockIndex[index]);
}

void ControlFlow::connect() {
  for (unsigned number = 0; number != blockList.size(); ++number) {
    size_t lastIndex = blockList[number].end - 1;
    const Instruction &last = function[lastIndex];
    auto link = [&](size_t index) {
      unsigned to = blockIndex[index];
      if (llvm::is_contained(blockList[number].successors, to))
        return;
      blockList[number].successors.push_back(to);
      blockList[to].predecessors.push_back(number);
    };
    if (isCall(last) || isJumpToRegister(last))
      unknownList.push_back(lastIndex);
    if (!endsControl(last) && lastIndex + 1 != function.size())
      link(lastIndex + 1);
    if (last.branchTarget && !isCall(last)) {
      size_t target = indexAt(function, last.branchTarget);
      if (target == function.size())
        unknownList.push_back(lastIndex);
      else
        link(target);
    }
  }
}

void ControlFlow::sort() {
  // Depth first without recursion; a block is listed when its successors are.
  std::vector<bool> seen(blockList.size());
  std::vector<std::pair<unsigned, unsigned>> stack;
  for (unsigned entry : entryList) {
    if (seen[entry])
      continue;
    seen[entry] = true;
    stack.push_back({entry, 0});
    while (!stack.empty()) {
      auto &[number, next] = stack.back();
      if (next == blockList[number].successors.size()) {
        reversePostOrder.push_back(number);
        stack.pop_back();
        continue;
      }
      unsigned successor = blockList[number].successors[next++];
      if (seen[successor])
        continue;
      seen[successor] = true;
      stack.push_back({successor, 0});
    }
  }
  std::reverse(reversePostOrder.begin(), reversePostOrder.end());
}

std::vector<LoopRange>
fly::isa::findLoops(llvm::ArrayRef<Instruction> function) {
  std::vector<LoopRange> loops;
  for (auto [index, inst] : llvm::enumerate(function)) {
    if (!inst.branchTarget || inst.branchTarget > inst.pc || isCall(inst))
      continue;
    if (size_t begin = indexAt(function, inst.branchTarget);
        begin != function.size())
      loops.push_back({begin, index + 1});
  }
  return loops;
}

std::vector<LoopRange>
fly::isa::findInnermostLoops(llvm::ArrayRef<Instruction> function) {
  std::vector<LoopRange> loops = findLoops(function), innermost;
  for (const LoopRange &loop : loops)
    if (llvm::none_of(loops, [&](const LoopRange &other) {
          return loop.contains(other);
        }))
      innermost.push_back(loop);
  return innermost;
}
