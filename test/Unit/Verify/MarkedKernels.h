//===- MarkedKernels.h - kernels whose bad lines are marked -----*- C++ -*-===//
//
// A case is the body of a kernel in assembly. Lines that a check must report
// end in "// BAD"; every other report is a false alarm, and without such lines
// the rule must be proved. All cases of a test
// are kernels of one object, assembled once.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_VERIFY_MARKEDKERNELS_H
#define FLY_TEST_UNIT_VERIFY_MARKEDKERNELS_H

#include "fly/Verify/Verify.h"

#include <string>
#include <vector>

namespace fly::test {

struct MarkedKernel {
  const char *name;
  /// s[0:1] is the kernarg pointer, v0 the work-item id.
  const char *body;
};

/// What is launched, for the cases that depend on it.
struct MarkedLaunch {
  unsigned workgroupSize = 256;
};

/// The object of these kernels; empty, with `message` set, on failure.
std::string assembleKernels(const std::vector<MarkedKernel> &kernels,
                            llvm::StringRef chip, std::string &message,
                            const MarkedLaunch &launch = {});

/// Assembles, verifies, and compares what `rule` reports with the marks.
void expectMarked(const std::vector<MarkedKernel> &kernels,
                  llvm::StringRef chip, verify::Rule rule,
                  const MarkedLaunch &launch = {});

} // namespace fly::test

#endif // FLY_TEST_UNIT_VERIFY_MARKEDKERNELS_H
