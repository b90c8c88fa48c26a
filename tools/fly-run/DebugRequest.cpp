//===- DebugRequest.cpp - What --watch and its kin ask for ----------------===//
//
// Elements of arguments become bytes of allocations, which have the arguments'
// names; numbers of lines become lines of the file that is run.
//
//===----------------------------------------------------------------------===//
#include "DebugRequest.h"

#include "llvm/Support/Path.h"

using namespace fly;
using namespace fly::tools;
using llvm::StringRef;

static llvm::Error complainWatch(StringRef text, const llvm::Twine &why) {
  return llvm::createStringError("--watch=" + text + ": " + why);
}

/// "C[3,5]": an element of a buffer.
static llvm::Expected<sim::DebugOptions::Watch>
parseElement(StringRef text, llvm::ArrayRef<launch::Argument> arguments) {
  auto [name, rest] = text.split('[');
  if (!rest.consume_back("]"))
    return complainWatch(text, "expected NAME[I,J], or 0xADDRESS");
  const launch::Buffer *buffer = nullptr;
  std::string known;
  for (const launch::Argument &argument : arguments) {
    if (!argument.buffer)
      continue;
    known += (known.empty() ? "" : ", ") + argument.parameter.name;
    if (argument.parameter.name == name)
      buffer = &*argument.buffer;
  }
  if (!buffer)
    return complainWatch(text, "the kernel has no buffer '" + name +
                                   "', it has: " + known);
  const launch::Shape &shape = buffer->shape();
  llvm::SmallVector<StringRef> parts;
  rest.split(parts, ',');
  if (parts.size() != shape.extents.size())
    return complainWatch(
        text, "'" + name + "' is " + shape.str() + ": expected " +
                  llvm::Twine(shape.extents.size()) + " coordinates, found " +
                  llvm::Twine(parts.size()));
  int64_t element = 0;
  for (auto [part, extent, stride] :
       llvm::zip_equal(parts, shape.extents, shape.strides)) {
    int64_t coordinate;
    if (part.trim().getAsInteger(10, coordinate) || coordinate < 0 ||
        coordinate >= extent)
      return complainWatch(text, "'" + part + "' is no coordinate of '" + name +
                                     "', which is " + shape.str());
    element += coordinate * stride;
  }
  sim::DebugOptions::Watch watch;
  uint64_t bits = buffer->type().bits();
  watch.allocation = buffer->name();
  watch.begin = uint64_t(element) * bits / 8;
  watch.bytes = std::max<uint64_t>(1, bits / 8);
  watch.text = text.str();
  return watch;
}

static llvm::Expected<sim::DebugOptions::Watch>
parseWatch(StringRef text, llvm::ArrayRef<launch::Argument> arguments) {
  if (!text.starts_with("0x"))
    return parseElement(text, arguments);
  auto [address, bytes] = text.split(':');
  sim::DebugOptions::Watch watch;
  watch.text = text.str();
  if (address.getAsInteger(0, watch.begin) ||
      (!bytes.empty() && bytes.getAsInteger(10, watch.bytes)) ||
      watch.bytes == 0)
    return complainWatch(text, "expected 0xADDRESS or 0xADDRESS:BYTES");
  return watch;
}

static llvm::Expected<sim::DebugOptions::Break> parseBreak(StringRef text,
                                                           StringRef input) {
  sim::DebugOptions::Break place;
  uint64_t number;
  if (text.starts_with("0x")) {
    if (text.getAsInteger(16, number) &&
        text.drop_front(2).getAsInteger(16, number))
      return llvm::createStringError("--break=" + text +
                                     ": expected 0xPC, LINE or FILE:LINE");
    place.pc = number;
    return place;
  }
  StringRef line = text.rsplit(':').second;
  bool isPlain = !text.contains(':');
  if ((isPlain ? text : line).getAsInteger(10, number))
    return llvm::createStringError("--break=" + text +
                                   ": expected 0xPC, LINE or FILE:LINE");
  place.line = isPlain ? (llvm::sys::path::filename(input) + ":" + text).str()
                       : text.str();
  return place;
}

llvm::Expected<sim::DebugOptions>
fly::tools::debugOptionsOf(const RunRequest &request,
                           llvm::ArrayRef<launch::Argument> arguments) {
  sim::DebugOptions options;
  for (const std::string &text : request.watches) {
    auto watch = parseWatch(text, arguments);
    if (!watch)
      return watch.takeError();
    options.watches.push_back(std::move(*watch));
  }
  for (const std::string &text : request.breaks) {
    auto place = parseBreak(text, request.input);
    if (!place)
      return place.takeError();
    options.breaks.push_back(std::move(*place));
  }
  options.firstNan = request.firstNan;
  options.dumpLds = request.dumpLds;
  // Standard output is for the verdict.
  options.tell = [](const sim::DebugNote &note) {
    llvm::errs() << note.text << '\n';
  };
  return options;
}
