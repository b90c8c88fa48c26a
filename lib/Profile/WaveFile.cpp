//===- WaveFile.cpp - se*_sm*_sl*_wv*.json of a thread trace --------------===//
//
// One wave: its place, its timeline, its events, its waits. Events are handed
// on as they are read, so that a file of any length needs the memory of one; of
// waits each pair with an access is kept once.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/JsonStream.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "InputStream.h"
#include "TraceFiles.h"

using namespace fly::profile;
using llvm::StringRef;

namespace {
constexpr StringRef mostPairs = " different waits and accesses";
constexpr StringRef eventColumns[] = {"time", "category", "stall", "duration",
                                      "line"};

class WaveVisitor : public JsonVisitor {
public:
  using Callback = llvm::function_ref<llvm::Error(const WaveEvent &)>;
  WaveVisitor(TracedWave &wave, Callback callback,
              const ThreadTraceOptions &options)
      : wave(wave), callback(callback), options(options) {}

  llvm::Error enter(const JsonPath &path, bool isList) override;
  llvm::Error leave(const JsonPath &path) override;
  llvm::Error value(const JsonPath &path, const JsonScalar &scalar) override;
  llvm::Error check() const;

private:
  llvm::Error setColumn(unsigned column, const JsonScalar &scalar);
  llvm::Error setPlace(StringRef key, const JsonScalar &scalar);
  llvm::Error setStretch(unsigned column, const JsonScalar &scalar);
  llvm::Error setWait(const JsonPath &path, const JsonScalar &scalar);
  /// An error where more than \p most are kept.
  static llvm::Error keep(size_t &kept, size_t most, StringRef what) {
    if (++kept > most)
      return llvm::createStringError("more than " + llvm::Twine(most) + what);
    return llvm::Error::success();
  }

  TracedWave &wave;
  Callback callback;
  const ThreadTraceOptions &options;
  /// Hands an event on, joined with the pieces of its stall before it.
  llvm::Error finish();

  WaveEvent event;
  WaveStretch stretch;
  std::optional<WaveEvent> piece; ///< Of the stall of what follows.
  unsigned columns = 0;
  size_t stretches = 0, waitPairs = 0;
  /// Sources by the line of their wait, and the wait that is read.
  std::map<uint32_t, std::set<uint32_t>> sources;
  std::set<uint32_t> *waiting = nullptr;
  bool hasInstructions = false, hasBegin = false, hasEnd = false;
};
} // namespace

llvm::Error WaveVisitor::enter(const JsonPath &path, bool isList) {
  bool wantsList = path.size() >= 2 &&
                   (path.key(1) == "instructions" ||
                    path.key(1) == "timeline" || path.key(1) == "waitcnt");
  if (path.size() == 0 || path.is({"wave"}))
    return isList ? expectedJson("an object", isList) : llvm::Error::success();
  if (path.key(0) != "wave" || !wantsList)
    return llvm::Error::success();
  if (!isList)
    return expectedJson("a list", isList);
  if (path.is({"wave", "instructions"})) {
    if (hasInstructions)
      return llvm::createStringError("stands twice in the file");
    hasInstructions = true;
  }
  if (path.is({"wave", "instructions", "*", "*"}) &&
      path.index(3) < std::size(eventColumns))
    return expectedJson(eventColumns[path.index(3)], isList);
  if (path.is({"wave", "timeline", "*", "*"}))
    return expectedJson("a number", isList);
  columns = 0;
  if (path.is({"wave", "instructions", "*"}))
    event = WaveEvent();
  if (path.is({"wave", "timeline", "*"})) {
    stretch = WaveStretch();
    return llvm::Error::success();
  }
  if (path.is({"wave", "waitcnt", "*"}))
    waiting = nullptr;
  return llvm::Error::success();
}

llvm::Error WaveVisitor::leave(const JsonPath &path) {
  bool isEvent = path.is({"wave", "instructions", "*"});
  if (isEvent && columns < std::size(eventColumns))
    return llvm::createStringError(
        "has " + llvm::Twine(columns) +
        " columns, expected time, category, stall, duration and line");
  if (path.is({"wave", "timeline", "*"}) && columns < 2)
    return llvm::createStringError("has " + llvm::Twine(columns) +
                                   " columns, expected state and duration");
  if (path.is({"wave", "timeline", "*"}) && options.timelines) {
    wave.timeline.push_back(stretch);
    return keep(stretches, options.maxEvents, " stretches");
  }
  if (path.is({"wave", "waitcnt"}))
    for (auto &[wait, accesses] : sources)
      wave.waits.push_back({wait, {accesses.begin(), accesses.end()}});
  if (path.is({"wave", "instructions"}) && piece)
    return callback(*std::exchange(piece, std::nullopt));
  return isEvent ? finish() : llvm::Error::success();
}

llvm::Error WaveVisitor::finish() {
  if (piece && piece->line == event.line &&
      piece->time + piece->duration == event.time &&
      piece->stall <= UINT32_MAX - event.duration) {
    event.time = piece->time;
    event.stall += piece->stall;
    event.duration += piece->stall;
    piece.reset();
  } else if (piece) {
    if (llvm::Error error = callback(*std::exchange(piece, std::nullopt)))
      return error;
  }
  bool isPiece = event.category == Category::None &&
                 event.stall == event.duration && event.stall >= longestStall;
  if (!isPiece)
    return callback(event);
  piece = event;
  return llvm::Error::success();
}

llvm::Error WaveVisitor::setColumn(unsigned column, const JsonScalar &scalar) {
  ++columns;
  if (column >= std::size(eventColumns))
    return llvm::Error::success();
  uint64_t most = column == 0   ? UINT64_MAX
                  : column == 1 ? uint64_t(Category::Bvh)
                                : UINT32_MAX;
  llvm::Expected<uint64_t> value =
      unsignedOf(scalar, eventColumns[column], most);
  if (!value)
    return value.takeError();
  switch (column) {
  case 0:
    event.time = *value;
    break;
  case 1:
    event.category = Category(*value);
    break;
  case 2:
    event.stall = uint32_t(*value);
    break;
  case 3:
    event.duration = uint32_t(*value);
    break;
  case 4:
    event.line = uint32_t(*value);
    break;
  }
  return llvm::Error::success();
}

llvm::Error WaveVisitor::setPlace(StringRef key, const JsonScalar &scalar) {
  unsigned *place = llvm::StringSwitch<unsigned *>(key)
                        .Case("cu", &wave.cu)
                        .Case("id", &wave.id)
                        .Case("simd", &wave.simd)
                        .Case("slot", &wave.slot)
                        .Default(nullptr);
  if (place) {
    llvm::Expected<uint64_t> value = unsignedOf(scalar, key, UINT32_MAX);
    if (!value)
      return value.takeError();
    *place = unsigned(*value);
    return llvm::Error::success();
  }
  if (key != "begin" && key != "end")
    return llvm::Error::success();
  llvm::Expected<uint64_t> value = unsignedOf(scalar, key);
  if (!value)
    return value.takeError();
  (key == "begin" ? wave.begin : wave.end) = *value;
  (key == "begin" ? hasBegin : hasEnd) = true;
  return llvm::Error::success();
}

llvm::Error WaveVisitor::setStretch(unsigned column, const JsonScalar &scalar) {
  ++columns;
  if (column > 1)
    return llvm::Error::success();
  llvm::Expected<uint64_t> value =
      column == 0
          ? unsignedOf(scalar, "a wave state", uint64_t(WaveState::Stalls))
          : unsignedOf(scalar, "a duration");
  if (!value)
    return value.takeError();
  if (column == 0)
    stretch.state = WaveState(*value);
  else
    stretch.duration = *value;
  return llvm::Error::success();
}

/// [line of the wait, [[line of an access, 0], ...]]
llvm::Error WaveVisitor::setWait(const JsonPath &path,
                                 const JsonScalar &scalar) {
  bool isWait = path.size() == 4 && path.index(3) == 0;
  bool isAccess = path.size() == 6 && path.index(3) == 1 && path.index(5) == 0;
  if (!isWait && !isAccess)
    return path.size() == 3 ? expectedJson("a wait", scalar)
                            : llvm::Error::success();
  llvm::Expected<uint64_t> value = unsignedOf(scalar, "a line", UINT32_MAX);
  if (!value)
    return value.takeError();
  if (!options.waits)
    return llvm::Error::success();
  if (isWait) {
    auto [found, isNew] = sources.try_emplace(uint32_t(*value));
    waiting = &found->second;
    return isNew ? keep(waitPairs, options.maxWaitPairs, mostPairs)
                 : llvm::Error::success();
  }
  if (!waiting)
    return llvm::createStringError("accesses of no wait: expected its line "
                                   "before them");
  bool isNew = waiting->insert(uint32_t(*value)).second;
  return isNew ? keep(waitPairs, options.maxWaitPairs, mostPairs)
               : llvm::Error::success();
}

llvm::Error WaveVisitor::value(const JsonPath &path, const JsonScalar &scalar) {
  if (path.size() == 0 || path.is({"wave"}))
    return expectedJson("an object with 'wave'", scalar);
  if (path.is({"name"})) {
    StringRef engine = scalar.text;
    if (scalar.kind == JsonScalar::String && engine.consume_front("SE"))
      (void)engine.getAsInteger(10, wave.shaderEngine);
    return llvm::Error::success();
  }
  if (path.size() < 2 || path.key(0) != "wave")
    return llvm::Error::success();
  if (path.is({"wave", "instructions", "*", "*"}))
    return setColumn(unsigned(path.index(3)), scalar);
  if (path.is({"wave", "timeline", "*", "*"}))
    return setStretch(unsigned(path.index(3)), scalar);
  if (path.key(1) == "waitcnt" && path.size() > 2)
    return setWait(path, scalar);
  if (path.key(1) == "instructions" || path.key(1) == "timeline" ||
      path.key(1) == "waitcnt")
    return expectedJson("a list", scalar);
  return path.size() == 2 ? setPlace(path.key(1), scalar)
                          : llvm::Error::success();
}

llvm::Error WaveVisitor::check() const {
  std::string missing;
  for (auto [name, isThere] :
       {std::pair("instructions", hasInstructions),
        std::pair("begin", hasBegin), std::pair("end", hasEnd)})
    if (!isThere)
      missing +=
          (missing.empty() ? "'wave." : ", 'wave.") + std::string(name) + "'";
  if (!missing.empty())
    return llvm::createStringError("no " + missing);
  if (wave.end < wave.begin)
    return llvm::createStringError("the wave ends at " + llvm::Twine(wave.end) +
                                   ", before it begins at " +
                                   llvm::Twine(wave.begin));
  return llvm::Error::success();
}

llvm::Error fly::profile::readWaveFile(
    StringRef path, TracedWave &wave,
    llvm::function_ref<llvm::Error(const WaveEvent &)> event,
    const ThreadTraceOptions &options) {
  WaveVisitor visitor(wave, event, options);
  if (llvm::Error error = readJson(path, visitor))
    return error;
  if (llvm::Error error = visitor.check())
    return fileError(path, llvm::toString(std::move(error)));
  return llvm::Error::success();
}
