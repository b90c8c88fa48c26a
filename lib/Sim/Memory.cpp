//===- Memory.cpp - the device's address space ----------------------------===//

#include "fly/Sim/Memory.h"

#include "llvm/ADT/STLExtras.h"

#include <sys/mman.h>

using namespace fly::sim;
using namespace llvm;

static constexpr uint64_t pageBytes = 4096;

static uint64_t roundToPages(uint64_t bytes) {
  return (bytes + pageBytes - 1) & ~(pageBytes - 1);
}

DeviceMemory::~DeviceMemory() {
  for (MemoryRegion &region : regions)
    munmap(region.host, roundToPages(region.size));
}

Expected<uint64_t> DeviceMemory::allocate(uint64_t bytes, StringRef name) {
  if (bytes == 0)
    bytes = 1;
  if (bytes > endOfSpace || nextBase > endOfSpace - bytes - guardBytes)
    return createStringError("device memory '%s' of %llu bytes exceeds the "
                             "simulated address space",
                             name.str().c_str(), (unsigned long long)bytes);
  uint64_t reserved = roundToPages(bytes);
  void *host = mmap(nullptr, reserved, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (host == MAP_FAILED)
    return createStringError("no host memory for device memory '%s' of %llu "
                             "bytes",
                             name.str().c_str(), (unsigned long long)bytes);
  MemoryRegion region;
  region.base = nextBase;
  region.size = bytes;
  region.host = static_cast<uint8_t *>(host);
  region.name = name.str();
  nextBase += reserved + guardBytes;
  regions.push_back(std::move(region));
  return regions.back().base;
}

void DeviceMemory::setGuards(uint64_t base, uint64_t front, uint64_t back) {
  for (MemoryRegion &region : regions)
    if (region.base == base) {
      assert(front + back <= region.size && "no allocation is all guards");
      region.frontGuard = front;
      region.backGuard = back;
    }
}

void DeviceMemory::setTimedShift(uint64_t base, uint64_t bytes) {
  for (MemoryRegion &region : regions)
    if (region.base == base)
      region.timedShift = bytes;
}

Error DeviceMemory::free(uint64_t address) {
  auto it = llvm::find_if(regions, [&](const MemoryRegion &region) {
    return region.base == address;
  });
  if (it == regions.end())
    return createStringError("no device memory starts at 0x%llx",
                             (unsigned long long)address);
  munmap(it->host, roundToPages(it->size));
  regions.erase(it);
  return Error::success();
}

const MemoryRegion *DeviceMemory::find(uint64_t address) const {
  auto it = llvm::upper_bound(regions, address,
                              [](uint64_t value, const MemoryRegion &region) {
                                return value < region.base;
                              });
  if (it == regions.begin())
    return nullptr;
  --it;
  return it->contains(address, 1) ? &*it : nullptr;
}

uint64_t DeviceMemory::allocatedBytes() const {
  uint64_t bytes = 0;
  for (const MemoryRegion &region : regions)
    bytes += region.size;
  return bytes;
}

std::optional<uint64_t> DeviceMemory::findByName(StringRef name) const {
  for (const MemoryRegion &region : llvm::reverse(regions))
    if (region.name == name)
      return region.base + region.frontGuard;
  return std::nullopt;
}

const MemoryRegion *DeviceMemory::nearest(uint64_t address) const {
  const MemoryRegion *best = nullptr;
  uint64_t bestDistance = ~uint64_t(0);
  for (const MemoryRegion &region : regions) {
    uint64_t distance = address < region.base ? region.base - address
                        : address - region.base < region.size
                            ? 0
                            : address - region.base - region.size;
    if (distance < bestDistance) {
      bestDistance = distance;
      best = &region;
    }
  }
  return best;
}

uint8_t *DeviceMemory::host(uint64_t address, uint64_t bytes) const {
  const MemoryRegion *region = find(address);
  if (!region || !region->contains(address, bytes))
    return nullptr;
  return region->host + (address - region->base);
}

static Error outside(uint64_t address, uint64_t bytes) {
  return createStringError(
      "%llu bytes at device address 0x%llx are not inside one allocation",
      (unsigned long long)bytes, (unsigned long long)address);
}

Error DeviceMemory::write(uint64_t address, ArrayRef<uint8_t> bytes) {
  if (bytes.empty())
    return Error::success();
  uint8_t *target = host(address, bytes.size());
  if (!target)
    return outside(address, bytes.size());
  std::memcpy(target, bytes.data(), bytes.size());
  return Error::success();
}

Error DeviceMemory::read(uint64_t address,
                         MutableArrayRef<uint8_t> bytes) const {
  if (bytes.empty())
    return Error::success();
  const uint8_t *source = host(address, bytes.size());
  if (!source)
    return outside(address, bytes.size());
  std::memcpy(bytes.data(), source, bytes.size());
  return Error::success();
}
