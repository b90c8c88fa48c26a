//===- LdsInstances.h - Accesses of LDS at known addresses ------*- C++ -*-===//
//
// What problem: one instruction touches other bytes on each path on which its
// address holds another value, and whether two of them meet is asked often.
// What idea: an instruction with an address and the lanes that take part is an
// instance, computed and named once; so is where two of them meet.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_VERIFY_LDSINSTANCES_H
#define FLY_LIB_VERIFY_LDSINSTANCES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <map>

#include "LdsAccess.h"

namespace fly::verify {

struct LdsInstance {
  size_t index; ///< Of the instruction.
  LdsAccess access;
  bool isMasked; ///< EXEC was unknown: perhaps fewer lanes.
  LdsBytes bytes;
};

class LdsInstances {
public:
  explicit LdsInstances(LaneValues &values) : values(values) {}

  /// The number of the instance that instruction `index` is with the known
  /// `address`, in the lanes of `exec`.
  uint32_t number(size_t index, const LdsAccess &access, ValueId address,
                  ValueId exec);
  const LdsInstance &operator[](uint32_t number) const {
    return instances[number];
  }
  /// For each wave of `first`, a mask of the waves of `second` that touch a
  /// byte of its. Valid until the next call.
  llvm::ArrayRef<uint32_t> meetings(uint32_t first, uint32_t second);

private:
  LaneValues &values;
  std::deque<LdsInstance> instances;
  std::map<std::tuple<size_t, ValueId, ValueId>, uint32_t> numbers;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, llvm::SmallVector<uint32_t, 16>>
      masks;
};

} // namespace fly::verify

#endif // FLY_LIB_VERIFY_LDSINSTANCES_H
