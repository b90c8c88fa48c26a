//===- Vmem.cpp - flat, global and scratch memory -------------------------===//
//
// What idea: the part of the mnemonic behind the space's name selects a
// template of LaneMemory.h. Cache control does nothing to values.
// What it refuses: forms outside the table.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/StringSwitch.h"

#include "AtomicOps.h"
#include "VmemLookup.h"

using namespace fly::sim;
using fly::isa::Format;
using fly::isa::Instruction;

template <typename Space>
static ExecFn findAccess(llvm::StringRef operation) {
  return llvm::StringSwitch<ExecFn>(operation)
      .Case("load_ubyte", loadElement<Space, Extend::Zero8>)
      .Case("load_sbyte", loadElement<Space, Extend::Sign8>)
      .Case("load_ushort", loadElement<Space, Extend::Zero16>)
      .Case("load_sshort", loadElement<Space, Extend::Sign16>)
      .Case("load_dword", loadDwords<Space, 1>)
      .Case("load_dwordx2", loadDwords<Space, 2>)
      .Case("load_dwordx3", loadDwords<Space, 3>)
      .Case("load_dwordx4", loadDwords<Space, 4>)
      .Case("load_ubyte_d16", loadElement<Space, Extend::Low16Zero8>)
      .Case("load_ubyte_d16_hi", loadElement<Space, Extend::High16Zero8>)
      .Case("load_sbyte_d16", loadElement<Space, Extend::Low16Sign8>)
      .Case("load_sbyte_d16_hi", loadElement<Space, Extend::High16Sign8>)
      .Case("load_short_d16", loadElement<Space, Extend::Low16>)
      .Case("load_short_d16_hi", loadElement<Space, Extend::High16>)
      .Case("store_byte", storeElement<Space, 1, false>)
      .Case("store_byte_d16_hi", storeElement<Space, 1, true>)
      .Case("store_short", storeElement<Space, 2, false>)
      .Case("store_short_d16_hi", storeElement<Space, 2, true>)
      .Case("store_dword", storeDwords<Space, 1>)
      .Case("store_dwordx2", storeDwords<Space, 2>)
      .Case("store_dwordx3", storeDwords<Space, 3>)
      .Case("store_dwordx4", storeDwords<Space, 4>)
      .Default(nullptr);
}

ExecFn fly::sim::lookupVmem(const Instruction &inst, ChipKind chip) {
  llvm::StringRef name = inst.mnemonic;
  switch (inst.format) {
  case Format::Global:
    if (!name.consume_front("global_"))
      return nullptr;
    if (inst.lds)
      return lookupGlobalToLds(inst);
    if (name.consume_front("atomic_"))
      return findMemoryAtomic<GlobalSpace>(name);
    return findAccess<GlobalSpace>(name);
  case Format::Flat:
    if (!name.consume_front("flat_"))
      return nullptr;
    if (name.consume_front("atomic_"))
      return findMemoryAtomic<FlatSpace>(name);
    return findAccess<FlatSpace>(name);
  case Format::Scratch:
    return name.consume_front("scratch_") && !inst.lds
               ? findAccess<ScratchSpace>(name)
               : nullptr;
  case Format::MUBUF:
    return lookupBuffer(inst, chip);
  default:
    return nullptr;
  }
}
