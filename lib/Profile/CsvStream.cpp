//===- CsvStream.cpp - Rows of a CSV file, through libcsv -----------------===//
//
// The one file that calls libcsv. Its callbacks can not stop a parse, so they
// note what is wrong and the loop that feeds it stops; blocks are fed line by
// line, so that each row knows where it starts.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/CsvTable.h"

#include "llvm/ADT/SmallVector.h"

#include <csv.h>

#include "InputStream.h"

using namespace fly::profile;
using llvm::StringRef;

namespace {
using RowCallback =
    llvm::function_ref<llvm::Error(uint64_t, llvm::ArrayRef<StringRef>)>;

/// The rows between libcsv and a callback.
class RowReader {
public:
  RowReader(StringRef path, const CsvOptions &options, RowCallback callback)
      : path(path), options(options), callback(callback) {
    isReady = csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) == 0;
  }
  ~RowReader() {
    llvm::consumeError(std::move(result));
    if (isReady)
      csv_free(&parser);
  }

  llvm::Error feed(StringRef block);
  llvm::Error finish();

private:
  llvm::Error feedLine(StringRef line);
  llvm::Error check();
  void endRow();
  llvm::Error wrong(const llvm::Twine &text) const {
    return fileError(path, "line " + llvm::Twine(rowLine) + ": " + text);
  }
  static void cell(void *text, size_t size, void *self);
  static void row(int terminator, void *self);

  StringRef path;
  const CsvOptions &options;
  RowCallback callback;
  csv_parser parser;
  bool isReady;
  bool isFirstBlock = true;
  /// Bytes of the row that libcsv has been given, and whether any is not blank.
  size_t rowBytes = 0;
  bool rowBegun = false;
  bool inComment = false;
  char lastByte = '\n';
  uint64_t line = 1, rowLine = 1;
  std::string bytes; ///< Of the cells of the row.
  llvm::SmallVector<size_t> ends;
  llvm::SmallVector<StringRef> cells;
  llvm::Error result = llvm::Error::success();
};
} // namespace

void RowReader::cell(void *text, size_t size, void *self) {
  auto *reader = static_cast<RowReader *>(self);
  reader->bytes.append(static_cast<const char *>(text), size);
  reader->ends.push_back(reader->bytes.size());
}

void RowReader::row(int terminator, void *self) {
  (void)terminator;
  static_cast<RowReader *>(self)->endRow();
}

void RowReader::endRow() {
  cells.clear();
  size_t begin = 0;
  for (size_t end : ends) {
    cells.push_back(StringRef(bytes).slice(begin, end));
    begin = end;
  }
  if (!result && !cells.empty())
    result = callback(rowLine, cells);
  bytes.clear();
  ends.clear();
  rowBytes = 0;
  rowBegun = false;
}

llvm::Error RowReader::check() {
  if (result)
    return std::move(result);
  return llvm::Error::success();
}

llvm::Error RowReader::feedLine(StringRef text) {
  if (!rowBegun) {
    rowLine = line;
    rowBytes = 0;
    inComment |= text.ltrim().starts_with("#");
  }
  if (inComment) { // Ends with the line, whatever quotes it holds.
    inComment = !text.ends_with("\n");
    return llvm::Error::success();
  }
  rowBegun |= !text.trim().empty();
  rowBytes += text.size();
  if (rowBytes > options.maxRowBytes)
    return wrong("the row has more than " + llvm::Twine(options.maxRowBytes) +
                 " bytes; is a quote not closed, or the file no CSV?");
  size_t taken = csv_parse(&parser, text.data(), text.size(), cell, row, this);
  if (llvm::Error error = check())
    return error;
  if (taken == text.size())
    return llvm::Error::success();
  if (csv_error(&parser) == CSV_EPARSE)
    return wrong("a quote inside of a cell; a cell that holds one is quoted "
                 "and writes it twice");
  return wrong(csv_strerror(csv_error(&parser)));
}

llvm::Error RowReader::feed(StringRef block) {
  if (!isReady)
    return fileError(path, "no CSV parser");
  if (isFirstBlock) {
    isFirstBlock = false;
    if (block.starts_with("\xff\xfe") || block.starts_with("\xfe\xff"))
      return fileError(path, "is UTF-16 text, expected UTF-8; save it as such");
    block.consume_front("\xef\xbb\xbf");
  }
  while (!block.empty()) {
    size_t end = block.find('\n');
    StringRef text = block.take_front(end == StringRef::npos ? end : end + 1);
    if (llvm::Error error = feedLine(text))
      return error;
    lastByte = text.back();
    line += text.ends_with("\n");
    block = block.drop_front(text.size());
  }
  return llvm::Error::success();
}

llvm::Error RowReader::finish() {
  bool isOpen = rowBegun && lastByte != '\n' && lastByte != '\r';
  if (csv_fini(&parser, cell, row, this))
    return wrong("a quote is not closed at the end of the file; is it cut?");
  if (llvm::Error error = check())
    return error;
  if (isOpen && lastByte != '"' && !options.allowOpenEnd)
    return wrong("the last row does not end with a line break, so the file may "
                 "be cut; where it is whole, add one");
  return llvm::Error::success();
}

llvm::Error fly::profile::forEachCsvRow(StringRef path,
                                        const CsvOptions &options,
                                        RowCallback callback) {
  llvm::Expected<InputStream> stream = InputStream::open(path);
  if (!stream)
    return stream.takeError();
  RowReader reader(path, options, callback);
  while (true) {
    llvm::Expected<StringRef> block = stream->next();
    if (!block)
      return block.takeError();
    if (block->empty())
      return reader.finish();
    if (llvm::Error error = reader.feed(*block))
      return error;
  }
}
