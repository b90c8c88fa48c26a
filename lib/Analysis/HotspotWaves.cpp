//===- HotspotWaves.cpp - What wave files add to a hotspot report ---------===//
//
// Each file is read without keeping its events: once for where the wave ran,
// what its waits waited for and its matrix instructions, and where there are
// waits once more for the distances. The access that decides a wait is the one
// that was issued last of those it waited for, since results return in order.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/ThreadTraceReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <map>
#include <unordered_map>

#include "HotspotParts.h"

using namespace fly;
using namespace fly::analysis;
using isa::InstructionKind;
using llvm::StringRef;
using profile::TracedWave;
using profile::WaveEvent;

namespace {
/// The matrix unit of one SIMD, and when the SIMD had waves.
struct SimdUse {
  uint64_t matrixCycles = 0;
  std::vector<std::pair<uint64_t, uint64_t>> lives;

  /// Cycles with at least one wave.
  double occupiedCycles() {
    llvm::sort(lives);
    double sum = 0;
    uint64_t end = 0;
    for (auto [from, to] : lives) {
      from = std::max(from, end);
      if (to > from)
        sum += double(to - from);
      end = std::max(end, to);
    }
    return sum;
  }
};

class WaveReader {
public:
  WaveReader(HotspotReport &report,
             llvm::ArrayRef<const arch::ArchInfo *> chips);

  llvm::Error read(StringRef file);
  void finish();

private:
  /// The instruction of an event.
  llvm::Expected<size_t> find(const WaveEvent &event) const;
  llvm::Error readDistances(StringRef file, const TracedWave &wave);

  HotspotReport &report;
  std::unordered_map<uint32_t, size_t> indexOf;
  std::vector<std::optional<unsigned>> matrixCyclesOf;
  bool isMatrixKnown = true;
  std::map<std::array<unsigned, 3>, SimdUse> simds;
  static constexpr size_t maxDistances = 1 << 18;
  std::map<std::pair<uint32_t, uint32_t>, WaitDistance> distances;
};
} // namespace

WaveReader::WaveReader(HotspotReport &report,
                       llvm::ArrayRef<const arch::ArchInfo *> chips)
    : report(report), matrixCyclesOf(report.types.size()) {
  for (auto [index, row] : llvm::enumerate(report.trace.instructions)) {
    if (row.isComment())
      continue;
    indexOf.try_emplace(row.line, index);
    if (report.types[index].kind == InstructionKind::Mfma)
      matrixCyclesOf[index] = matrixCycles(row, chips);
  }
}

llvm::Expected<size_t> WaveReader::find(const WaveEvent &event) const {
  auto found = indexOf.find(event.line);
  if (found != indexOf.end())
    return found->second;
  return llvm::createStringError("line " + llvm::Twine(event.line) +
                                 " is of no instruction in code.json; are "
                                 "both of one trace?");
}

llvm::Error WaveReader::read(StringRef file) {
  TracedWave wave;
  uint64_t cycles = 0;
  auto count = [&](const WaveEvent &event) -> llvm::Error {
    llvm::Expected<size_t> index = find(event);
    if (!index)
      return index.takeError();
    if (report.types[*index].kind != InstructionKind::Mfma)
      return llvm::Error::success();
    isMatrixKnown &= matrixCyclesOf[*index].has_value();
    cycles += matrixCyclesOf[*index].value_or(0);
    return llvm::Error::success();
  };
  profile::ThreadTraceOptions options;
  options.timelines = false;
  if (llvm::Error error = profile::readWaveFile(file, wave, count, options))
    return error;
  SimdUse &simd = simds[{wave.shaderEngine, wave.cu, wave.simd}];
  simd.matrixCycles += cycles;
  simd.lives.emplace_back(wave.begin, wave.end);
  return wave.waits.empty() ? llvm::Error::success()
                            : readDistances(file, wave);
}

llvm::Error WaveReader::readDistances(StringRef file, const TracedWave &wave) {
  struct Issue {
    uint64_t time = 0, instructions = 0, mfma = 0;
    bool happened = false;
  };
  std::unordered_map<uint32_t, Issue> accesses;
  std::unordered_map<uint32_t, llvm::ArrayRef<uint32_t>> waits;
  for (const profile::WaitLink &link : wave.waits) {
    waits[link.wait] = link.sources;
    for (uint32_t source : link.sources)
      accesses[source];
  }
  uint64_t instructions = 0, mfma = 0;
  auto measure = [&](const WaveEvent &event, llvm::ArrayRef<uint32_t> sources) {
    const Issue *last = nullptr;
    uint32_t access = 0;
    for (uint32_t source : sources) {
      const Issue &issue = accesses[source];
      if (!issue.happened || (last && last->time > issue.time))
        continue;
      last = &issue;
      access = source;
    }
    if (!last)
      return;
    WaitDistance &distance = distances[{event.line, access}];
    uint64_t cycles = event.time > last->time ? event.time - last->time : 0;
    ++distance.count;
    distance.leastCycles = std::min(distance.leastCycles, cycles);
    distance.cycles += double(cycles);
    distance.instructions += double(instructions - last->instructions - 1);
    distance.mfma += double(mfma - last->mfma);
    distance.stall += event.stall;
  };
  TracedWave again;
  profile::ThreadTraceOptions options;
  options.timelines = options.waits = false;
  return profile::readWaveFile(
      file, again,
      [&](const WaveEvent &event) -> llvm::Error {
        llvm::Expected<size_t> index = find(event);
        if (!index)
          return index.takeError();
        if (auto wait = waits.find(event.line); wait != waits.end())
          measure(event, wait->second);
        if (auto access = accesses.find(event.line); access != accesses.end())
          access->second = {event.time + event.stall, instructions, mfma, true};
        ++instructions;
        mfma += report.types[*index].kind == InstructionKind::Mfma;
        if (distances.size() > maxDistances)
          return llvm::createStringError("the waves have more than " +
                                         llvm::Twine(maxDistances) +
                                         " different waits and accesses");
        return llvm::Error::success();
      },
      options);
}

void WaveReader::finish() {
  double matrix = 0, occupied = 0;
  for (auto &[place, simd] : simds) {
    matrix += double(simd.matrixCycles);
    occupied += simd.occupiedCycles();
  }
  if (isMatrixKnown && occupied > 0)
    report.matrix.busy = matrix / occupied;
  for (auto &[lines, distance] : distances) {
    WaitDistance mean = distance;
    mean.wait = lines.first;
    mean.access = lines.second;
    for (double *sum :
         {&mean.cycles, &mean.instructions, &mean.mfma, &mean.stall})
      *sum /= double(mean.count);
    report.distances.push_back(mean);
  }
  llvm::sort(
      report.distances, [](const WaitDistance &a, const WaitDistance &b) {
        double first = a.stall * double(a.count),
               second = b.stall * double(b.count);
        return first != second
                   ? first > second
                   : std::pair(a.wait, a.access) < std::pair(b.wait, b.access);
      });
}

llvm::Error
fly::analysis::addWaves(HotspotReport &report, StringRef directory,
                        llvm::ArrayRef<const arch::ArchInfo *> chips) {
  auto files = profile::listWaveFiles(directory);
  if (!files)
    return files.takeError();
  WaveReader reader(report, chips);
  for (const std::string &file : *files)
    if (llvm::Error error = reader.read(file))
      return error;
  reader.finish();
  if (files->empty())
    report.distancesNotTold = "wave files; the folder has none";
  else if (report.distances.empty())
    report.distancesNotTold =
        "wave files with 'waitcnt' lists; these have none";
  return llvm::Error::success();
}
