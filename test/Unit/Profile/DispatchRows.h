//===- DispatchRows.h - All that a file of dispatches gives -----*- C++ -*-===//
#ifndef FLY_TEST_UNIT_PROFILE_DISPATCHROWS_H
#define FLY_TEST_UNIT_PROFILE_DISPATCHROWS_H

#include "fly/Profile/DispatchReader.h"

#include "ScratchFolder.h"

namespace fly::profile {

inline constexpr DispatchNeeds everything = [] {
  DispatchNeeds needs;
  needs.times = needs.registers = needs.shape = true;
  return needs;
}();

struct Dispatches {
  std::vector<Dispatch> rows;
  std::string error;
};
inline Dispatches read(const std::string &path,
                       const DispatchNeeds &needs = everything) {
  Dispatches result;
  result.error =
      message(forEachDispatch(path, needs, [&](const Dispatch &dispatch) {
        result.rows.push_back(dispatch);
        return llvm::Error::success();
      }));
  return result;
}

struct Counters {
  std::vector<std::pair<uint64_t, CounterValue>> rows;
  std::string error;
};
inline Counters readCounterFile(const std::string &path) {
  Counters result;
  result.error = message(forEachCounter(
      path, [&](const Dispatch &dispatch, const CounterValue &value) {
        result.rows.emplace_back(*dispatch.id, value);
        return llvm::Error::success();
      }));
  return result;
}

} // namespace fly::profile

#endif // FLY_TEST_UNIT_PROFILE_DISPATCHROWS_H
