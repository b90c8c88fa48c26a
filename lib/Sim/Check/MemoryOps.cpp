//===- MemoryOps.cpp - memory instructions that have not come back --------===//

#include "MemoryOps.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly;
using namespace fly::sim;

void MemoryOps::completeFront(Queue &queue, size_t count, Completed completed) {
  for (size_t i = 0; i != count; ++i) {
    completed(*queue[i]);
    release(queue[i]);
  }
  queue.erase(queue.begin(), queue.begin() + ptrdiff_t(count));
}

void MemoryOps::completeFlat(bool vectorEmpty, bool localEmpty,
                             Completed completed) {
  llvm::erase_if(flat, [&](FlatOp &entry) {
    entry.vectorDone |= vectorEmpty;
    entry.localDone |= localEmpty;
    if (!entry.vectorDone || !entry.localDone)
      return false;
    completed(*entry.op);
    release(entry.op);
    return true;
  });
}

MemoryOp &MemoryOps::issue(IssueKind kind, Completed completed) {
  // Flat and scalar instructions may be done long ago: they force nothing.
  if (vector.size() >= arch::WaitCount::maxVm)
    completeFront(vector, vector.size() - arch::WaitCount::maxVm + 1,
                  completed);
  if (lds.size() >= arch::WaitCount::maxLgkm)
    completeFront(lds, lds.size() - arch::WaitCount::maxLgkm + 1, completed);
  if (unused.empty()) {
    all.push_back(std::make_unique<MemoryOp>());
    unused.push_back(all.back().get());
  }
  MemoryOp *op = unused.back();
  unused.pop_back();
  op->kind = kind;
  op->destination = {};
  op->ldsRanges.clear();
  op->isLdsDma = false;
  op->isDelivered = true;
  op->openNumber = 0;
  switch (kind) {
  case IssueKind::VectorMemory:
    vector.push_back(op);
    break;
  case IssueKind::Lds:
    lds.push_back(op);
    break;
  case IssueKind::Flat:
    flat.push_back({op, false, false});
    break;
  default:
    scalar.push_back(op);
    break;
  }
  return *op;
}

void MemoryOps::wait(const arch::WaitCount &count, Completed completed) {
  // What came back early (flat to LDS, scalar) may be any of the others, so
  // only instructions of one kind push each other out.
  if (vector.size() > count.vm)
    completeFront(vector, vector.size() - count.vm, completed);
  if (lds.size() > count.lgkm)
    completeFront(lds, lds.size() - count.lgkm, completed);
  if (count.lgkm == 0)
    completeFront(scalar, scalar.size(), completed);
  if (!flat.empty())
    completeFlat(count.vm == 0, count.lgkm == 0, completed);
}

void MemoryOps::completeAll(Completed completed) {
  completeFront(vector, vector.size(), completed);
  completeFront(lds, lds.size(), completed);
  completeFront(scalar, scalar.size(), completed);
  completeFlat(true, true, completed);
}

std::string MemoryOps::waitFor(const MemoryOp &op) const {
  auto behind = [&](const Queue &queue) {
    size_t index = size_t(llvm::find(queue, &op) - queue.begin());
    return std::to_string(queue.size() - index - 1);
  };
  switch (op.kind) {
  case IssueKind::VectorMemory:
    return "vmcnt(" + behind(vector) + ")";
  case IssueKind::Lds:
    return "lgkmcnt(" + behind(lds) + ")";
  case IssueKind::Flat:
    return "vmcnt(0) lgkmcnt(0)";
  default:
    return "lgkmcnt(0)";
  }
}

MemoryOp *MemoryOps::oldestUndelivered(uint32_t choice) const {
  const Queue &queue = choice % 3 == 0   ? vector
                       : choice % 3 == 1 ? lds
                                         : scalar;
  for (MemoryOp *op : queue)
    if (!op->isDelivered)
      return op;
  return nullptr;
}
