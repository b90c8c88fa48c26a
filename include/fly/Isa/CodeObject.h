//===- CodeObject.h - a loaded AMDHSA code object ---------------*- C++ -*-===//
//
// What problem: a simulator or a report gets the bytes that a ROCm loader
// would get, from any compiler, possibly damaged.
// What idea: one pass over ELF, program headers, dynamic relocations, kernel
// descriptors and the msgpack metadata note, each bound checked, into plain
// structs that own their data. Nothing here refers to the input afterwards.
// What it refuses: anything that is not a 64-bit little-endian AMDGPU ELF for
// HSA with a readable metadata note and consistent kernels is an llvm::Error.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ISA_CODEOBJECT_H
#define FLY_ISA_CODEOBJECT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fly::isa {

/// What the launcher puts at an argument's offset. Names follow the metadata's
/// `.value_kind` of AMDGPUUsage, code object version 5.
enum class ArgumentKind : uint8_t {
  ByValue,
  GlobalBuffer,
  DynamicSharedPointer,
  HiddenBlockCountX,
  HiddenBlockCountY,
  HiddenBlockCountZ,
  HiddenGroupSizeX,
  HiddenGroupSizeY,
  HiddenGroupSizeZ,
  HiddenRemainderX,
  HiddenRemainderY,
  HiddenRemainderZ,
  HiddenGlobalOffsetX,
  HiddenGlobalOffsetY,
  HiddenGlobalOffsetZ,
  HiddenGridDims,
  HiddenDynamicLdsSize,
  HiddenPrivateBase,
  HiddenSharedBase,
  HiddenQueuePtr,
  /// Pointers that the host runtime owns (printf, hostcall, heap, ...) and
  /// hidden_none: zero here.
  HiddenNull,
  /// Images, samplers, queues, pipes: not launchable here.
  Unsupported,
};

/// One `.args` entry of a kernel.
struct KernelArgument {
  std::string name;     ///< Empty where the compiler gave none.
  std::string typeName; ///< Source type, may be empty.
  std::string valueKind;
  ArgumentKind kind = ArgumentKind::ByValue;
  uint32_t offset = 0; ///< Bytes from the kernarg segment's start.
  uint32_t size = 0;   ///< Bytes.

  /// Not given by the caller but by the launcher.
  bool isHidden() const {
    return kind >= ArgumentKind::HiddenBlockCountX &&
           kind <= ArgumentKind::HiddenNull;
  }
};

/// The 64 bytes in front of which the packet processor starts a kernel, with
/// the fields that AMDGPUUsage, "Kernel Descriptor", defines for gfx90a+.
struct KernelDescriptor {
  uint32_t groupSegmentFixedSize = 0;   ///< Static LDS, bytes.
  uint32_t privateSegmentFixedSize = 0; ///< Scratch, bytes a lane.
  uint32_t kernargSize = 0;             ///< Bytes.
  int64_t entryOffset = 0; ///< Entry, bytes from the descriptor's address.
  uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;
  uint16_t codeProperties = 0;
  uint16_t kernargPreload = 0;

  static llvm::Expected<KernelDescriptor> parse(llvm::ArrayRef<uint8_t> bytes);

  /// VGPRs and AGPRs together, a multiple of 8.
  unsigned totalVectorRegisters() const { return ((rsrc1 & 0x3f) + 1) * 8; }
  /// First AGPR in the unified file: architected VGPRs, a multiple of 4.
  unsigned accumOffset() const { return ((rsrc3 & 0x3f) + 1) * 4; }
  /// FLOAT_ROUND and FLOAT_DENORM modes, as MODE[7:0] starts.
  unsigned floatMode() const { return (rsrc1 >> 12) & 0xff; }
  bool dx10Clamp() const { return rsrc1 & (1u << 21); }
  bool ieeeMode() const { return rsrc1 & (1u << 23); }
  bool fp16Ovfl() const { return rsrc1 & (1u << 26); }
  bool enablePrivateSegment() const { return rsrc2 & 1; }
  unsigned userSgprCount() const { return (rsrc2 >> 1) & 0x1f; }
  bool enableWorkgroupId(unsigned dim) const {
    return rsrc2 & (1u << (7 + dim));
  }
  bool enableWorkgroupInfo() const { return rsrc2 & (1u << 10); }
  /// Highest work-item dimension that v0 carries, 0..2.
  unsigned workitemIdDims() const { return (rsrc2 >> 11) & 3; }
  bool usesPrivateSegmentBuffer() const { return codeProperties & 1; }
  bool usesDispatchPtr() const { return codeProperties & 2; }
  bool usesQueuePtr() const { return codeProperties & 4; }
  bool usesKernargPtr() const { return codeProperties & 8; }
  bool usesDispatchId() const { return codeProperties & 16; }
  bool usesFlatScratchInit() const { return codeProperties & 32; }
  bool usesPrivateSegmentSize() const { return codeProperties & 64; }
  bool usesWave32() const { return codeProperties & (1u << 10); }
  bool usesDynamicStack() const { return codeProperties & (1u << 11); }
  unsigned preloadDwords() const { return kernargPreload & 0x7f; }
  unsigned preloadOffsetDwords() const { return (kernargPreload >> 7) & 0x1ff; }
};

/// One kernel: descriptor and metadata together.
struct Kernel {
  std::string name;   ///< `.name`
  std::string symbol; ///< `.symbol`, ends in ".kd".
  KernelDescriptor descriptor;
  uint64_t descriptorAddress = 0;
  uint64_t entry = 0;    ///< Address of the first instruction.
  uint64_t codeSize = 0; ///< Bytes by the function symbol, 0 if unknown.
  /// Where firmware enters that preloads arguments: it skips the loads that
  /// older firmware needs. [LLVM22] AMDGPUUsage, "Preloaded Kernel Arguments".
  uint64_t preloadEntry() const {
    return entry + (descriptor.preloadDwords() ? 256 : 0);
  }
  std::vector<KernelArgument> arguments;
  uint32_t kernargSegmentSize = 0;
  uint32_t kernargSegmentAlign = 1;
  uint32_t groupSegmentFixedSize = 0;
  uint32_t privateSegmentFixedSize = 0;
  uint32_t vgprCount = 0; ///< As the metadata says.
  uint32_t agprCount = 0;
  uint32_t sgprCount = 0;
  uint32_t vgprSpillCount = 0;
  uint32_t sgprSpillCount = 0;
  uint32_t maxFlatWorkgroupSize = 1024;
  uint32_t wavefrontSize = 64;
  /// `.reqd_workgroup_size`, zero where not required.
  std::array<uint32_t, 3> requiredWorkgroupSize = {0, 0, 0};
};

/// A loadable range of addresses.
struct Segment {
  uint64_t address = 0;       ///< In the object's own address space.
  std::vector<uint8_t> bytes; ///< Memory size, zero filled.
  bool executable = false;
  bool writable = false;
};

/// A defined symbol.
struct Symbol {
  std::string name;
  uint64_t address = 0;
  uint64_t size = 0;
  bool isFunction = false;
};

/// A note record.
struct Note {
  std::string vendor;
  uint32_t type = 0;
  std::vector<uint8_t> bytes;
};

/// A code object, owned.
class CodeObject {
public:
  static llvm::Expected<CodeObject> load(llvm::StringRef bytes,
                                         llvm::StringRef name = "code object");

  /// Chip name from the ELF flags: "gfx942".
  const std::string &chip() const { return chipName; }
  /// 5 or 6: from the ELF's ABI version.
  unsigned version() const { return codeObjectVersion; }
  /// `amdhsa.target`, for example "amdgcn-amd-amdhsa--gfx942".
  const std::string &target() const { return targetId; }
  const std::vector<Kernel> &kernels() const { return kernelList; }
  /// Null if there is no such kernel.
  const Kernel *findKernel(llvm::StringRef name) const;
  /// Sorted by address, not overlapping.
  const std::vector<Segment> &segments() const { return segmentList; }
  /// Sorted by address.
  const std::vector<Symbol> &symbols() const { return symbolList; }
  const std::vector<Note> &notes() const { return noteList; }
  /// `amdhsa.printf` and the rest are left to readers of the raw note.

  /// `size` bytes at an address of the object; empty if not inside a segment.
  llvm::ArrayRef<uint8_t> bytesAt(uint64_t address, uint64_t size) const;
  /// One past the highest loaded address.
  uint64_t imageEnd() const;
  /// Addresses of 64-bit words that hold an address of the image and move
  /// with the load base.
  const std::vector<uint64_t> &relativeRelocations() const {
    return relativeWords;
  }

private:
  friend class CodeObjectReader;
  std::string chipName;
  std::string targetId;
  unsigned codeObjectVersion = 0;
  std::vector<Kernel> kernelList;
  std::vector<Segment> segmentList;
  std::vector<Symbol> symbolList;
  std::vector<Note> noteList;
  std::vector<uint64_t> relativeWords;
};

} // namespace fly::isa

#endif // FLY_ISA_CODEOBJECT_H
