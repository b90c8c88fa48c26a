//===- KernelDescriptor.cpp - the 64 bytes behind a kernel symbol ---------===//
//
// Offsets: AMDGPUUsage, "Kernel Descriptor" [LLVM22], see
// llvm/Support/AMDHSAKernelDescriptor.h.
//
//===----------------------------------------------------------------------===//

#include "fly/Isa/CodeObject.h"

#include "llvm/Support/Endian.h"

using namespace fly::isa;
using namespace llvm;

Expected<KernelDescriptor> KernelDescriptor::parse(ArrayRef<uint8_t> bytes) {
  if (bytes.size() < 64)
    return createStringError("kernel descriptor has %zu bytes, expected 64",
                             bytes.size());
  const uint8_t *p = bytes.data();
  KernelDescriptor kd;
  kd.groupSegmentFixedSize = support::endian::read32le(p);
  kd.privateSegmentFixedSize = support::endian::read32le(p + 4);
  kd.kernargSize = support::endian::read32le(p + 8);
  kd.entryOffset = int64_t(support::endian::read64le(p + 16));
  kd.rsrc3 = support::endian::read32le(p + 44);
  kd.rsrc1 = support::endian::read32le(p + 48);
  kd.rsrc2 = support::endian::read32le(p + 52);
  kd.codeProperties = support::endian::read16le(p + 56);
  kd.kernargPreload = support::endian::read16le(p + 58);
  if (kd.usesWave32())
    return createStringError(
        "kernel descriptor asks for 32-lane waves, which gfx9 does not have");
  return kd;
}
