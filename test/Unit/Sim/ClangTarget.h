//===- ClangTarget.h - how clang compiles a test's kernels ------*- C++ -*-===//
//
// Parameters of tests that are compiled for several chips and levels, with
// names and printed values that are the same in every run: GoogleTest prints a
// type that it does not know as bytes, addresses included.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_SIM_CLANGTARGET_H
#define FLY_TEST_UNIT_SIM_CLANGTARGET_H

#include "llvm/ADT/StringRef.h"

#include <ostream>

#include "gtest/gtest.h"

namespace fly::test {

struct ClangTarget {
  const char *name;    ///< Of the test: letters and digits.
  const char *chip;    ///< "gfx942"
  const char *options; ///< Separated by blanks.
};

inline void PrintTo(const ClangTarget &target, // NOLINT: GoogleTest's name
                    std::ostream *os) {
  *os << target.chip << " " << target.options;
}

/// Names a test after its ClangTarget.
inline std::string targetName(const testing::TestParamInfo<ClangTarget> &info) {
  return info.param.name;
}

/// Names a test after a file of test/Sim/Objects, without the extension.
inline std::string fileName(const testing::TestParamInfo<const char *> &info) {
  return llvm::StringRef(info.param).drop_back(2).str();
}

/// Plain OpenCL kernels: optimised and not.
inline const ClangTarget openClTargets[] = {
    {"Gfx942O3", "gfx942", "-O3"},
    {"Gfx942O0", "gfx942", "-O0"},
    {"Gfx950O3", "gfx950", "-O3"},
    {"Gfx950O0", "gfx950", "-O0"},
};

/// HIP kernels: also with preloaded arguments and an older code object.
inline const ClangTarget hipTargets[] = {
    {"Gfx942O0", "gfx942", "-O0"},
    {"Gfx942O1", "gfx942", "-O1"},
    {"Gfx942O3", "gfx942", "-O3 -mllvm -amdgpu-kernarg-preload-count=16"},
    {"Gfx942V4", "gfx942", "-O2 -mcode-object-version=4"},
    {"Gfx950O0", "gfx950", "-O0"},
    {"Gfx950O1", "gfx950", "-O1"},
    {"Gfx950O3", "gfx950", "-O3 -mllvm -amdgpu-kernarg-preload-count=16"},
};

} // namespace fly::test

#endif // FLY_TEST_UNIT_SIM_CLANGTARGET_H
