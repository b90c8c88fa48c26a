//===- Visibility.cpp - stores that other workgroups may not see ----------===//

#include "Visibility.h"

#include "fly/Isa/InstructionClass.h"
#include "fly/Sim/Simulator.h"

#include "llvm/Support/FormatVariadic.h"

#include "../Workgroup.h"

using namespace fly;
using namespace fly::sim;

StoreHistory::Page *StoreHistory::page(uint64_t address, bool create) {
  uint64_t number = address / pageBytes;
  std::lock_guard<std::mutex> lock(mutex);
  auto found = pages.find(number);
  if (found != pages.end())
    return found->second.get();
  if (!create)
    return nullptr;
  ++pageCount;
  return (pages[number] = std::make_unique<Page>()).get();
}

uint32_t Knowledge::releasesOf(uint64_t workgroup) const {
  auto it = llvm::lower_bound(entries, Entry(workgroup, 0));
  return it != entries.end() && it->first == workgroup ? it->second : 0;
}

void Knowledge::note(uint64_t workgroup, uint32_t releases) {
  auto it = llvm::lower_bound(entries, Entry(workgroup, 0));
  if (it != entries.end() && it->first == workgroup)
    it->second = std::max(it->second, releases);
  else
    entries.insert(it, {workgroup, releases});
}

void Knowledge::join(const Knowledge &other) {
  if (other.entries.size() < entries.size() / 16) {
    for (auto [workgroup, releases] : other.entries)
      note(workgroup, releases);
    return;
  }
  std::vector<Entry> merged;
  merged.reserve(entries.size() + other.entries.size());
  auto mine = entries.begin(), end = entries.end();
  for (Entry theirs : other.entries) {
    while (mine != end && mine->first < theirs.first)
      merged.push_back(*mine++);
    if (mine != end && mine->first == theirs.first)
      theirs.second = std::max(theirs.second, (mine++)->second);
    merged.push_back(theirs);
  }
  merged.insert(merged.end(), mine, end);
  entries = std::move(merged);
}

static bool isWriteBack(const isa::Instruction &inst) {
  return inst.sc1 && inst.mnemonic == "buffer_wbl2";
}

void StoreHistory::release(uint64_t workgroup) {
  std::lock_guard<std::mutex> lock(mutex);
  ++releases[workgroup];
  ++releaseCount;
}

uint32_t StoreHistory::releasesOf(uint64_t workgroup) {
  std::lock_guard<std::mutex> lock(mutex);
  return releases.lookup(workgroup);
}

void StoreHistory::announce(uint64_t writer, const Knowledge &known) {
  std::lock_guard<std::mutex> lock(mutex);
  announced[writer] = known;
}

void StoreHistory::publish(uint64_t writer, llvm::ArrayRef<uint64_t> addresses,
                           const Knowledge &known) {
  std::lock_guard<std::mutex> lock(mutex);
  for (uint64_t address : addresses)
    places[address].join(known);
  announced.erase(writer);
}

void StoreHistory::learn(uint64_t address, Knowledge &known) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = places.find(address);
  if (found != places.end())
    known.join(found->second);
  for (const auto &entry : announced)
    known.join(entry.second);
}

VisibilityCheck::VisibilityCheck(FindingLog &log, const LoadedProgram &program,
                                 StoreHistory &history)
    : log(log), program(program), history(history),
      writesBack(llvm::any_of(
          program.program().instructions(),
          [](const isa::Instruction &inst) { return isWriteBack(inst); })) {}

void VisibilityCheck::startWorkgroup(uint64_t number) {
  workgroup = number;
  // Its start drops no lines that its XCD has read before.
  known.clear();
  acquired.clear();
  writingBack = 0;
  releases = 0;
  for (std::vector<OpenStore> &stores : openStores)
    stores.clear();
}

StoreHistory::Page *VisibilityCheck::pageAt(uint64_t address, bool create) {
  uint64_t number = address / StoreHistory::pageBytes;
  CachedPage &entry = cache[number % cachedPages];
  uint64_t version = history.version();
  if (entry.number == number &&
      (entry.page || (!create && entry.version == version)))
    return entry.page;
  entry = {number, version, history.page(address, create)};
  return entry.page;
}

/// Bytes of the dword at `address` that lie in [begin, end).
static unsigned bytesOfDword(uint64_t address, uint64_t begin, uint64_t end) {
  unsigned mask = 0;
  for (unsigned i = 0; i != 4; ++i)
    if (address + i >= begin && address + i < end)
      mask |= 1u << i;
  return mask;
}

void VisibilityCheck::store(const LaneAccess &access, size_t slot,
                            bool isPlain) {
  uint64_t end = access.address + access.bytes;
  for (uint64_t at = access.address & ~uint64_t(3); at < end; at += 4) {
    StoreHistory::Page *page = pageAt(at, isPlain);
    if (!page)
      continue;
    std::atomic<uint64_t> &dword =
        page->dwords[at % StoreHistory::pageBytes / 4];
    StoreHistory::Store mine{workgroup, bytesOfDword(at, access.address, end),
                             releases, uint32_t(slot)};
    uint64_t bits = dword.load(std::memory_order_relaxed);
    StoreHistory::Store old = StoreHistory::Store::unpack(bits);
    if (bits && old.workgroup == workgroup && old.releases == releases)
      mine.bytes |= old.bytes;
    dword.store(isPlain ? mine.pack() : 0, std::memory_order_relaxed);
  }
}

void VisibilityCheck::load(const LaneAccess &access,
                           const isa::Instruction &inst,
                           const WaveState &wave) {
  uint64_t end = access.address + access.bytes;
  for (uint64_t at = access.address & ~uint64_t(3); at < end; at += 4) {
    StoreHistory::Page *page = pageAt(at, false);
    if (!page)
      continue;
    uint64_t bits = page->dwords[at % StoreHistory::pageBytes / 4].load(
        std::memory_order_relaxed);
    StoreHistory::Store store = StoreHistory::Store::unpack(bits);
    if (!bits || store.workgroup == workgroup ||
        !(store.bytes & bytesOfDword(at, access.address, end)))
      continue;
    const Knowledge &sees = inst.sc1 ? known : acquired;
    if (sees.releasesOf(store.workgroup) > store.releases)
      continue;
    const isa::Instruction &other = *program.slots()[store.slot].instruction;
    log.report(Check::Visibility, wave, inst, access.lane, &other, [&] {
      const char *what =
          known.releasesOf(store.workgroup) > store.releases
              ? "and this one has not acquired at agent scope since it knows "
                "of the release: buffer_inv sc1 is missing in front of the read"
          : history.releasesOf(store.workgroup) > store.releases
              ? "and this one has read nothing that says that it was released: "
                "an atomic of the writer behind its buffer_wbl2 sc1 and "
                "s_waitcnt vmcnt(0), and one of the reader behind that, are "
                "missing"
              : "which has not released it at agent scope: buffer_wbl2 sc1 and "
                "s_waitcnt vmcnt(0) are missing behind the store, in its "
                "wave or behind a barrier";
      return llvm::formatv("the dword at {0:x} was stored by workgroup {1}, "
                           "{2}",
                           at, store.workgroup, what)
          .str();
    });
    return;
  }
}

/// Whether others may take from what it writes that its workgroup has come so
/// far.
static bool isSignal(const isa::Instruction &inst) {
  return !isa::isLoad(inst) && (!isa::isStore(inst) || inst.sc1);
}

void VisibilityCheck::announce(const isa::Instruction &inst) {
  if (!known.empty() && isSignal(inst))
    history.announce(workgroup, known);
}

/// Takes and leaves knowledge at the dwords of an atomic, or of an access with
/// sc1.
void VisibilityCheck::synchronise(const isa::Instruction &inst,
                                  const AccessLog &accesses) {
  bool writes = isSignal(inst);
  bool reads = isa::isLoad(inst) ? inst.sc1 : !isa::isStore(inst) && inst.sc0;
  if ((!writes && !reads) || !history.hasReleases())
    return;
  Knowledge mine = known;
  llvm::SmallVector<uint64_t, 4> addresses;
  for (const LaneAccess &access : accesses) {
    uint64_t address = access.address & ~uint64_t(3);
    if (access.space == MemorySpace::Global &&
        !llvm::is_contained(addresses, address))
      addresses.push_back(address);
  }
  if (reads)
    for (uint64_t address : addresses)
      history.learn(address, known);
  if (writes && !mine.empty())
    history.publish(workgroup, addresses, mine);
}

void VisibilityCheck::access(const isa::Instruction &inst, size_t slot,
                             const WaveState &wave, const AccessLog &accesses) {
  bool isPlain = !inst.sc1 && isa::isStore(inst) &&
                 workgroup <= StoreHistory::maxWorkgroup &&
                 slot <= StoreHistory::maxSlot &&
                 releases < StoreHistory::maxReleases;
  synchronise(inst, accesses);
  // Others of the workgroup may take from it how far this wave is.
  if (!accesses.empty() && isSignal(inst))
    openStores[wave.waveIndex].clear();
  // Nothing was stored in this launch.
  if (!isPlain && history.version() == 0)
    return;
  for (const LaneAccess &access : accesses) {
    if (access.space != MemorySpace::Global)
      continue;
    if (!access.isWrite) {
      load(access, inst, wave);
      continue;
    }
    store(access, slot, isPlain);
    if (isPlain && writesBack)
      openStores[wave.waveIndex].push_back({access.address, access.bytes});
  }
}

void VisibilityCheck::control(const isa::Instruction &inst,
                              const WaveState &wave) {
  if (!inst.sc1)
    return;
  if (isWriteBack(inst)) {
    writingBack |= uint64_t(1) << wave.waveIndex;
    openStores[wave.waveIndex].clear();
  } else if (inst.mnemonic == "buffer_inv")
    acquired = known;
}

void VisibilityCheck::wait(const arch::WaitCount &count,
                           const WaveState &wave) {
  uint64_t bit = uint64_t(1) << wave.waveIndex;
  if (count.vm != 0 || !(writingBack & bit))
    return;
  writingBack &= ~bit;
  history.release(workgroup);
  known.note(workgroup, ++releases);
  reopenStores();
}

/// Stores that the release which has just been counted does not cover are as
/// good as made behind it.
void VisibilityCheck::reopenStores() {
  for (const std::vector<OpenStore> &stores : openStores)
    for (const OpenStore &open : stores) {
      uint64_t end = open.address + open.bytes;
      for (uint64_t at = open.address & ~uint64_t(3); at < end; at += 4) {
        StoreHistory::Page *page = pageAt(at, true);
        std::atomic<uint64_t> &dword =
            page->dwords[at % StoreHistory::pageBytes / 4];
        uint64_t bits = dword.load(std::memory_order_relaxed);
        StoreHistory::Store store = StoreHistory::Store::unpack(bits);
        if (!bits || store.workgroup != workgroup)
          continue;
        store.releases = releases;
        dword.store(releases < StoreHistory::maxReleases ? store.pack() : 0,
                    std::memory_order_relaxed);
      }
    }
}

void VisibilityCheck::releaseBarrier() {
  for (std::vector<OpenStore> &stores : openStores)
    stores.clear();
}
