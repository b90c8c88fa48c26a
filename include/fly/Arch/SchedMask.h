//===- SchedMask.h - Instruction classes of scheduling hints ----*- C++ -*-===//
//
// The classes of sched_barrier and sched_group_barrier by name. [LLVM22]
// IntrinsicsAMDGPU.td and the IGroupLP mutation.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_SCHEDMASK_H
#define FLY_ARCH_SCHEDMASK_H

namespace fly::arch {

/// One class of instructions of a hint. Classes combine by or.
enum class SchedMask : unsigned {
  Fence = 0, ///< sched_barrier: nothing crosses.
  Alu = 0x1, ///< Everything that is no memory access.
  Valu = 0x2,
  Salu = 0x4,
  Mfma = 0x8,
  AllVmem = 0x10,
  VmemRead = 0x20,
  VmemWrite = 0x40,
  AllDs = 0x80,
  DsRead = 0x100,
  DsWrite = 0x200,
  Trans = 0x400,
};

constexpr unsigned operator|(SchedMask a, SchedMask b) {
  return static_cast<unsigned>(a) | static_cast<unsigned>(b);
}

} // namespace fly::arch

#endif // FLY_ARCH_SCHEDMASK_H
