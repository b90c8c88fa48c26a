//===- Faults.h - messages of a launch that stopped -------------*- C++ -*-===//

#ifndef FLY_LIB_SIM_FAULTS_H
#define FLY_LIB_SIM_FAULTS_H

#include "Workgroup.h"

namespace fly::sim {

/// The FaultError of the workgroup's faulted wave.
llvm::Error makeFaultError(const WorkgroupState &workgroup);

/// The FaultError with what checks had found; they may say why it came to it.
llvm::Error addFindings(llvm::Error fault, std::vector<Finding> findings);

} // namespace fly::sim

#endif // FLY_LIB_SIM_FAULTS_H
