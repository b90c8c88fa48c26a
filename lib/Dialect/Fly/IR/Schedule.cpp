//===- Schedule.cpp - What a schedule says, typed -------------------------===//
//
// Readers of the entries, and the writers of what resolution made of them. A
// reader knows the keys and words of its entry; one that it does not know is an
// error that lists them.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "fly/Dialect/Fly/IR/Target.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fly;

static constexpr llvm::StringLiteral kGlobalKeys[] = {
    "sizes", "consts", "waves", "waves_per_eu", "grid", "codegen", "versions"};

std::string fly::suggestWord(StringRef word, ArrayRef<StringRef> known) {
  StringRef best;
  // A third of the letters wrong is a slip, more is another word.
  unsigned bestDistance = word.size() / 3 + 1;
  for (StringRef candidate : known) {
    unsigned distance = candidate.edit_distance(word);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best.empty() ? "" : (" (did you mean '" + best + "'?)").str();
}

ArrayRef<llvm::StringLiteral> fly::getGlobalScheduleKeys() {
  return kGlobalKeys;
}

ScheduleAttr fly::getScheduleOf(Operation *kernel) {
  Attribute attr = kernel->getAttr(FlyDialect::getScheduleAttrName());
  auto all = dyn_cast_or_null<SchedulesAttr>(attr);
  if (!all)
    return dyn_cast_or_null<ScheduleAttr>(attr);
  const arch::ArchInfo *chip = lookupArchOrNull(kernel);
  return chip ? all.get(chip->name) : ScheduleAttr();
}

FailureOr<ScheduleAttr> fly::findSchedule(Operation *kernel) {
  auto all =
      kernel->getAttrOfType<SchedulesAttr>(FlyDialect::getScheduleAttrName());
  if (!all)
    return getScheduleOf(kernel);
  const arch::ArchInfo *chip = getArch(kernel);
  if (!chip)
    return failure();
  if (ScheduleAttr schedule = all.get(chip->name))
    return schedule;
  SmallVector<StringRef> known;
  for (NamedAttribute entry : all.getChips())
    known.push_back(entry.getName());
  return kernel->emitOpError()
         << "has no schedule for " << chip->name
         << ", the target of its module; it has: " << llvm::join(known, ", ");
}

//===----------------------------------------------------------------------===//
// Words and numbers
//===----------------------------------------------------------------------===//

/// A value as a schedule prints it.
static std::string describe(Attribute value) {
  if (auto word = dyn_cast<StringAttr>(value))
    return ("'" + word.getValue() + "'").str();
  if (auto number = dyn_cast<IntegerAttr>(value))
    return std::to_string(number.getInt());
  if (auto policy = dyn_cast<PolicyAttr>(value))
    return ("'" + policy.getName() + "(...)'").str();
  return isa<ArrayAttr>(value) ? "a list" : "entries in braces";
}

static bool isAuto(Attribute value) {
  auto word = dyn_cast_or_null<StringAttr>(value);
  return !value || (word && word.getValue() == "auto");
}

/// Checks that `entries` has none but the known keys.
static LogicalResult checkKeys(DictionaryAttr entries,
                               ArrayRef<StringRef> known, StringRef what,
                               EmitScheduleError emitError) {
  for (NamedAttribute entry : entries)
    if (!llvm::is_contained(known, entry.getName().getValue()))
      return emitError() << "unknown key '" << entry.getName().getValue()
                         << "' of " << what
                         << suggestWord(entry.getName(), known)
                         << "; known: " << llvm::join(known, ", ");
  return success();
}

/// The error about a value that the language has and no pass applies.
static LogicalResult refuseLater(StringRef key, Attribute value,
                                 const Twine &applied,
                                 EmitScheduleError emitError) {
  return emitError() << "'" << key << "' is " << describe(value)
                     << ", which no pass applies yet; applied: "
                     << applied.str() << ", auto";
}

/// The name of a word or of a policy, else empty.
static StringRef getName(Attribute value) {
  if (auto word = dyn_cast_or_null<StringAttr>(value))
    return word.getValue();
  auto policy = dyn_cast_or_null<PolicyAttr>(value);
  return policy ? policy.getName() : StringRef();
}

/// The index of the word in `words`; no value for `auto` or an absent one.
/// `later` are words, alone or with arguments, that no pass applies yet.
static FailureOr<std::optional<unsigned>>
readWord(DictionaryAttr entries, StringRef key, ArrayRef<StringRef> words,
         EmitScheduleError emitError, ArrayRef<StringRef> later = {}) {
  Attribute value = entries.get(key);
  if (isAuto(value))
    return std::optional<unsigned>();
  auto word = dyn_cast<StringAttr>(value);
  if (word) {
    const auto *it = llvm::find(words, word.getValue());
    if (it != words.end())
      return std::optional<unsigned>(it - words.begin());
  }
  if (llvm::is_contained(later, getName(value)))
    return refuseLater(key, value, llvm::join(words, ", "), emitError);
  InFlightDiagnostic diag = emitError();
  diag << "'" << key << "' is " << describe(value);
  if (word)
    diag << suggestWord(word, words);
  if (!later.empty())
    diag << "; no pass applies yet: " << llvm::join(later, ", ");
  return diag << "; known: " << llvm::join(words, ", ") << ", auto";
}

/// A number from `low` to `high`; no value for `auto` or an absent one. Numbers
/// above `high` up to `most` are known, but no pass applies them yet.
static FailureOr<std::optional<unsigned>>
readNumber(DictionaryAttr entries, StringRef key, unsigned low, unsigned high,
           EmitScheduleError emitError, unsigned most = 0) {
  Attribute value = entries.get(key);
  if (isAuto(value))
    return std::optional<unsigned>();
  auto number = dyn_cast<IntegerAttr>(value);
  if (number && number.getInt() >= low && number.getInt() <= high)
    return std::optional<unsigned>(number.getInt());
  if (number && number.getInt() > high && number.getInt() <= most)
    return refuseLater(
        key, value,
        low == high ? Twine(low) : "from " + Twine(low) + " to " + Twine(high),
        emitError);
  InFlightDiagnostic diag = emitError();
  diag << "'" << key << "' is " << describe(value) << "; expected ";
  if (low == high)
    return diag << low << " or auto";
  return diag << "a number from " << low << " to " << high << " or auto";
}

/// A cache policy; no value for `auto` or an absent one.
static FailureOr<std::optional<Cache>> readCache(DictionaryAttr entries,
                                                 EmitScheduleError emitError) {
  auto word = readWord(entries, "cache", {"default", "stream"}, emitError);
  if (failed(word))
    return failure();
  return *word ? std::optional<Cache>(Cache(**word)) : std::nullopt;
}

static Attribute makeEntries(MLIRContext *context,
                             ArrayRef<std::pair<StringRef, Attribute>> list) {
  NamedAttrList entries;
  for (auto [key, value] : list)
    entries.append(key, value);
  return entries.getDictionary(context);
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// Most buffers of a load, and most iterations that one runs ahead.
static constexpr unsigned kMostStages = 8;

Attribute OperandPolicy::toAttr(MLIRContext *context) const {
  Builder builder(context);
  auto make = [&](StringRef name,
                  ArrayRef<std::pair<StringRef, Attribute>> named) {
    return PolicyAttr::get(context, name, {},
                           cast<DictionaryAttr>(makeEntries(context, named)));
  };
  SmallVector<std::pair<StringRef, Attribute>> entries;
  if (inLds) {
    StringRef word = swizzle == Swizzle::Xor ? "xor" : "none";
    entries = {{"stages", builder.getI64IntegerAttr(stages)},
               {"swizzle", builder.getStringAttr(word)},
               {"copy", builder.getStringAttr("sync")}};
  } else {
    entries = {{"depth", builder.getI64IntegerAttr(depth)}};
  }
  if (cache)
    entries.push_back({"cache", builder.getStringAttr(stringifyCache(*cache))});
  return make(inLds ? "lds" : "regs", entries);
}

FailureOr<OperandRequest> OperandRequest::read(Attribute entry,
                                               EmitScheduleError emitError) {
  OperandRequest request;
  if (isAuto(entry))
    return request;
  StringRef name;
  DictionaryAttr named = DictionaryAttr::get(entry.getContext());
  if (auto word = dyn_cast<StringAttr>(entry)) {
    name = word.getValue();
  } else if (auto policy = dyn_cast<PolicyAttr>(entry)) {
    name = policy.getName();
    named = policy.getNamed();
    if (!policy.getPositional().empty())
      return emitError() << "arguments of '" << name
                         << "' are named, as in lds(stages = 2)";
  } else if (auto entries = dyn_cast<DictionaryAttr>(entry)) {
    // `{stages = 1}`: the keys tell which of the two is meant. What both have
    // leaves the choice open.
    bool isLds = llvm::any_of(
        ArrayRef<StringRef>{"stages", "swizzle", "copy", "first_pack", "read"},
        [&](StringRef key) { return entries.get(key); });
    if (!isLds && !entries.contains("depth")) {
      auto cache = readCache(entries, emitError);
      if (failed(cache) ||
          failed(checkKeys(entries,
                           {"stages", "swizzle", "copy", "first_pack", "read",
                            "depth", "cache"},
                           "a load", emitError)))
        return failure();
      request.cache = *cache;
      return request;
    }
    name = isLds ? "lds" : "regs";
    named = entries;
  }
  if (name == "regs" || name == "lds") {
    auto cache = readCache(named, emitError);
    if (failed(cache))
      return failure();
    request.cache = *cache;
  }
  if (name == "regs") {
    request.inLds = false;
    if (failed(checkKeys(named, {"depth", "cache"}, "'regs'", emitError)))
      return failure();
    auto depth = readNumber(named, "depth", 1, 1, emitError, kMostStages);
    if (failed(depth))
      return failure();
    request.depth = *depth;
    return request;
  }
  if (name != "lds")
    return emitError() << "is " << describe(entry)
                       << "; known for a load: lds, regs, auto";
  request.inLds = true;
  if (failed(checkKeys(
          named, {"stages", "swizzle", "copy", "first_pack", "read", "cache"},
          "'lds'", emitError)))
    return failure();
  auto stages = readNumber(named, "stages", 1, 2, emitError, kMostStages);
  if (failed(stages))
    return failure();
  auto swizzle =
      readWord(named, "swizzle", {"none", "xor"}, emitError, {"pad"});
  if (failed(swizzle) ||
      failed(readWord(named, "copy", {"sync"}, emitError, {"async"})) ||
      failed(readWord(named, "first_pack", {"off"}, emitError, {"carried"})) ||
      failed(readWord(named, "read", {"plain"}, emitError, {"transposed"})))
    return failure();
  request.stages = *stages;
  if (*swizzle)
    request.swizzle = OperandPolicy::Swizzle(**swizzle);
  return request;
}

//===----------------------------------------------------------------------===//
// Dots and loops
//===----------------------------------------------------------------------===//

/// Most copies of a loop's body.
static constexpr unsigned kMostUnroll = 16;

Attribute DotPolicy::toAttr(MLIRContext *context) const {
  Builder builder(context);
  std::string side = std::to_string(mfma);
  StringRef acc = transposed ? "transposed" : "plain";
  return makeEntries(context,
                     {{"mfma", builder.getStringAttr(side + "x" + side)},
                      {"acc", builder.getStringAttr(acc)}});
}

FailureOr<DotRequest> DotRequest::read(Attribute entry,
                                       EmitScheduleError emitError) {
  DotRequest request;
  if (isAuto(entry))
    return request;
  auto entries = dyn_cast<DictionaryAttr>(entry);
  if (!entries)
    return emitError() << "is " << describe(entry)
                       << "; a dot or loop has entries in braces, as in {mfma "
                          "= 16x16, acc = auto}";
  if (failed(checkKeys(entries,
                       {"mfma", "acc", "a", "hot_loop", "unroll", "stages"},
                       "a dot or loop", emitError)))
    return failure();
  auto shape = readWord(entries, "mfma", {"16x16", "32x32"}, emitError);
  if (failed(shape))
    return failure();
  auto acc = readWord(entries, "acc", {"plain", "transposed"}, emitError);
  if (failed(acc) ||
      failed(readWord(entries, "a", {"regs"}, emitError, {"from_acc"})))
    return failure();
  // Hints: what they ask for is not done, and nothing else changes.
  Attribute hotLoop = entries.get("hot_loop");
  if (isa_and_nonnull<ArrayAttr>(hotLoop)) {
    request.ignored.push_back("hot_loop");
  } else {
    auto word = readWord(entries, "hot_loop", {"off", "on"}, emitError);
    if (failed(word))
      return failure();
    if (*word && **word == 1)
      request.ignored.push_back("hot_loop");
  }
  auto unroll = readNumber(entries, "unroll", 1, kMostUnroll, emitError);
  if (failed(unroll))
    return failure();
  if (unroll->value_or(1) != 1)
    request.ignored.push_back("unroll");
  if (Attribute stages = entries.get("stages")) {
    request.stages = dyn_cast<DictionaryAttr>(stages);
    if (!request.stages && !isAuto(stages))
      return emitError() << "'stages' is " << describe(stages)
                         << "; expected the labels of loads and dots with the "
                            "iterations that they run ahead, as in {k = -2, qk "
                            "= -1, pv = 0}";
    for (NamedAttribute entry : request.stages
                                    ? request.stages
                                    : DictionaryAttr::get(entry.getContext())) {
      auto number = dyn_cast<IntegerAttr>(entry.getValue());
      if (!number || number.getInt() > 0 ||
          number.getInt() < -int64_t(kMostStages))
        return emitError() << "'stages' gives '" << entry.getName().getValue()
                           << "' the stage " << describe(entry.getValue())
                           << "; expected a number from -" << kMostStages
                           << " to 0";
    }
  }
  if (*shape)
    request.mfma = **shape == 0 ? 16 : 32;
  if (*acc)
    request.transposed = **acc == 1;
  return request;
}

//===----------------------------------------------------------------------===//
// Stores and the grid
//===----------------------------------------------------------------------===//

FailureOr<StoreRequest> StoreRequest::read(Attribute entry,
                                           EmitScheduleError emitError) {
  StoreRequest request;
  if (isAuto(entry))
    return request;
  auto entries = dyn_cast<DictionaryAttr>(entry);
  // `c = direct` and `c = direct(cache = stream)` are short for the braces.
  if (isa<StringAttr>(entry))
    entries = cast<DictionaryAttr>(
        makeEntries(entry.getContext(), {{"epilogue", entry}}));
  auto policy = dyn_cast<PolicyAttr>(entry);
  if (policy && policy.getName() == "direct" &&
      policy.getPositional().empty()) {
    NamedAttrList list(policy.getNamed());
    list.set("epilogue", StringAttr::get(entry.getContext(), policy.getName()));
    entries = list.getDictionary(entry.getContext());
  }
  if (!entries)
    return emitError() << "is " << describe(entry)
                       << "; a store has entries in braces, as in {epilogue = "
                          "direct}";
  if (failed(checkKeys(entries, {"epilogue", "cache"}, "a store", emitError)))
    return failure();
  auto epilogue =
      readWord(entries, "epilogue", {"direct"}, emitError, {"cshuffle"});
  auto cache = readCache(entries, emitError);
  if (failed(epilogue) || failed(cache))
    return failure();
  if (*epilogue)
    request.epilogue = Epilogue::Direct;
  request.cache = *cache;
  return request;
}

FailureOr<std::optional<GridOrder>>
fly::readGridRequest(Attribute entry, EmitScheduleError emitError) {
  std::optional<GridOrder> none;
  if (isAuto(entry))
    return none;
  auto entries = dyn_cast<DictionaryAttr>(entry);
  if (!entries)
    return emitError() << "is " << describe(entry)
                       << "; expected entries in braces, as in {order = "
                          "n_fastest}";
  if (failed(checkKeys(entries, {"order", "xcd", "persistent"}, "the grid",
                       emitError)))
    return failure();
  auto order = readWord(entries, "order", {"n_fastest", "m_fastest"}, emitError,
                        {"grouped", "longest_first"});
  if (failed(order) ||
      failed(readWord(entries, "xcd", {"off"}, emitError, {"on", "by"})) ||
      failed(readWord(entries, "persistent", {"off"}, emitError, {"on"})))
    return failure();
  return *order ? std::optional<GridOrder>(GridOrder(**order)) : none;
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

const OperandPolicy *Schedule::operand(StringRef label) const {
  auto it = operands.find(label);
  return it == operands.end() ? nullptr : &it->second;
}

const DotPolicy &Schedule::dot(DotOp op) const {
  auto it = dots.find(*op.getLabel());
  assert(it != dots.end() && "Schedule::get() saw every dot of the kernel");
  return it->second;
}

Epilogue Schedule::store(StringRef label) const {
  auto it = stores.find(label);
  return it == stores.end() ? Epilogue::Direct : it->second;
}

/// The entry `waves` of a resolved schedule.
static LogicalResult readWaves(FunctionOpInterface kernel, Attribute entry,
                               Schedule &schedule) {
  auto list = dyn_cast_or_null<ArrayAttr>(entry);
  bool resolved = list && list.size() == 2;
  for (Attribute side : resolved ? list.getValue() : ArrayRef<Attribute>()) {
    auto number = dyn_cast<IntegerAttr>(side);
    resolved &= number && number.getInt() > 0 &&
                number.getInt() <= arch::maxWorkgroupWaves;
    schedule.waves.push_back(number ? number.getInt() : 0);
  }
  if (resolved &&
      schedule.waves[0] * schedule.waves[1] <= arch::maxWorkgroupWaves)
    return success();
  return kernel->emitOpError() << "schedule entry 'waves' is not resolved: run "
                                  "fly-resolve-schedule first";
}

FailureOr<Schedule> Schedule::get(FunctionOpInterface kernel) {
  auto attr =
      kernel->getAttrOfType<ScheduleAttr>(FlyDialect::getScheduleAttrName());
  if (!attr)
    return kernel->emitOpError()
           << "has no '" << FlyDialect::getScheduleAttrName()
           << "': run fly-resolve-schedule first";
  Schedule schedule;
  if (failed(readWaves(kernel, attr.get("waves"), schedule)))
    return failure();
  if (auto count = dyn_cast_or_null<IntegerAttr>(attr.get("waves_per_eu")))
    schedule.wavesPerEu = count.getInt();
  for (NamedAttribute entry : attr.getEntries()) {
    StringRef key = entry.getName();
    auto emitError = [&] {
      return kernel->emitOpError() << "schedule entry '" << key << "': ";
    };
    if (key == "grid") {
      auto order = readGridRequest(entry.getValue(), emitError);
      if (failed(order))
        return failure();
      schedule.gridOrder = order->value_or(GridOrder::NFastest);
    }
    if (llvm::is_contained(kGlobalKeys, key))
      continue;
    // A resolved entry shows by its form what it is the entry of.
    auto entries = dyn_cast<DictionaryAttr>(entry.getValue());
    if (entries && entries.contains("epilogue")) {
      auto request = StoreRequest::read(entries, emitError);
      if (failed(request))
        return failure();
      schedule.stores[key] = request->epilogue.value_or(Epilogue::Direct);
    } else if (entries) {
      auto request = DotRequest::read(entries, emitError);
      if (failed(request))
        return failure();
      if (request->mfma && request->transposed)
        schedule.dots[key] = {*request->mfma, *request->transposed};
    } else {
      auto request = OperandRequest::read(entry.getValue(), emitError);
      if (failed(request))
        return failure();
      OperandPolicy policy;
      policy.inLds = request->inLds.value_or(false);
      policy.stages = request->stages.value_or(1);
      policy.swizzle = request->swizzle.value_or(OperandPolicy::Swizzle::None);
      policy.depth = request->depth.value_or(1);
      policy.cache = request->cache;
      schedule.operands[key] = policy;
    }
  }
  WalkResult walk = kernel->walk([&](DotOp dot) {
    if (dot.getLabel() && schedule.dots.contains(*dot.getLabel()))
      return WalkResult::advance();
    dot.emitOpError() << "has no resolved entry in the schedule: run "
                         "fly-resolve-schedule first";
    return WalkResult::interrupt();
  });
  if (walk.wasInterrupted())
    return failure();
  return schedule;
}
