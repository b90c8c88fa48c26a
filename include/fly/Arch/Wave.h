//===- Wave.h - The wave that tile layouts are written for ------*- C++ -*-===//
//
// Layouts of tiles and the explicit level know one kind of wave, and an
// attribute has no chip to ask. These are its numbers: what every chip that Fly
// compiles for has in common. A unit test holds them against the chip tables.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_WAVE_H
#define FLY_ARCH_WAVE_H

#include <cstdint>

namespace fly::arch {

/// Lanes of a wave (ArchInfo::waveSize).
inline constexpr int64_t waveLanes = 64;
/// Threads of the largest workgroup (WorkgroupLimits::maxThreads), and waves.
inline constexpr int64_t maxWorkgroupThreads = 1024;
inline constexpr int64_t maxWorkgroupWaves = maxWorkgroupThreads / waveLanes;
/// Bytes that one lane moves at once at most, to and from LDS and global memory
/// (the widest row of LdsModel.h). Pointers and LDS fields are aligned to it.
inline constexpr int64_t widestAccessBytes = 16;
/// Bytes that a global access of more than 4 of them starts at a multiple of.
/// [LLVM22]
inline constexpr int64_t wideAccessAlign = 4;
/// What one lane has of a vector register; a scalar register is as large.
inline constexpr int64_t registerBytes = 4;
inline constexpr int64_t registerBits = 8 * registerBytes;
/// Accumulation registers of a lane (RegisterFile::maxAccVgprs).
inline constexpr unsigned accumulationRegisters = 256;
/// Bits of an LDS byte address: the largest LDS of the tables has 320 KiB.
inline constexpr unsigned ldsAddressBits = 19;
/// Bits of all vector registers of a lane (RegisterFile::maxVgprs).
inline constexpr int64_t laneRegisterBits = 512 * registerBits;

} // namespace fly::arch

#endif // FLY_ARCH_WAVE_H
