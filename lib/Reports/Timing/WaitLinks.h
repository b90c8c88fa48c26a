//===- WaitLinks.h - What waits of a wave waited for ------------*- C++ -*-===//
//
// A wait that leaves n under way ends all but the youngest n of its counter.
// The wave's executed instructions are walked in order; each wait is linked to
// the memory instructions that it ends.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_REPORTS_TIMING_WAITLINKS_H
#define FLY_LIB_REPORTS_TIMING_WAITLINKS_H

#include "fly/Isa/Instruction.h"
#include "fly/Profile/ThreadTrace.h"

#include <deque>
#include <map>
#include <set>

namespace fly::reports {

class WaitLinks {
public:
  /// The wave executes `inst`, which has this line in the trace.
  void execute(const isa::Instruction &inst, uint32_t line);
  /// Of all waits until now, ascending by line.
  std::vector<profile::WaitLink> links() const;

private:
  void drain(std::deque<uint32_t> &queue, unsigned leave, uint32_t wait);

  std::deque<uint32_t> vectors, locals; ///< Lines, oldest first.
  std::map<uint32_t, std::set<uint32_t>> found;
};

} // namespace fly::reports

#endif // FLY_LIB_REPORTS_TIMING_WAITLINKS_H
