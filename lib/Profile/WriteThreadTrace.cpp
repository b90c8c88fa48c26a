//===- WriteThreadTrace.cpp - A thread trace as viewers load it -----------===//
//
// The files of rocprofv3's directories, of which filenames.json is what viewers
// look for. It carries one key more than theirs, by which a later run knows a
// directory that may be replaced.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/WriteThreadTrace.h"

#include "fly/Support/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <map>

#include "CsvField.h"
#include "TraceFiles.h"

using namespace fly;
using namespace fly::profile;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::OStream;
using llvm::json::Value;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Version of the format, as its readers know it.
static constexpr StringRef formatVersion = "3.0.0";
/// States of a wave, each with a file of its own.
static constexpr unsigned stateCount = 5;

namespace {

/// Bytes of files by name, below the directory.
using Files = std::map<std::string, std::string>;

/// A wave and the file that has it.
struct WaveFile {
  const TracedWave *wave;
  std::string name;
};

} // namespace

std::string fly::profile::directoryName(const ThreadTrace &trace) {
  return "ui_output_agent_" + trace.agent + "_dispatch_" + trace.dispatch;
}

template <typename Write>
static std::string toText(Write write) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OStream json(stream);
  write(json);
  stream << '\n';
  return text;
}

static Value utf8(StringRef text) { return llvm::json::fixUTF8(text); }

static std::string codeFile(const ThreadTrace &trace) {
  return toText([&](OStream &json) {
    json.object([&] {
      json.attribute("writer", trace.writer);
      json.attributeArray("code", [&] {
        for (const TracedInstruction &row : trace.instructions)
          json.value(Array{utf8(row.text), 0, row.line, utf8(row.source),
                           row.codeObject, row.address, row.hits, row.latency,
                           row.stall, row.idle});
      });
      json.attribute("version", formatVersion);
      json.attribute("header", "ISA, _, LineNumber, Source, Codeobj, Vaddr, "
                               "Hit, Latency, Stall, Idle");
    });
  });
}

/// Viewers keep 16 bits of a stall. What is longer stands in pieces of no
/// category before the event, on its line; readers of ours join them.
static void writeEvent(OStream &json, WaveEvent event) {
  for (; event.stall > longestStall; event.stall -= longestStall) {
    json.value(Array{event.time, unsigned(Category::None), longestStall,
                     longestStall, event.line});
    event.time += longestStall;
    event.duration -= longestStall;
  }
  json.value(Array{event.time, unsigned(event.category), event.stall,
                   event.duration, event.line});
}

static std::string waveFile(const TracedWave &wave) {
  return toText([&](OStream &json) {
    json.object([&] {
      json.attribute("name", "SE" + std::to_string(wave.shaderEngine));
      json.attribute("duration", wave.end - wave.begin);
      json.attribute("num_insts", uint64_t(wave.events.size()));
      json.attribute("num_stitched", uint64_t(wave.events.size()));
      json.attributeObject("wave", [&] {
        json.attribute("cu", wave.cu);
        json.attribute("id", wave.id);
        json.attribute("simd", wave.simd);
        json.attribute("slot", wave.slot);
        json.attribute("begin", wave.begin);
        json.attribute("end", wave.end);
        json.attributeArray("instructions", [&] {
          for (const WaveEvent &event : wave.events)
            writeEvent(json, event);
        });
        json.attributeArray("timeline", [&] {
          for (const WaveStretch &stretch : wave.timeline)
            json.value(Array{unsigned(stretch.state), stretch.duration});
        });
        json.attributeArray("waitcnt", [&] {
          for (const WaitLink &link : wave.waits) {
            Array sources;
            for (uint32_t line : link.sources)
              sources.push_back(Array{line, 0});
            json.value(Array{link.wait, std::move(sources)});
          }
        });
      });
    });
  });
}

static std::string filenamesFile(const ThreadTrace &trace,
                                 llvm::ArrayRef<WaveFile> files) {
  // Shader engine, SIMD, slot, wave.
  Object engines;
  auto child = [](Object &parent, unsigned key) -> Object & {
    Value &value = parent[std::to_string(key)];
    if (!value.getAsObject())
      value = Object();
    return *value.getAsObject();
  };
  for (const WaveFile &file : files) {
    const TracedWave &wave = *file.wave;
    Object &slot =
        child(child(child(engines, wave.shaderEngine), wave.simd), wave.slot);
    slot[std::to_string(wave.id)] = Array{file.name, wave.begin, wave.end};
  }
  return toText([&](OStream &json) {
    json.value(Object{{"global_begin_time", 0},
                      {"gfxv", "vega"},
                      {"gfxip", 9},
                      {"version", formatVersion},
                      {"thread_trace", true},
                      {"pc_sampling", false},
                      {"counter_names", Array()},
                      {"writer", trace.writer},
                      {"wave_filenames", std::move(engines)}});
  });
}

static std::string occupancyFile(const ThreadTrace &trace) {
  std::map<unsigned, Array> rows;
  for (const OccupancyEvent &event : trace.occupancy)
    rows[event.shaderEngine].push_back(Array{event.time, event.cu, event.simd,
                                             event.slot, int(event.starts),
                                             event.kernel + 1});
  Object file{{"version", formatVersion}}, names;
  for (auto &[engine, list] : rows)
    file[std::to_string(engine)] = std::move(list);
  for (auto [index, name] : llvm::enumerate(trace.kernels))
    names[std::to_string(index + 1)] = utf8(name);
  file["dispatches"] = std::move(names);
  return toText([&](OStream &json) { json.value(std::move(file)); });
}

/// How many of the traced waves are in a state, from each time on at which that
/// changes.
static std::string stateFile(const ThreadTrace &trace, WaveState state) {
  std::map<uint64_t, int64_t> changes;
  for (const TracedWave &wave : trace.waves) {
    uint64_t time = wave.begin;
    for (const WaveStretch &stretch : wave.timeline) {
      if (stretch.state == state) {
        ++changes[time];
        --changes[time + stretch.duration];
      }
      time += stretch.duration;
    }
  }
  Array times, counts;
  int64_t count = 0;
  for (auto [time, change] : changes) {
    if (change == 0)
      continue;
    times.push_back(time);
    counts.push_back(count += change);
  }
  return toText([&](OStream &json) {
    json.value(Object{{"name", name(state).upper()},
                      {"time", std::move(times)},
                      {"state", std::move(counts)}});
  });
}

/// The clock in cycles and in nanoseconds, at the beginning and at the end.
static std::string realtimeFile(const ThreadTrace &trace) {
  std::map<unsigned, uint64_t> ends;
  for (const OccupancyEvent &event : trace.occupancy)
    ends[event.shaderEngine] = std::max(ends[event.shaderEngine], event.time);
  Object file;
  for (auto [engine, end] : ends)
    file["SE" + std::to_string(engine)] =
        Array{Array{0, 0},
              Array{end, uint64_t(double(end) * 1e3 / trace.clockMhz + 0.5)}};
  file["metadata"] = Object{{"frequency", 1000000000}};
  return toText([&](OStream &json) { json.value(std::move(file)); });
}

/// Copies of the sources, and the tree of paths that leads to them.
static void addSources(const ThreadTrace &trace, Files &files) {
  Object tree;
  for (auto [index, source] : llvm::enumerate(trace.sources)) {
    std::string copy =
        llvm::formatv("source_{0}_{1}", index, path::filename(source.name));
    files[copy] = source.text;
    Object *folder = &tree;
    llvm::SmallVector<StringRef> parts(path::begin(source.name),
                                       path::end(source.name));
    for (StringRef part : llvm::drop_end(parts)) {
      Value &value = (*folder)[llvm::json::fixUTF8(part)];
      if (!value.getAsObject())
        value = Object();
      folder = value.getAsObject();
    }
    (*folder)[llvm::json::fixUTF8(parts.back())] = utf8(copy);
  }
  files["snapshots.json"] =
      toText([&](OStream &json) { json.value(std::move(tree)); });
}

static std::string statsFile(const ThreadTrace &trace) {
  std::string text =
      "\"CodeObj\",\"Vaddr\",\"Instruction\",\"Hitcount\",\"Latency\","
      "\"Stall\",\"Idle\",\"Source\"\n";
  for (const TracedInstruction &row : trace.instructions)
    text += llvm::formatv("{0},{1},{2},{3},{4},{5},{6},{7}\n", row.codeObject,
                          row.address, quoted(row.text), row.hits, row.latency,
                          row.stall, row.idle, quoted(row.source));
  return text;
}

static Files allFiles(const ThreadTrace &trace) {
  Files files;
  std::vector<WaveFile> waves;
  for (const TracedWave &wave : trace.waves) {
    std::string name =
        llvm::formatv("se{0}_sm{1}_sl{2}_wv{3}.json", wave.shaderEngine,
                      wave.simd, wave.slot, wave.id);
    files[name] = waveFile(wave);
    waves.push_back({&wave, name});
  }
  files["code.json"] = codeFile(trace);
  files["filenames.json"] = filenamesFile(trace, waves);
  files["occupancy.json"] = occupancyFile(trace);
  for (unsigned state = 0; state != stateCount; ++state)
    files["wstates" + std::to_string(state) + ".json"] =
        stateFile(trace, WaveState(state));
  if (trace.clockMhz > 0)
    files["realtime.json"] = realtimeFile(trace);
  if (!trace.sources.empty())
    addSources(trace, files);
  return files;
}

/// Whether this writer made the directory.
static bool isOurs(StringRef directory, StringRef writer) {
  llvm::SmallString<128> file(directory);
  path::append(file, "filenames.json");
  auto text = llvm::MemoryBuffer::getFile(file);
  if (!text)
    return false;
  llvm::Expected<Value> json = llvm::json::parse((*text)->getBuffer());
  if (!json) {
    llvm::consumeError(json.takeError());
    return false;
  }
  const Object *object = json->getAsObject();
  return object && object->getString("writer") == writer;
}

static llvm::Error failure(StringRef place, std::error_code code) {
  return llvm::createStringError(code, "'" + place + "': " + code.message());
}

static llvm::Error writeNamed(StringRef place, StringRef bytes) {
  if (llvm::Error error = writeOutputFile(place, bytes))
    return llvm::createStringError("'" + place +
                                   "': " + llvm::toString(std::move(error)));
  return llvm::Error::success();
}

/// A file of the directory that this writer does not make; empty if there is
/// none.
static std::string findStranger(StringRef directory) {
  std::error_code code;
  for (fs::directory_iterator it(directory, code), end; !code && it != end;
       it.increment(code)) {
    StringRef file = path::filename(it->path());
    bool isOfTrace =
        file.ends_with(".json") &&
        (file.starts_with("se") || file.starts_with("wstates") ||
         llvm::is_contained({"code.json", "filenames.json", "occupancy.json",
                             "realtime.json", "snapshots.json"},
                            file));
    if (!isOfTrace && !file.starts_with("source_"))
      return file.str();
  }
  return "";
}

/// What stands where the trace shall go must be a trace of ours, or nothing.
static llvm::Error checkPlace(StringRef directory, StringRef stats,
                              StringRef writer) {
  std::error_code code;
  bool isFree =
      !fs::exists(directory) ||
      (fs::is_directory(directory) &&
       fs::directory_iterator(directory, code) == fs::directory_iterator());
  StringRef taken = !isFree && !isOurs(directory, writer) ? directory
                    : isFree && fs::exists(stats)         ? stats
                                                          : StringRef();
  if (taken.empty()) {
    std::string stranger = isFree ? "" : findStranger(directory);
    if (stranger.empty())
      return llvm::Error::success();
    return llvm::createStringError("'" + directory +
                                   "' would be replaced, but "
                                   "holds '" +
                                   stranger +
                                   "', which is no file "
                                   "of a trace; move it away");
  }
  return llvm::createStringError(
      "'" + taken + "' is there already and was not written by " + writer +
      "; name another folder, or remove it");
}

llvm::Error fly::profile::writeThreadTrace(const ThreadTrace &trace,
                                           StringRef folder) {
  llvm::SmallString<128> directory(folder), stats(folder), fresh;
  path::append(directory, directoryName(trace));
  path::append(stats, "stats_" + directoryName(trace) + ".csv");
  if (llvm::Error error = checkPlace(directory, stats, trace.writer))
    return error;
  if (std::error_code code =
          fs::create_directories(folder, /*IgnoreExisting=*/true, fs::all_all))
    return failure(folder, code);
  fs::createUniquePath(directory + ".%%%%%%%%.tmp", fresh,
                       /*MakeAbsolute=*/false);
  if (std::error_code code =
          fs::create_directory(fresh, /*IgnoreExisting=*/false, fs::all_all))
    return failure(fresh, code);
  for (const auto &[name, bytes] : allFiles(trace)) {
    llvm::SmallString<128> place(fresh);
    path::append(place, name);
    if (llvm::Error error = writeNamed(place, bytes)) {
      fs::remove_directories(fresh);
      return error;
    }
  }
  // The old trace goes when the new one is whole.
  std::error_code code;
  if (fs::exists(directory))
    code = fs::remove_directories(directory, /*IgnoreErrors=*/false);
  if (!code)
    code = fs::rename(fresh, directory);
  if (code) {
    fs::remove_directories(fresh);
    return failure(directory, code);
  }
  return writeNamed(stats, statsFile(trace));
}
