//===- WritePerfetto.cpp - A thread trace for Chrome and Perfetto ---------===//
//
// One process for each SIMD of each dispatch, one thread for each slot of a
// wave, and on it the waves with what they did inside. Dispatches follow each
// other, as they ran. Counters say how many waves are in flight.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/WriteThreadTrace.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

using namespace fly::profile;
using llvm::json::Object;
using llvm::json::OStream;

namespace {

/// Writes the events of one dispatch.
class Writer {
public:
  Writer(OStream &json, const ThreadTrace &trace, double offset,
         unsigned &nextProcess)
      : json(json), trace(trace), offset(offset), nextProcess(nextProcess) {
    for (const TracedInstruction &row : trace.instructions)
      if (!row.isComment())
        instructions[row.line] = &row;
  }

  void write() {
    for (const TracedWave &wave : trace.waves)
      writeWave(wave);
    writeOccupancy();
  }

private:
  /// Microseconds of a time of the trace.
  double at(uint64_t cycles) const { return offset + duration(cycles); }
  double duration(uint64_t cycles) const {
    return trace.clockMhz > 0 ? double(cycles) / trace.clockMhz
                              : double(cycles);
  }

  void name(llvm::StringRef what, unsigned process,
            std::optional<unsigned> thread, llvm::StringRef text) {
    Object event{{"ph", "M"},
                 {"name", what},
                 {"pid", process},
                 {"args", Object{{"name", llvm::json::fixUTF8(text)}}}};
    if (thread)
      event["tid"] = *thread;
    json.value(std::move(event));
  }

  /// The process of a SIMD, named when it comes first.
  unsigned processOf(unsigned engine, unsigned cu, unsigned simd) {
    auto [it, isNew] = processes.try_emplace({engine, cu, simd}, nextProcess);
    if (isNew)
      name("process_name", nextProcess++, std::nullopt,
           llvm::formatv("dispatch {0}: SE {1} CU {2} SIMD {3}", trace.dispatch,
                         engine, cu, simd)
               .str());
    return it->second;
  }

  void slice(llvm::StringRef text, llvm::StringRef category, uint64_t begin,
             uint64_t length, unsigned process, unsigned thread, Object args) {
    if (length == 0)
      return;
    json.value(Object{{"ph", "X"},
                      {"name", llvm::json::fixUTF8(text)},
                      {"cat", category},
                      {"ts", at(begin)},
                      {"dur", duration(length)},
                      {"pid", process},
                      {"tid", thread},
                      {"args", std::move(args)}});
  }

  void writeWave(const TracedWave &wave) {
    unsigned process = processOf(wave.shaderEngine, wave.cu, wave.simd);
    if (slots.insert({process, wave.slot}).second)
      name("thread_name", process, wave.slot,
           "slot " + std::to_string(wave.slot));
    slice("wave " + std::to_string(wave.id), "wave", wave.begin,
          wave.end - wave.begin, process, wave.slot,
          Object{{"cycles", wave.end - wave.begin},
                 {"instructions", uint64_t(wave.events.size())}});
    for (const WaveEvent &event : wave.events) {
      const TracedInstruction *row = instructions.lookup(event.line);
      llvm::StringRef text = row ? row->text : llvm::StringRef("?");
      Object args{{"line", event.line}, {"cycles", event.duration}};
      if (row && !row->source.empty())
        args["source"] = llvm::json::fixUTF8(row->source);
      slice(("waits: " + text.split(' ').first).str(), "stall", event.time,
            event.stall, process, wave.slot, Object{{"line", event.line}});
      slice(text, fly::profile::name(event.category), event.time + event.stall,
            event.duration - event.stall, process, wave.slot, std::move(args));
    }
  }

  /// Waves in flight of all compute units that were traced.
  void writeOccupancy() {
    if (trace.occupancy.empty())
      return;
    name("process_name", 0, std::nullopt, "all that is traced");
    int64_t waves = 0;
    for (auto it = trace.occupancy.begin(), end = trace.occupancy.end();
         it != end; ++it) {
      waves += it->starts ? 1 : -1;
      if (std::next(it) != end && std::next(it)->time == it->time)
        continue;
      json.value(Object{{"ph", "C"},
                        {"name", "waves in flight"},
                        {"ts", at(it->time)},
                        {"pid", 0},
                        {"args", Object{{"waves", waves}}}});
    }
  }

  OStream &json;
  const ThreadTrace &trace;
  const double offset;
  unsigned &nextProcess;
  llvm::DenseMap<uint32_t, const TracedInstruction *> instructions;
  std::map<std::tuple<unsigned, unsigned, unsigned>, unsigned> processes;
  std::set<std::pair<unsigned, unsigned>> slots;
};

} // namespace

/// When the last wave of a trace ends, in microseconds.
static double lengthOf(const ThreadTrace &trace) {
  uint64_t end = 0;
  for (const TracedWave &wave : trace.waves)
    end = std::max(end, wave.end);
  for (const OccupancyEvent &event : trace.occupancy)
    end = std::max(end, event.time);
  return trace.clockMhz > 0 ? double(end) / trace.clockMhz : double(end);
}

void fly::profile::writePerfetto(llvm::raw_ostream &os,
                                 llvm::ArrayRef<ThreadTrace> traces) {
  OStream json(os);
  json.object([&] {
    json.attributeArray("traceEvents", [&] {
      double offset = 0;
      unsigned nextProcess = 1;
      for (const ThreadTrace &trace : traces) {
        Writer(json, trace, offset, nextProcess).write();
        offset += lengthOf(trace);
      }
    });
    json.attribute("displayTimeUnit", "ns");
  });
  os << '\n';
}
