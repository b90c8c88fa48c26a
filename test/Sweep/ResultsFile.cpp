//===- ResultsFile.cpp - What a sweep did, kept across runs ---------------===//
#include "ResultsFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace fly::sweep;
using llvm::StringRef;

static constexpr Verdict kVerdicts[] = {Verdict::Passed, Verdict::Refused,
                                        Verdict::Failed};

const char *fly::sweep::wordOf(Verdict verdict) {
  switch (verdict) {
  case Verdict::Passed:
    return "passed";
  case Verdict::Refused:
    return "refused";
  case Verdict::Failed:
    return "failed";
  }
  llvm_unreachable("all verdicts handled");
}

static llvm::Error complain(StringRef what, StringRef path,
                            std::error_code ec) {
  return llvm::createStringError("cannot " + what + " '" + path +
                                 "': " + ec.message());
}

llvm::Expected<std::string> fly::sweep::keyOfProgram(const char *argv0) {
  std::string path = llvm::sys::fs::getMainExecutable(
      argv0, reinterpret_cast<void *>(&keyOfProgram));
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return complain("read", path, file.getError());
  uint64_t hash = llvm::xxh3_64bits((*file)->getBuffer());
  hash ^= llvm::xxh3_64bits(StringRef(LLVM_VERSION_STRING));
  return llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/16);
}

llvm::Expected<ResultsFile> ResultsFile::open(StringRef path, StringRef key) {
  ResultsFile results;
  results.path = path.str();
  results.key = key.str();
  if (path.empty())
    return results;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false);
  if (!buffer && buffer.getError() != std::errc::no_such_file_or_directory)
    return complain("read", path, buffer.getError());
  if (!buffer)
    return results;
  StringRef text = (*buffer)->getBuffer();
  while (!text.empty()) {
    size_t end = text.find('\n');
    if (end == text.npos) {
      // A process was killed in the middle of a line: end it, so that the next
      // one starts afresh.
      if (llvm::Error error = results.append("\n"))
        return std::move(error);
      break;
    }
    llvm::SmallVector<StringRef, 4> fields;
    text.take_front(end).split(fields, '\t', /*MaxSplit=*/3);
    text = text.drop_front(end + 1);
    if (fields.size() != 4)
      continue;
    if (fields[1] != key) {
      ++results.foreignLines;
      continue;
    }
    results.done.erase(fields[2]);
    for (Verdict verdict : kVerdicts)
      if (verdict != Verdict::Failed && fields[0] == wordOf(verdict))
        results.done[fields[2]] = verdict;
  }
  return results;
}

std::optional<Verdict> ResultsFile::lookup(StringRef name) const {
  auto it = done.find(name);
  if (it == done.end())
    return std::nullopt;
  return it->second;
}

std::string ResultsFile::line(StringRef name, const Outcome &outcome) const {
  // One line, whatever a message holds.
  std::string detail = StringRef(outcome.detail).split('\n').first.str();
  llvm::replace(detail, '\t', ' ');
  return (llvm::Twine(wordOf(outcome.verdict)) + "\t" + key + "\t" + name +
          "\t" + detail + "\n")
      .str();
}

llvm::Error ResultsFile::append(StringRef line) const {
  if (path.empty())
    return llvm::Error::success();
  std::error_code ec;
  llvm::raw_fd_ostream out(path, ec, llvm::sys::fs::OF_Append);
  if (ec)
    return complain("write", path, ec);
  // One write a line: several processes may append.
  out << line;
  out.flush();
  if (std::error_code failure = out.error()) {
    out.clear_error();
    return complain("write", path, failure);
  }
  return llvm::Error::success();
}
