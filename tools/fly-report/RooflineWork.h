//===- RooflineWork.h - The work of an object's kernels ---------*- C++ -*-===//
#ifndef FLY_TOOLS_FLY_REPORT_ROOFLINEWORK_H
#define FLY_TOOLS_FLY_REPORT_ROOFLINEWORK_H

#include "fly/Analysis/Roofline.h"

namespace fly::tools {

/// The work of one kernel of a code object.
struct ObjectWork {
  std::string chip;
  analysis::Work work;
};

/// The work of all kernels of the object \p contents, or of \p kernel alone.
/// Errors: an object that cannot be read, a kernel that it does not hold,
/// arguments that no kernel has, work that is not known.
llvm::Expected<std::vector<ObjectWork>>
readObjectWorks(llvm::StringRef path, llvm::StringRef contents,
                llvm::StringRef kernel, const analysis::WorkQuery &query);

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_REPORT_ROOFLINEWORK_H
