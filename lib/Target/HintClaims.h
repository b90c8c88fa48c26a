//===- HintClaims.h - What hints ask for against what there is --*- C++ -*-===//
//
// Group hints are positional: one operation claimed too many or too few, and
// all groups behind it slip. So what the hints of a loop claim is compared with
// its machine code.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_TARGET_HINTCLAIMS_H
#define FLY_LIB_TARGET_HINTCLAIMS_H

#include "fly/Reports/IsaReport.h"

#include <string>

namespace fly::target {

/// What does not fit between the claim, the value of hintsClaimAttrName, and
/// the loop, with both numbers; empty where all fits.
std::string compareClaim(llvm::StringRef claim,
                         const reports::LoopReport &loop);

} // namespace fly::target

#endif // FLY_LIB_TARGET_HINTCLAIMS_H
