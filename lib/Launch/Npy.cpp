//===- Npy.cpp - NumPy's array files --------------------------------------===//
//
// The header is a Python dictionary of three known keys; it is read by looking
// for them. See numpy.lib.format for the layout.
//
//===----------------------------------------------------------------------===//
#include "fly/Launch/Npy.h"

#include "fly/Support/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace fly;
using namespace fly::launch;
using llvm::StringRef;

static constexpr llvm::StringLiteral kMagic = "\x93NUMPY";

static llvm::Error complain(StringRef path, const llvm::Twine &what) {
  return llvm::createStringError("'" + path + "': " + what);
}

/// The text after `'key':` in the header.
static StringRef valueOf(StringRef header, StringRef key) {
  size_t at = header.find(("'" + key + "'").str());
  if (at == header.npos)
    return {};
  return header.drop_front(at + key.size() + 2).split(':').second.ltrim();
}

/// Bytes of one entry of a type like "<f4".
static unsigned descrBytes(StringRef descr) {
  unsigned bytes = 0;
  if (descr.size() < 3 || descr.drop_front(2).getAsInteger(10, bytes))
    return 0;
  return bytes;
}

llvm::Expected<NpyArray> fly::launch::parseNpy(StringRef contents,
                                               StringRef path) {
  if (contents.empty())
    return complain(path, "is empty, expected a .npy file; write it by "
                          "numpy.save");
  if (!contents.starts_with(kMagic) || contents.size() < 10)
    return complain(path, "is not a .npy file (it does not start with the "
                          "magic \\x93NUMPY); write it by numpy.save");
  unsigned version = uint8_t(contents[6]);
  if (version < 1 || version > 3)
    return complain(path, "has .npy format version " + llvm::Twine(version) +
                              ", known are 1, 2 and 3; write it by numpy.save");
  size_t lengthBytes = version == 1 ? 2 : 4;
  size_t begin = 8 + lengthBytes;
  if (contents.size() < begin)
    return complain(path, "ends inside its header; save it again");
  size_t length = version == 1
                      ? llvm::support::endian::read16le(contents.data() + 8)
                      : llvm::support::endian::read32le(contents.data() + 8);
  if (contents.size() - begin < length)
    return complain(path, "ends inside its header; save it again");
  StringRef header = contents.substr(begin, length);

  NpyArray array;
  StringRef descr = valueOf(header, "descr");
  if (!descr.consume_front("'"))
    return complain(path, "holds records or no 'descr'; only arrays of one "
                          "number type are read");
  array.descr = descr.split('\'').first.str();
  if (StringRef(array.descr).starts_with(">"))
    return complain(path, "is big-endian (" + array.descr +
                              "); save a.astype(a.dtype.newbyteorder('<'))");
  unsigned entryBytes = descrBytes(array.descr);
  if (!entryBytes)
    return complain(path, "has the unknown type '" + array.descr +
                              "', expected numbers as in '<f4' or '<u2'");
  if (valueOf(header, "fortran_order").starts_with("True"))
    return complain(path, "is in Fortran order; save "
                          "numpy.ascontiguousarray(a)");
  StringRef shape = valueOf(header, "shape");
  if (!shape.consume_front("("))
    return complain(path, "has no 'shape' in its header");
  llvm::SmallVector<StringRef, 4> parts;
  shape.split(')').first.split(parts, ',', -1, /*KeepEmpty=*/false);
  uint64_t entries = 1;
  for (StringRef part : parts) {
    int64_t extent;
    if (part.trim().empty())
      continue;
    if (part.trim().getAsInteger(10, extent) || extent < 0 ||
        __builtin_mul_overflow(entries, uint64_t(extent), &entries))
      return complain(path, "has the shape entry '" + part.trim() + "'");
    array.shape.push_back(extent);
  }
  StringRef data = contents.drop_front(begin + length);
  if (data.size() / entryBytes < entries)
    return complain(path, llvm::formatv("ends after {0} bytes of data, its "
                                        "shape needs {1} entries of {2} bytes; "
                                        "save it again",
                                        data.size(), entries, entryBytes));
  data = data.take_front(entries * entryBytes);
  array.bytes.assign(data.bytes_begin(), data.bytes_end());
  return array;
}

/// NumPy's type for an element type, and its name for people.
static std::pair<StringRef, StringRef> numpyType(ElementType type) {
  return llvm::StringSwitch<std::pair<StringRef, StringRef>>(type.name())
      .Case("f64", {"<f8", "float64"})
      .Case("f32", {"<f4", "float32"})
      .Case("f16", {"<f2", "float16"})
      .Case("bf16", {"<u2", "uint16 (raw bits of bf16)"})
      .Case("i1", {"|u1", "uint8 (eight packed i1)"})
      .Case("i8", {"|i1", "int8"})
      .Case("i16", {"<i2", "int16"})
      .Case("i32", {"<i4", "int32"})
      .Cases({"i64", "index"}, {"<i8", "int64"})
      .Case("f4E2M1FN", {"|u1", "uint8 (two codes a byte)"})
      .Default({"|u1", "uint8 (raw codes)"});
}

/// The extents of the file of a buffer: those of types below a byte are packed
/// along the last dimension.
static llvm::SmallVector<int64_t, 4> fileExtents(const Buffer &buffer) {
  llvm::SmallVector<int64_t, 4> extents = buffer.shape().extents;
  if (buffer.type().bits() < 8 && !extents.empty())
    extents.back() = int64_t(buffer.type().bytesFor(extents.back()));
  return extents;
}

static std::string shapeText(llvm::ArrayRef<int64_t> extents) {
  std::string text = "(";
  for (auto [index, extent] : llvm::enumerate(extents))
    text += (index ? ", " : "") + std::to_string(extent);
  return text + (extents.size() == 1 ? ",)" : ")");
}

static bool sameType(StringRef descr, ElementType type) {
  StringRef expected = numpyType(type).first;
  if (descr == expected)
    return true;
  // Unsigned integers are as good as signed ones of the same width.
  return type.isInteger() && descr.size() == 3 && descr[1] == 'u' &&
         descr[2] == expected[2];
}

/// What a user types to turn the file into what the kernel takes.
static std::string fixFor(StringRef descr, ElementType type) {
  bool isFloat = descr.size() > 1 && descr[1] == 'f';
  if (type.name() == "bf16" && isFloat)
    return "; save (a.astype('float32').view('uint32') >> "
           "16).astype('uint16'), exact where the values are bf16";
  StringRef name = numpyType(type).second.split(' ').first;
  if (type.isFloat() && type.bits() <= 8)
    return ("; save the codes as " + name).str();
  return ("; save a.astype('" + name + "')").str();
}

static llvm::Expected<NpyArray> loadNpy(StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                  /*RequiresNullTerminator=*/false);
  if (!file)
    return complain(path, "cannot be read: " + file.getError().message());
  return parseNpy((*file)->getBuffer(), path);
}

llvm::Error fly::launch::readNpyInto(Buffer &buffer, StringRef path) {
  llvm::Expected<NpyArray> array = loadNpy(path);
  if (!array)
    return array.takeError();
  ElementType type = buffer.type();
  llvm::SmallVector<int64_t, 4> extents = fileExtents(buffer);
  std::string head =
      llvm::formatv("buffer '{0}' of {1} {2} needs shape {3} and type {4}",
                    buffer.name(), type.name(), buffer.shape().str(),
                    shapeText(extents), numpyType(type).second);
  if (!sameType(array->descr, type))
    return complain(path, "has type '" + array->descr + "' and shape " +
                              shapeText(array->shape) + "; " + head +
                              fixFor(array->descr, type));
  if (array->shape != extents) {
    int64_t have = 1, need = 1;
    for (int64_t extent : array->shape)
      have *= extent;
    for (int64_t extent : extents)
      need *= extent;
    std::string fix;
    if (have == need)
      fix = "; save a.reshape(" + shapeText(extents) + ")";
    else if (array->shape.size() == 2 && extents.size() == 2 &&
             array->shape[0] == extents[1])
      fix = "; is it transposed?";
    else
      fix = "; change the file, or the scalars that give the extents";
    return complain(path,
                    "has shape " + shapeText(array->shape) + "; " + head + fix);
  }
  if (type.bits() < 8 || buffer.shape().isContiguous()) {
    llvm::copy(array->bytes, buffer.data());
    return llvm::Error::success();
  }
  for (int64_t i = 0, e = buffer.shape().size(); i < e; ++i)
    type.storeBits(buffer.data(), buffer.shape().locate(i),
                   type.loadBits(array->bytes.data(), i));
  return llvm::Error::success();
}

llvm::Expected<std::pair<ElementType, Shape>>
fly::launch::peekNpy(StringRef path) {
  llvm::Expected<NpyArray> array = loadNpy(path);
  if (!array)
    return array.takeError();
  StringRef name =
      llvm::StringSwitch<StringRef>(StringRef(array->descr).drop_front())
          .Case("f8", "f64")
          .Case("f4", "f32")
          .Case("f2", "f16")
          .Cases({"i1", "u1"}, "i8")
          .Cases({"i2", "u2"}, "i16")
          .Cases({"i4", "u4"}, "i32")
          .Cases({"i8", "u8"}, "i64")
          .Default("");
  llvm::Expected<ElementType> type = ElementType::parse(name);
  if (!type) {
    llvm::consumeError(type.takeError());
    return complain(path, "has the unknown type '" + array->descr + "'");
  }
  return std::make_pair(*type, Shape::contiguous(array->shape));
}

llvm::Error fly::launch::writeNpy(const Buffer &buffer, StringRef path) {
  std::string header = llvm::formatv(
      "{{'descr': '{0}', 'fortran_order': False, 'shape': {1}, }",
      numpyType(buffer.type()).first, shapeText(fileExtents(buffer)));
  // Data starts at a multiple of 64; the header ends in a line feed.
  size_t total = llvm::alignTo(10 + header.size() + 1, 64);
  header.append(total - 10 - header.size() - 1, ' ');
  header += '\n';
  std::string contents = kMagic.str() + std::string("\x01\x00", 2);
  contents += char(header.size() & 0xff);
  contents += char(header.size() >> 8);
  contents += header;

  ElementType type = buffer.type();
  size_t start = contents.size();
  int64_t count = buffer.shape().size();
  contents.resize(start + type.bytesFor(count));
  auto *data = reinterpret_cast<uint8_t *>(contents.data() + start);
  for (int64_t i = 0; i < count; ++i)
    type.storeBits(data, i,
                   type.loadBits(buffer.data(), buffer.shape().locate(i)));
  if (llvm::Error error = writeOutputFile(path, contents))
    return complain(path,
                    "cannot be written: " + llvm::toString(std::move(error)));
  return llvm::Error::success();
}
