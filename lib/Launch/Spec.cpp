//===- Spec.cpp - What an argument holds, as text -------------------------===//
//
// The parser of SPEC and the contents it stands for.
//
//===----------------------------------------------------------------------===//
#include "fly/Launch/Spec.h"

#include "fly/Launch/Npy.h"
#include "fly/Launch/Preshuffle.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <cstring>

using namespace fly;
using namespace fly::launch;
using llvm::StringRef;
using llvm::Twine;

static constexpr llvm::StringLiteral kForms =
    "a number, or [TYPE[D0xD1...]=] and one of: zeros, fill:V, iota, "
    "rand:SEED, normal:SEED, bytes:0x38, pattern:a, pattern:b, @file.npy, "
    "shuffle:CONTENTS";

static llvm::Error complain(const Spec &spec, const Twine &what) {
  return llvm::createStringError("'" + spec.text + "': " + what);
}

/// A number, integer where it is one.
static bool parseNumber(StringRef text, Spec &spec) {
  spec.isInteger = !text.getAsInteger(0, spec.integer);
  if (spec.isInteger)
    spec.number = double(spec.integer);
  return spec.isInteger || !text.getAsDouble(spec.number);
}

/// `TYPE[D0xD1...]` or `TYPE`.
static llvm::Error parseShapedType(StringRef text, Spec &spec) {
  auto [name, rest] = text.split('[');
  llvm::Expected<ElementType> type = ElementType::parse(name);
  if (!type)
    return complain(spec, llvm::toString(type.takeError()));
  spec.type = *type;
  if (rest.empty() && !text.contains('['))
    return llvm::Error::success();
  if (!rest.consume_back("]"))
    return complain(spec, "expected ']' after the extents");
  spec.extents.emplace();
  llvm::SmallVector<StringRef, 4> parts;
  if (!rest.empty())
    rest.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t extent;
    if (part.getAsInteger(10, extent) || extent < 0)
      return complain(spec, "extent '" + part +
                                "' is not a number; write TYPE[D0xD1]");
    spec.extents->push_back(extent);
  }
  return llvm::Error::success();
}

llvm::Expected<Spec> Spec::parse(StringRef text) {
  Spec spec;
  spec.text = text.str();
  if (parseNumber(text, spec))
    return spec;
  StringRef fill = text;
  // A file name may hold '=' itself.
  if (size_t at = text.find('='); !text.starts_with("@") && at != text.npos) {
    fill = text.drop_front(at + 1);
    if (llvm::Error error = parseShapedType(text.take_front(at), spec))
      return error;
  }
  spec.isShuffled = fill.consume_front("shuffle:");
  if (fill.consume_front("@")) {
    spec.kind = Kind::File;
    spec.path = fill.str();
    if (fill.empty())
      return complain(spec, "expected a file name after '@'");
    return spec;
  }
  auto [word, argument] = fill.split(':');
  auto kind = llvm::StringSwitch<std::optional<Kind>>(word)
                  .Case("zeros", Kind::Zeros)
                  .Case("fill", Kind::Fill)
                  .Case("iota", Kind::Iota)
                  .Case("rand", Kind::Rand)
                  .Case("normal", Kind::Normal)
                  .Case("bytes", Kind::Bytes)
                  .Case("pattern", Kind::PatternA)
                  .Default(std::nullopt);
  if (!kind) {
    // `f32:1.5`
    llvm::Expected<ElementType> type = ElementType::parse(word);
    if (type && parseNumber(argument, spec)) {
      spec.type = *type;
      return spec;
    }
    if (!type)
      llvm::consumeError(type.takeError());
    return complain(spec, "expected " + kForms);
  }
  spec.kind = *kind;
  switch (spec.kind) {
  case Kind::Fill:
    if (!parseNumber(argument, spec))
      return complain(spec, "expected a number after 'fill:'");
    break;
  case Kind::Rand:
  case Kind::Normal:
    if (argument.getAsInteger(0, spec.seed))
      return complain(spec, "expected a seed, as in '" + word + ":1'");
    break;
  case Kind::Bytes:
    if (argument.getAsInteger(0, spec.integer) || spec.integer < 0 ||
        spec.integer > 255)
      return complain(spec, "expected one byte, as in 'bytes:0x38'");
    break;
  case Kind::PatternA:
    if (argument != "a" && argument != "b")
      return complain(spec, "expected 'pattern:a' or 'pattern:b'");
    if (argument == "b")
      spec.kind = Kind::PatternB;
    break;
  default:
    if (!argument.empty() || fill.contains(':'))
      return complain(spec, "'" + word + "' takes no argument");
    break;
  }
  return spec;
}

/// The number as an element of `type`; an error where it is none.
static llvm::Expected<uint64_t> encodeNumber(const Spec &spec,
                                             ElementType type) {
  if (type.isFloat())
    return type.encode(spec.number);
  if (!spec.isInteger)
    return llvm::createStringError("expected an integer");
  unsigned bits = type.bits();
  if (bits == 64)
    return uint64_t(spec.integer);
  if (!llvm::isIntN(bits, spec.integer) &&
      (spec.integer < 0 || !llvm::isUIntN(bits, spec.integer)))
    return llvm::createStringError("it does not fit " + Twine(bits) + " bits");
  return uint64_t(spec.integer) & llvm::maskTrailingOnes<uint64_t>(bits);
}

llvm::Expected<uint64_t>
fly::launch::scalarBits(const Spec &spec, ElementType type, StringRef name) {
  auto refuse = [&](const Twine &why) {
    return llvm::createStringError("argument '" + name + "' is a scalar of " +
                                   type.name() + ", got '" + spec.text +
                                   "': " + why);
  };
  if (spec.kind != Spec::Kind::Scalar)
    return refuse("write " + name + "=17");
  if (spec.type && *spec.type != type)
    return refuse("the type differs, write " + name + "=" +
                  StringRef(spec.text).split(':').second);
  llvm::Expected<uint64_t> bits = encodeNumber(spec, type);
  if (!bits)
    return refuse(llvm::toString(bits.takeError()));
  return *bits;
}

namespace {
/// splitmix64 (public domain, Vigna): every seed gives a stream, and element i
/// is reached without the ones before it.
uint64_t randomBits(uint64_t seed, uint64_t index) {
  uint64_t z =
      seed * 0xd1342543de82ef95ull + (index + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
} // namespace

/// Mean 0, deviation 1: twelve uniform numbers less 6, the same on every host.
static double normalNumber(uint64_t seed, uint64_t index) {
  double sum = -6;
  for (unsigned i = 0; i < 12; ++i)
    sum += double(randomBits(seed, index * 12 + i) >> 11) * 0x1p-53;
  return sum;
}

/// The number that a draw, 0 to 8, stands for.
static double drawnNumber(uint64_t draw, ElementType type) {
  int64_t small = int64_t(draw) - 4;
  if (type.name() == "f8E8M0FNU") // Scales: powers of two near 1.
    return std::ldexp(1.0, int(small) / 4);
  if (type.bits() == 1)
    return double(small & 1);
  return double(small);
}

/// The matrices of the public test cases, by row and column.
static double patternNumber(const Buffer &buffer, int64_t index, bool isA) {
  llvm::SmallVector<int64_t, 4> coords = buffer.shape().coordinates(index);
  int64_t k = coords.empty() ? 0 : coords.back();
  int64_t r = coords.size() < 2 ? 0 : coords[coords.size() - 2];
  return isA ? (131 * r + 71 * k + (r * k % 17)) % 9 - 4
             : (57 * r + 101 * k + (r * k % 13)) % 7 - 3;
}

static uint64_t codeOf(ElementType type, double number) {
  return type.isFloat() ? type.encode(number)
                        : uint64_t(type.wrap(int64_t(number)));
}

static void writeNumber(Buffer &buffer, int64_t place, double number) {
  buffer.type().storeBits(buffer.data(), place, codeOf(buffer.type(), number));
}

/// Few numbers, so that each is encoded once.
static void fillRandom(Buffer &buffer, uint64_t seed) {
  ElementType type = buffer.type();
  uint64_t codes[9];
  for (unsigned draw = 0; draw != std::size(codes); ++draw)
    codes[draw] = codeOf(type, drawnNumber(draw, type));
  auto fill = [&](auto store) {
    for (int64_t i = 0, e = buffer.elements(); i < e; ++i)
      store(i, codes[randomBits(seed, i) % 9]);
  };
  // Most buffers have elements of one byte or two.
  uint8_t *data = buffer.data();
  if (type.bits() == 8)
    fill([&](int64_t i, uint64_t code) { data[i] = uint8_t(code); });
  else if (type.bits() == 16)
    fill(
        [&](int64_t i, uint64_t code) { std::memcpy(data + 2 * i, &code, 2); });
  else
    fill([&](int64_t i, uint64_t code) { type.storeBits(data, i, code); });
}

llvm::Error fly::launch::fillBuffer(Buffer &buffer, const Spec &spec) {
  if (spec.type && *spec.type != buffer.type())
    return complain(spec, "buffer '" + buffer.name() + "' holds " +
                              buffer.type().name() + ", expected " +
                              buffer.type().name() +
                              " before '=', or nothing there");
  if (spec.extents && *spec.extents != buffer.shape().extents)
    return complain(spec,
                    "buffer '" + buffer.name() + "' has the extents " +
                        buffer.shape().str() +
                        "; leave them out, or change the scalars that they "
                        "come from");
  switch (spec.kind) {
  case Spec::Kind::Scalar:
    return complain(spec,
                    "argument '" + buffer.name() + "' is a buffer of " +
                        buffer.type().name() + " " + buffer.shape().str() +
                        "; to fill it with a number write fill:" + spec.text);
  case Spec::Kind::File:
    if (llvm::Error error = readNpyInto(buffer, spec.path))
      return error;
    break;
  case Spec::Kind::Zeros:
    std::fill_n(buffer.data(), buffer.bytes(), 0);
    break;
  case Spec::Kind::Bytes:
    std::fill_n(buffer.data(), buffer.bytes(), uint8_t(spec.integer));
    break;
  case Spec::Kind::PatternA:
  case Spec::Kind::PatternB:
    for (int64_t i = 0, e = buffer.shape().size(); i < e; ++i)
      writeNumber(buffer, buffer.shape().locate(i),
                  patternNumber(buffer, i, spec.kind == Spec::Kind::PatternA));
    break;
  case Spec::Kind::Fill: {
    llvm::Expected<uint64_t> bits = encodeNumber(spec, buffer.type());
    if (!bits)
      return complain(spec, "buffer '" + buffer.name() + "' holds " +
                                buffer.type().name() + ": " +
                                llvm::toString(bits.takeError()));
    // Gaps between rows as well, here and below: what lies there must not
    // matter.
    for (int64_t i = 0, e = buffer.elements(); i < e; ++i)
      buffer.type().storeBits(buffer.data(), i, *bits);
    break;
  }
  case Spec::Kind::Rand:
    fillRandom(buffer, spec.seed);
    break;
  case Spec::Kind::Iota:
  case Spec::Kind::Normal:
    for (int64_t i = 0, e = buffer.elements(); i < e; ++i)
      writeNumber(buffer, i,
                  spec.kind == Spec::Kind::Iota ? double(i)
                                                : normalNumber(spec.seed, i));
    break;
  }
  if (spec.isShuffled)
    return preshuffle(buffer, PreshuffleBlocks());
  return llvm::Error::success();
}
