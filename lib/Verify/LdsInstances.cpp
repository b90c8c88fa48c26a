//===- LdsInstances.cpp - Accesses of LDS at known addresses --------------===//
#include "LdsInstances.h"

using namespace fly;
using namespace fly::verify;

uint32_t LdsInstances::number(size_t index, const LdsAccess &access,
                              ValueId address, ValueId exec) {
  auto [it, isNew] =
      numbers.try_emplace({index, address, exec}, uint32_t(instances.size()));
  if (isNew) {
    bool isMasked = exec == unknownValue;
    instances.push_back(
        {index, access, isMasked,
         LdsBytes(access, address, isMasked ? values.allLanes() : exec,
                  values)});
  }
  return it->second;
}

llvm::ArrayRef<uint32_t> LdsInstances::meetings(uint32_t first,
                                                uint32_t second) {
  auto [it, isNew] = masks.try_emplace({first, second});
  if (isNew)
    it->second = instances[first].bytes.meetings(instances[second].bytes);
  return it->second;
}
