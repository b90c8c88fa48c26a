//===- Overlay.cpp - Buffers that share bytes -----------------------------===//
//
// A buffer is needed from the first op that touches it to the last, counted in
// the innermost block that has all of them: what one trip of a loop writes and
// reads is needed inside that trip, what a loop is given or hands on during the
// whole loop. Two buffers that are not needed together may lie in one place;
// the barriers between the last read of one and the first write of the other
// follow from the views, which name the same field.
//
//===----------------------------------------------------------------------===//
#include "Overlay.h"

using namespace mlir;
using namespace fly;
using namespace fly::stage;

namespace {
/// From the first op to the last, by number in the kernel.
struct Span {
  unsigned first = 0, last = 0;
  bool meets(const Span &other) const {
    return first <= other.last && other.first <= last;
  }
};

/// Numbers of all ops, in program order.
class Numbering {
public:
  explicit Numbering(FunctionOpInterface kernel) { number(kernel); }

  Span getSpan(const Buffer &buffer) const {
    Block *block = buffer.users.front()->getBlock();
    auto holdsAll = [&] {
      return llvm::all_of(buffer.users, [&](Operation *op) {
        return block->findAncestorOpInBlock(*op);
      });
    };
    while (!holdsAll())
      block = block->getParentOp()->getBlock();
    Span span =
        spans.lookup(block->findAncestorOpInBlock(*buffer.users.front()));
    for (Operation *op : buffer.users) {
      Span other = spans.lookup(block->findAncestorOpInBlock(*op));
      span = {std::min(span.first, other.first),
              std::max(span.last, other.last)};
    }
    return span;
  }

private:
  void number(Operation *op) {
    unsigned first = next++;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          number(&inner);
    spans[op] = {first, next - 1};
  }

  DenseMap<Operation *, Span> spans;
  unsigned next = 0;
};
} // namespace

void stage::overlay(FunctionOpInterface kernel, MutableArrayRef<Buffer> buffers,
                    int64_t leastBytes) {
  Numbering numbering(kernel);
  SmallVector<Span> spans;
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    buffer.home = index;
    spans.push_back(numbering.getSpan(buffer));
  }
  // The largest first: the others find room in them.
  SmallVector<unsigned> order;
  for (unsigned index = 0; index < buffers.size(); ++index)
    if (buffers[index].mayShare && buffers[index].bytes() >= leastBytes)
      order.push_back(index);
  llvm::sort(order, [&](unsigned lhs, unsigned rhs) {
    return std::pair(-buffers[lhs].bytes(), lhs) <
           std::pair(-buffers[rhs].bytes(), rhs);
  });
  auto fits = [&](unsigned index, unsigned home) {
    if (buffers[home].home != home ||
        buffers[home].bytes() < buffers[index].bytes())
      return false;
    for (unsigned other = 0; other < buffers.size(); ++other)
      if (other != index && buffers[other].home == home &&
          spans[other].meets(spans[index]))
        return false;
    return true;
  };
  llvm::SmallDenseSet<unsigned> placed;
  for (unsigned index : order) {
    for (unsigned home = 0; home < buffers.size(); ++home) {
      bool isOpen = !buffers[home].mayShare || placed.contains(home);
      if (home != index && isOpen && fits(index, home)) {
        buffers[index].home = home;
        break;
      }
    }
    placed.insert(index);
  }
}
