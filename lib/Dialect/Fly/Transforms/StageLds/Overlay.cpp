//===- Overlay.cpp - Buffers that share bytes -----------------------------===//
//
// A buffer is needed from the first op that touches it to the last, counted in
// the innermost block that has all of them: what one trip of a loop writes and
// reads is needed inside that trip, what a loop is given or hands on during the
// whole loop. Of the two regions of a branch one runs, so what is touched in
// both and nowhere else, as operands are where a kernel has a fast and a safe
// body, is needed in a part of each. Buffers that are not needed together may
// lie over each other in one shared object, a large one over several small
// ones; the barriers between the last read of one and the first write of the
// other follow from the fields, whose bytes meet.
//
// Placed are first the buffers that others may lie over but that lie over none,
// one behind the other, then the others, the largest first, each at the lowest
// byte that is free while it is needed. What shares no byte then is taken out,
// and the rest placed anew.
//
//===----------------------------------------------------------------------===//
#include "Overlay.h"

#include "fly/Arch/Wave.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

using namespace mlir;
using namespace fly;
using namespace fly::stage;

/// Bytes from a buffer to what lies behind it.
static int64_t getPlace(const Buffer &buffer) {
  return llvm::alignTo(buffer.bytes(), arch::widestAccessBytes);
}

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

  /// Where the ops of `users`, or what holds them, stand: in one piece, or in
  /// one of each region of the branch that has all of them.
  SmallVector<Span> getSpans(ArrayRef<Operation *> users) const {
    Block *block = users.front()->getBlock();
    auto holdsAll = [&] {
      return llvm::all_of(users, [&](Operation *op) {
        return block->findAncestorOpInBlock(*op);
      });
    };
    while (!holdsAll())
      block = block->getParentOp()->getBlock();
    Operation *first = block->findAncestorOpInBlock(*users.front());
    Span span = spans.lookup(first);
    bool isInOne = true;
    for (Operation *op : users) {
      Operation *ancestor = block->findAncestorOpInBlock(*op);
      // What hands a buffer on needs it as a whole.
      isInOne &= ancestor == first && op != first;
      Span other = spans.lookup(ancestor);
      span = {std::min(span.first, other.first),
              std::max(span.last, other.last)};
    }
    auto branch = dyn_cast<scf::IfOp>(first);
    if (!isInOne || !branch)
      return {span};
    SmallVector<Span> result;
    for (Region &region : branch->getRegions()) {
      SmallVector<Operation *> inside;
      llvm::copy_if(users, std::back_inserter(inside), [&](Operation *op) {
        return region.isAncestor(op->getParentRegion());
      });
      if (!inside.empty())
        llvm::append_range(result, getSpans(inside));
    }
    return result;
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

/// Where a buffer lies, in bytes of the shared object.
static Span getBytesOf(const Buffer &buffer) {
  return {unsigned(*buffer.offset),
          unsigned(*buffer.offset + getPlace(buffer) - 1)};
}

namespace {
/// The placement of the members of one shared object.
class Placement {
public:
  Placement(MutableArrayRef<Buffer> buffers, ArrayRef<SmallVector<Span>> spans)
      : buffers(buffers), spans(spans) {}

  /// Places `members` in this order.
  void place(ArrayRef<unsigned> members) {
    for (unsigned position = 0; position < members.size(); ++position) {
      unsigned index = members[position];
      ArrayRef<unsigned> before = members.take_front(position);
      Buffer &buffer = buffers[index];
      // Behind something that is needed at the same time, or at the beginning.
      SmallVector<int64_t> candidates = {0};
      for (unsigned other : before)
        candidates.push_back(*buffers[other].offset + getPlace(buffers[other]));
      llvm::sort(candidates);
      for (int64_t candidate : candidates) {
        buffer.offset = candidate;
        if (llvm::none_of(before, [&](unsigned other) {
              return meetsInTime(index, other) && meetsInBytes(index, other);
            }))
          break;
      }
      buffer.under.clear();
      for (unsigned other : before)
        if (meetsInBytes(index, other))
          buffer.under.push_back(other);
    }
  }
  bool meetsInBytes(unsigned lhs, unsigned rhs) const {
    return getBytesOf(buffers[lhs]).meets(getBytesOf(buffers[rhs]));
  }

private:
  /// Whether both are needed at one time; those that lie over nothing keep
  /// their bytes all the time as far as each other is concerned.
  bool meetsInTime(unsigned lhs, unsigned rhs) const {
    return llvm::any_of(spans[lhs],
                        [&](const Span &span) {
                          return llvm::any_of(spans[rhs],
                                              [&](const Span &other) {
                                                return span.meets(other);
                                              });
                        }) ||
           (!buffers[lhs].mayShare && !buffers[rhs].mayShare);
  }

  MutableArrayRef<Buffer> buffers;
  ArrayRef<SmallVector<Span>> spans;
};
} // namespace

void stage::overlay(FunctionOpInterface kernel, MutableArrayRef<Buffer> buffers,
                    int64_t leastBytes) {
  Numbering numbering(kernel);
  SmallVector<SmallVector<Span>> spans;
  SmallVector<unsigned> members;
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    buffer.offset.reset();
    buffer.under.clear();
    spans.push_back(numbering.getSpans(buffer.users));
    if (!buffer.mayShare || buffer.bytes() >= leastBytes)
      members.push_back(index);
  }
  llvm::sort(members, [&](unsigned lhs, unsigned rhs) {
    auto key = [&](unsigned index) {
      const Buffer &buffer = buffers[index];
      return std::tuple(buffer.mayShare, buffer.mayShare ? -buffer.bytes() : 0,
                        index);
    };
    return key(lhs) < key(rhs);
  });
  Placement placement(buffers, spans);
  for (size_t before = members.size() + 1; members.size() < before;) {
    before = members.size();
    placement.place(members);
    llvm::DenseSet<unsigned> shares;
    for (unsigned index : members)
      for (unsigned other : buffers[index].under)
        for (unsigned each : {index, other})
          shares.insert(each);
    llvm::erase_if(members, [&](unsigned index) {
      if (shares.contains(index))
        return false;
      buffers[index].offset.reset();
      return true;
    });
  }
}

int64_t stage::getBytes(ArrayRef<Buffer> buffers) {
  int64_t bytes = 0, shared = 0;
  for (const Buffer &buffer : buffers)
    if (buffer.offset)
      shared = std::max(shared, *buffer.offset + getPlace(buffer));
    else
      bytes += getPlace(buffer);
  return bytes + shared;
}
