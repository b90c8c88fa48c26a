//===- Memory.h - the device's address space --------------------*- C++ -*-===//
//
// What problem: a kernel gets 64-bit addresses and must fault, not corrupt the
// host, when it uses one that nobody allocated.
// What idea: each allocation is a range of a simulated address space with its
// own reserve of host memory, separated from its neighbours by unmapped gaps.
// Host pages come on first use, so buffers of several GiB cost what is touched.
// What it refuses: an access that is not wholly inside one allocation.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_MEMORY_H
#define FLY_SIM_MEMORY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fly::sim {

/// One allocation.
struct MemoryRegion {
  uint64_t base = 0; ///< Device address.
  uint64_t size = 0; ///< Bytes that exist.
  /// Bytes of them at both ends that are nobody's; see setGuards().
  uint64_t frontGuard = 0, backGuard = 0;
  uint64_t timedShift = 0; ///< See setTimedShift().
  uint8_t *host = nullptr;
  std::string name; ///< For messages.

  bool contains(uint64_t address, uint64_t bytes) const {
    return address >= base && bytes <= size && address - base <= size - bytes;
  }
};

/// The memory of one simulated device. Not changed while a launch runs.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;
  ~DeviceMemory();

  /// Reserves `bytes` (at least 1) of zeroed memory and gives its address,
  /// aligned to 4096.
  llvm::Expected<uint64_t> allocate(uint64_t bytes, llvm::StringRef name = "");
  /// Bytes at both ends of the allocation at `base` become guards: the host may
  /// read and write them, a kernel that is checked for bounds may not.
  void setGuards(uint64_t base, uint64_t front, uint64_t back);
  /// Timing takes addresses of the allocation at `base` to be so many bytes
  /// further on: values are checked with the alignment that a contract gives,
  /// and timed with the one that allocators of runtimes give.
  void setTimedShift(uint64_t base, uint64_t bytes);
  /// Ends the allocation that starts at `address`.
  llvm::Error free(uint64_t address);

  llvm::Error write(uint64_t address, llvm::ArrayRef<uint8_t> bytes);
  llvm::Error read(uint64_t address,
                   llvm::MutableArrayRef<uint8_t> bytes) const;
  /// Host view of a range, null unless it lies inside one allocation.
  uint8_t *host(uint64_t address, uint64_t bytes) const;

  /// Bytes of all allocations.
  uint64_t allocatedBytes() const;
  /// Where the allocation of that name begins, behind its guard; the last one
  /// of several.
  std::optional<uint64_t> findByName(llvm::StringRef name) const;
  /// The allocation that holds `address`, null if none does.
  const MemoryRegion *find(uint64_t address) const;
  /// The allocation next to `address`, for messages; null if there is none.
  const MemoryRegion *nearest(uint64_t address) const;

private:
  /// Sorted by base.
  std::vector<MemoryRegion> regions;
  uint64_t nextBase = firstBase;

  /// Addresses below are never valid, so small integers fault.
  static constexpr uint64_t firstBase = uint64_t(1) << 40;
  /// Unmapped bytes between allocations.
  static constexpr uint64_t guardBytes = uint64_t(1) << 20;
  /// Device addresses have 47 usable bits.
  static constexpr uint64_t endOfSpace = uint64_t(1) << 47;
};

} // namespace fly::sim

#endif // FLY_SIM_MEMORY_H
