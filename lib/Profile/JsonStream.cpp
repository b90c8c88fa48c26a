//===- JsonStream.cpp - Values of a JSON file, through rapidjson ----------===//
//
// The one file that includes rapidjson. Its handlers stop a parse by returning
// false; its stream ends a token that is too long as if the file did, since the
// reader keeps whole strings.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/JsonStream.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <rapidjson/encodings.h>
#include <rapidjson/error/en.h>
#include <rapidjson/filereadstream.h>
#include <rapidjson/reader.h>

#include "InputStream.h"

using namespace fly::profile;
using llvm::StringRef;

bool JsonPath::is(std::initializer_list<StringRef> keys) const {
  if (keys.size() != steps.size())
    return false;
  const Step *step = steps.begin();
  for (StringRef key : keys) {
    if (key != "*" && (step->isList || key != step->key))
      return false;
    ++step;
  }
  return true;
}

std::string JsonPath::str() const {
  std::string text;
  for (const Step &step : steps)
    if (step.isList)
      text += "[" + std::to_string(step.index) + "]";
    else
      text += (text.empty() ? "" : ".") + step.key;
  return text;
}

std::string JsonScalar::describe() const {
  static constexpr size_t most = 40;
  std::string result;
  llvm::raw_string_ostream os(result);
  switch (kind) {
  case Null:
    os << "null";
    break;
  case Bool:
    os << (flag ? "true" : "false");
    break;
  case Unsigned:
    os << number;
    break;
  case Negative:
  case Real:
    os << real;
    break;
  case String:
    os << "the string '";
    llvm::printEscapedString(text.take_front(most), os);
    os << (text.size() > most ? "...'" : "'");
    break;
  }
  return result;
}

llvm::Error fly::profile::expectedJson(StringRef what,
                                       const JsonScalar &found) {
  return llvm::createStringError("expected " + what + ", found " +
                                 found.describe());
}

llvm::Error fly::profile::expectedJson(StringRef what, bool foundList) {
  return llvm::createStringError("expected " + what + ", found " +
                                 (foundList ? "a list" : "an object"));
}

llvm::Expected<uint64_t> fly::profile::unsignedOf(const JsonScalar &scalar,
                                                  StringRef what,
                                                  uint64_t most) {
  if (scalar.kind == JsonScalar::Unsigned && scalar.number <= most)
    return scalar.number;
  return expectedJson(
      (what + ", a whole number from 0 to " + llvm::Twine(most)).str(), scalar);
}

namespace {
/// The bytes of a file as rapidjson wants them. A byte 0 of the file is none of
/// JSON's and must not look like the end.
class ByteStream {
public:
  using Ch = char;
  ByteStream(std::FILE *file, size_t fileBytes)
      : stream(file, block, sizeof(block)), fileBytes(fileBytes) {}

  Ch Peek() const {
    if (isTokenTooLong())
      return 0;
    Ch byte = stream.Peek();
    return byte == 0 && stream.Tell() < fileBytes ? '\x01' : byte;
  }
  Ch Take() {
    Ch byte = Peek();
    if (!isTokenTooLong())
      stream.Take();
    return byte;
  }
  size_t Tell() const { return stream.Tell(); }
  // Of output streams.
  void Put(Ch) {}
  void Flush() {}
  Ch *PutBegin() { return nullptr; }
  size_t PutEnd(Ch *) { return 0; }

  void beginToken() { tokenBegin = stream.Tell(); }
  bool isTokenTooLong() const {
    return stream.Tell() - tokenBegin > maxJsonTokenBytes;
  }

private:
  char block[1 << 16];
  rapidjson::FileReadStream stream;
  size_t fileBytes;
  size_t tokenBegin = 0;
};
} // namespace

namespace fly::profile {
/// rapidjson's handler: keeps the path, and the visitor's error.
class JsonEvents {
public:
  JsonEvents(ByteStream &stream, JsonVisitor &visitor)
      : stream(stream), visitor(visitor) {
    (void)bool(error); // Success so far.
  }
  ~JsonEvents() { llvm::consumeError(std::move(error)); }

  bool Null() { return value({}); }
  bool Bool(bool flag) {
    JsonScalar scalar;
    scalar.kind = JsonScalar::Bool;
    scalar.flag = flag;
    return value(scalar);
  }
  bool Int(int number) { return Int64(number); }
  bool Uint(unsigned number) { return Uint64(number); }
  bool Int64(int64_t number) {
    if (number >= 0)
      return Uint64(uint64_t(number));
    JsonScalar scalar;
    scalar.kind = JsonScalar::Negative;
    scalar.real = double(number);
    return value(scalar);
  }
  bool Uint64(uint64_t number) {
    JsonScalar scalar;
    scalar.kind = JsonScalar::Unsigned;
    scalar.number = number;
    scalar.real = double(number);
    return value(scalar);
  }
  bool Double(double number) {
    JsonScalar scalar;
    scalar.kind = JsonScalar::Real;
    scalar.real = number;
    return value(scalar);
  }
  bool RawNumber(const char *, rapidjson::SizeType, bool) { return false; }
  bool String(const char *text, rapidjson::SizeType size, bool) {
    JsonScalar scalar;
    scalar.kind = JsonScalar::String;
    scalar.text = StringRef(text, size);
    return value(scalar);
  }
  bool Key(const char *text, rapidjson::SizeType size, bool) {
    stream.beginToken();
    path.steps.back().key.assign(text, size);
    // Which of two values would be meant is anyone's guess.
    llvm::SmallDenseSet<uint64_t, 16> &known = keys[path.size() - 1];
    uint64_t hash = llvm::xxh3_64bits(StringRef(text, size)) >> 1;
    bool isNew = known.size() >= maxKnownKeys ? !known.contains(hash)
                                              : known.insert(hash).second;
    if (!isNew)
      error = llvm::createStringError("stands twice in the file");
    return isNew;
  }
  bool StartObject() { return begin(/*isList=*/false); }
  bool StartArray() { return begin(/*isList=*/true); }
  bool EndObject(rapidjson::SizeType) { return end(); }
  bool EndArray(rapidjson::SizeType) { return end(); }

  /// What the visitor, or the depth, stopped the parse for.
  llvm::Error takeError() { return std::move(error); }
  const JsonPath &where() const { return path; }

private:
  bool begin(bool isList) {
    stream.beginToken();
    if (path.size() == maxJsonDepth) {
      error = llvm::createStringError("more than " + llvm::Twine(maxJsonDepth) +
                                      " levels, expected no trace to have");
      return false;
    }
    if ((error = visitor.enter(path, isList)))
      return false;
    path.steps.emplace_back();
    path.steps.back().isList = isList;
    if (!isList)
      keys[path.size() - 1].clear();
    return true;
  }
  bool end() {
    stream.beginToken();
    path.steps.pop_back();
    if ((error = visitor.leave(path)))
      return false;
    return advance();
  }
  bool value(const JsonScalar &scalar) {
    stream.beginToken();
    if ((error = visitor.value(path, scalar)))
      return false;
    return advance();
  }
  bool advance() {
    if (path.size() && path.steps.back().isList)
      ++path.steps.back().index;
    return true;
  }

  ByteStream &stream;
  JsonVisitor &visitor;
  JsonPath path;
  llvm::Error error = llvm::Error::success();
  /// Hashes of the keys of each open object: of its first ones, since memory
  /// does not grow with the file.
  static constexpr size_t maxKnownKeys = 1 << 16;
  llvm::SmallDenseSet<uint64_t, 16> keys[maxJsonDepth];
};
} // namespace fly::profile

/// "'file': code[3][5]: <what> (byte 17)".
static llvm::Error located(StringRef file, const JsonPath &path, size_t byte,
                           const llvm::Twine &what) {
  std::string place = path.str();
  return fileError(file, (place.empty() ? "" : place + ": ") + what +
                             " (byte " + llvm::Twine(byte) + ")");
}

llvm::Error fly::profile::readJson(StringRef path, JsonVisitor &visitor) {
  llvm::sys::fs::file_status status;
  if (std::error_code code = llvm::sys::fs::status(path, status))
    return fileError(path, "cannot be read: " + code.message());
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return fileError(path, "is no regular file, expected JSON");
  if (status.getSize() == 0)
    return fileError(path, "is empty, expected JSON");
  auto close = [](std::FILE *file) { std::fclose(file); };
  std::unique_ptr<std::FILE, decltype(close)> file(
      std::fopen(path.str().c_str(), "rb"), close);
  if (!file)
    return fileError(path,
                     llvm::Twine("cannot be read: ") + std::strerror(errno));

  auto stream = std::make_unique<ByteStream>(file.get(), status.getSize());
  for (char mark : {'\xef', '\xbb', '\xbf'}) // UTF-8's, as some editors do.
    if (stream->Peek() == mark)
      stream->Take();
  JsonEvents events(*stream, visitor);
  rapidjson::Reader reader;
  rapidjson::ParseResult result =
      reader.Parse<rapidjson::kParseIterativeFlag |
                   rapidjson::kParseValidateEncodingFlag |
                   rapidjson::kParseFullPrecisionFlag>(*stream, events);
  if (llvm::Error error = events.takeError())
    return located(path, events.where(), stream->Tell(),
                   llvm::toString(std::move(error)));
  if (!result.IsError())
    return llvm::Error::success();
  if (stream->isTokenTooLong())
    return located(path, events.where(), stream->Tell(),
                   "a string, number or blank of more than " +
                       llvm::Twine(maxJsonTokenBytes) +
                       " bytes, expected no trace to have");
  if (std::ferror(file.get()))
    return fileError(path, "cannot be read to its end");
  StringRef reason = rapidjson::GetParseError_En(result.Code());
  std::string text = "is no JSON: " + reason.rtrim('.').str();
  if (stream->Tell() >= status.getSize())
    text += "; the file ends too early, is it cut?";
  return located(path, events.where(), result.Offset(), text);
}
