//===- Visibility.h - stores that other workgroups may not see --*- C++ -*-===//
//
// What problem: each XCD has an L2 of its own. A plain store stays in the L2 of
// its XCD until a release writes it back, and a reader on another XCD finds an
// old line until an acquire drops it. Workgroups that share an XCD hide that.
// What idea: each dword of global memory that the launch has stored to plainly
// remembers by which workgroup, and how many releases that had made. A read by
// another workgroup wants a release of the writer behind the store and an
// acquire of the reader behind that release. Where workgroups run does not
// matter: it may be another XCD in the next launch.
// A release is buffer_wbl2 sc1 and a wait for vmcnt(0); an acquire is
// buffer_inv sc1. Stores with sc1 write through, loads with sc1 need no
// acquire, atomics are coherent. [LLVM22] AMDGPUUsage, "Memory Model GFX942"
// A workgroup knows of releases by what it reads: atomics and stores with sc1
// leave at their address what their workgroup knows, its own releases included,
// and atomics and loads with sc1 of others take it from there.
// A write-back of one wave covers the stores of another where a barrier, or an
// atomic of the other, stands between them; the L1 of the workgroup keeps
// their order, so that no wait is asked for. [LLVM22] fences of a workgroup
// What it refuses: whether the waves of a reader wait for the one that acquires
// is asked by nobody.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_CHECK_VISIBILITY_H
#define FLY_LIB_SIM_CHECK_VISIBILITY_H

#include "llvm/ADT/DenseMap.h"

#include <atomic>
#include <mutex>

#include "../Listener.h"
#include "FindingLog.h"
#include "InstructionFacts.h"

namespace fly::sim {

class LoadedProgram;

/// How many releases of which workgroups somebody knows of.
class Knowledge {
public:
  bool empty() const { return entries.empty(); }
  uint32_t releasesOf(uint64_t workgroup) const;
  void note(uint64_t workgroup, uint32_t releases);
  void join(const Knowledge &other);
  void clear() { entries.clear(); }

private:
  using Entry = std::pair<uint64_t, uint32_t>;
  std::vector<Entry> entries; ///< Ascending by workgroup.
};

/// What all host threads of a launch know of stores; thread-safe.
class StoreHistory {
public:
  /// The last plain store of a dword, packed; 0: none.
  struct Store {
    uint64_t workgroup = 0; ///< In dispatch order.
    unsigned bytes = 0;     ///< Mask of the bytes stored.
    uint32_t releases = 0;  ///< Of the workgroup, before it.
    uint32_t slot = 0;      ///< Of the instruction.

    uint64_t pack() const {
      return (workgroup + 1) << 40 | uint64_t(bytes) << 36 |
             uint64_t(releases) << 24 | slot;
    }
    static Store unpack(uint64_t bits) {
      return {(bits >> 40) - 1, unsigned(bits >> 36) & 15,
              uint32_t(bits >> 24) & maxReleases, uint32_t(bits) & maxSlot};
    }
  };
  /// What does not fit is not watched.
  static constexpr uint32_t maxReleases = (1u << 12) - 1;
  static constexpr uint32_t maxSlot = (1u << 24) - 1;
  static constexpr uint64_t maxWorkgroup = (1u << 24) - 2;

  static constexpr uint64_t pageBytes = 4096;
  struct Page {
    std::atomic<uint64_t> dwords[pageBytes / 4] = {};
  };

  /// The page that holds `address`; null if nothing was stored there, unless
  /// `create`.
  Page *page(uint64_t address, bool create);
  /// Changes with each new page.
  uint64_t version() const { return pageCount.load(); }

  /// The workgroup has written its stores back.
  void release(uint64_t workgroup);
  uint32_t releasesOf(uint64_t workgroup);
  /// True once any workgroup has.
  bool hasReleases() const { return releaseCount.load() != 0; }

  /// What workgroup `writer` is about to leave at an address that is not known
  /// yet; others may already see what it writes there.
  void announce(uint64_t writer, const Knowledge &known);
  /// It has left it there.
  void publish(uint64_t writer, llvm::ArrayRef<uint64_t> addresses,
               const Knowledge &known);
  /// What can be known by whoever reads the dword at `address`.
  void learn(uint64_t address, Knowledge &known);

private:
  std::mutex mutex;
  llvm::DenseMap<uint64_t, std::unique_ptr<Page>> pages;
  llvm::DenseMap<uint64_t, uint32_t> releases;
  llvm::DenseMap<uint64_t, Knowledge> places;
  llvm::DenseMap<uint64_t, Knowledge> announced;
  std::atomic<uint64_t> pageCount{0};
  std::atomic<uint64_t> releaseCount{0};
};

/// The check of one host thread.
class VisibilityCheck {
public:
  VisibilityCheck(FindingLog &log, const LoadedProgram &program,
                  StoreHistory &history);

  void startWorkgroup(uint64_t number);
  /// Before a memory instruction.
  void announce(const isa::Instruction &inst);
  /// After a memory instruction or cache operation.
  void access(const isa::Instruction &inst, size_t slot, const WaveState &wave,
              const AccessLog &accesses);
  /// A write-back or an invalidation; the former counts when its wave waits.
  void control(const isa::Instruction &inst, const WaveState &wave);
  void wait(const arch::WaitCount &count, const WaveState &wave);
  /// All waves of the workgroup have met at a barrier.
  void releaseBarrier();

private:
  StoreHistory::Page *pageAt(uint64_t address, bool create);
  void store(const LaneAccess &access, size_t slot, bool isPlain);
  void load(const LaneAccess &access, const isa::Instruction &inst,
            const WaveState &wave);
  void synchronise(const isa::Instruction &inst, const AccessLog &accesses);
  void reopenStores();

  FindingLog &log;
  const LoadedProgram &program;
  StoreHistory &history;
  uint64_t workgroup = 0;
  uint32_t releases = 0;
  Knowledge known;
  Knowledge acquired;       ///< What was known at the last acquire.
  uint64_t writingBack = 0; ///< Waves with a write-back not waited for.
  /// Plain stores of each wave that no write-back of another wave covers yet;
  /// kept for programs that write back.
  struct OpenStore {
    uint64_t address;
    uint32_t bytes;
  };
  static constexpr unsigned maxWaves = 16;
  std::vector<OpenStore> openStores[maxWaves];
  bool writesBack = false;
  /// Pages that were looked up before; that one does not exist holds for a
  /// version of the history.
  struct CachedPage {
    uint64_t number = ~uint64_t(0), version = 0;
    StoreHistory::Page *page = nullptr;
  };
  static constexpr unsigned cachedPages = 256;
  CachedPage cache[cachedPages];
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_CHECK_VISIBILITY_H
