//===- Kernarg.cpp - the kernel argument segment --------------------------===//
//
// What idea: the metadata alone says where an argument lies, so objects of any
// compiler launch alike. Hidden arguments follow AMDGPUUsage, "Code Object V5
// Metadata" [LLVM22]; grids are whole workgroups, so remainders are 0.
// What it refuses: a wrong number of arguments or bytes, by name.
//
//===----------------------------------------------------------------------===//

#include "Kernarg.h"

#include "llvm/Support/Endian.h"

#include "Workgroup.h"

using namespace fly;
using namespace fly::sim;
using namespace llvm;

/// The value of a hidden argument; at most 8 bytes are used.
static uint64_t hiddenValue(isa::ArgumentKind kind, const LaunchParams &params,
                            uint64_t queueAddress) {
  using Kind = isa::ArgumentKind;
  switch (kind) {
  case Kind::HiddenBlockCountX:
  case Kind::HiddenBlockCountY:
  case Kind::HiddenBlockCountZ:
    return params
        .workgroups[unsigned(kind) - unsigned(Kind::HiddenBlockCountX)];
  case Kind::HiddenGroupSizeX:
  case Kind::HiddenGroupSizeY:
  case Kind::HiddenGroupSizeZ:
    return params
        .workgroupSize[unsigned(kind) - unsigned(Kind::HiddenGroupSizeX)];
  case Kind::HiddenGridDims:
    for (unsigned dim = 2; dim != 0; --dim)
      if (params.workgroups[dim] > 1 || params.workgroupSize[dim] > 1)
        return dim + 1;
    return 1;
  case Kind::HiddenDynamicLdsSize:
    return params.dynamicLdsBytes;
  case Kind::HiddenSharedBase:
    return sharedApertureBase >> 32;
  case Kind::HiddenPrivateBase:
    return privateApertureBase >> 32;
  case Kind::HiddenQueuePtr:
    return queueAddress;
  default: // Remainders, global offsets and host pointers are 0.
    return 0;
  }
}

static Error wrongCount(const isa::Kernel &kernel, size_t given) {
  std::string names;
  size_t expected = 0;
  for (const isa::KernelArgument &argument : kernel.arguments) {
    if (argument.isHidden())
      continue;
    names += (expected++ ? ", " : "") +
             (argument.name.empty() ? "<unnamed>" : argument.name);
  }
  return createStringError("kernel '%s' takes %zu arguments (%s), %zu given",
                           kernel.name.c_str(), expected, names.c_str(), given);
}

Expected<std::vector<uint8_t>> sim::buildKernarg(const isa::Kernel &kernel,
                                                 const LaunchParams &params,
                                                 uint64_t queueAddress) {
  if (!params.kernarg.empty()) {
    if (params.kernarg.size() < kernel.kernargSegmentSize)
      return createStringError(
          "kernel '%s' needs a kernarg segment of %u bytes, %zu given",
          kernel.name.c_str(), kernel.kernargSegmentSize,
          params.kernarg.size());
    return params.kernarg;
  }
  std::vector<uint8_t> segment(kernel.kernargSegmentSize, 0);
  size_t next = 0;
  for (const isa::KernelArgument &argument : kernel.arguments) {
    uint8_t *place = segment.data() + argument.offset;
    if (argument.isHidden()) {
      uint8_t value[8];
      support::endian::write64le(
          value, hiddenValue(argument.kind, params, queueAddress));
      std::memcpy(place, value, std::min<size_t>(argument.size, 8));
      continue;
    }
    if (argument.kind == isa::ArgumentKind::Unsupported)
      return createStringError(
          "argument '%s' of kernel '%s' is a '%s', which can not be launched",
          argument.name.c_str(), kernel.name.c_str(),
          argument.valueKind.c_str());
    if (next == params.arguments.size())
      return wrongCount(kernel, params.arguments.size());
    const std::vector<uint8_t> &bytes = params.arguments[next].bytes;
    if (bytes.size() != argument.size)
      return createStringError(
          "argument %zu ('%s') of kernel '%s' has %zu bytes, expected %u", next,
          argument.name.c_str(), kernel.name.c_str(), bytes.size(),
          argument.size);
    std::memcpy(place, bytes.data(), bytes.size());
    ++next;
  }
  if (next != params.arguments.size())
    return wrongCount(kernel, params.arguments.size());
  return segment;
}

std::vector<uint8_t> sim::buildDispatchPacket(const isa::Kernel &kernel,
                                              const LaunchParams &params,
                                              uint64_t kernelObject,
                                              uint64_t kernargAddress) {
  using namespace support::endian;
  std::vector<uint8_t> packet(64, 0);
  uint8_t *p = packet.data();
  write16le(p, 2); // HSA_PACKET_TYPE_KERNEL_DISPATCH
  write16le(p + 2, 3);
  for (unsigned dim = 0; dim != 3; ++dim) {
    write16le(p + 4 + 2 * dim, uint16_t(params.workgroupSize[dim]));
    write32le(p + 12 + 4 * dim,
              params.workgroupSize[dim] * params.workgroups[dim]);
  }
  write32le(p + 24, kernel.descriptor.privateSegmentFixedSize);
  write32le(p + 28,
            kernel.descriptor.groupSegmentFixedSize + params.dynamicLdsBytes);
  write64le(p + 32, kernelObject);
  write64le(p + 40, kernargAddress);
  return packet;
}
