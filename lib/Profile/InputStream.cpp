//===- InputStream.cpp - Bytes of a file, block by block ------------------===//
//
// Files of profilers are read once, whatever their length; so are pipes.
//
//===----------------------------------------------------------------------===//
#include "InputStream.h"

using namespace fly::profile;
namespace fs = llvm::sys::fs;

static constexpr size_t blockBytes = 1 << 16;

llvm::Error fly::profile::fileError(llvm::StringRef path,
                                    const llvm::Twine &text) {
  return llvm::createStringError(
      (path == "-" ? llvm::Twine("standard input") : "'" + path + "'") + ": " +
      text);
}

llvm::Expected<InputStream> InputStream::open(llvm::StringRef path) {
  InputStream stream;
  stream.path = path.str();
  stream.block.resize(blockBytes);
  if (path == "-") {
    stream.file = fs::getStdinHandle();
    return stream;
  }
  if (fs::is_directory(path))
    return fileError(path, "is a folder, expected a file");
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return fileError(path,
                     "cannot be read: " + llvm::toString(file.takeError()));
  stream.file = *file;
  stream.isOwned = true;
  return stream;
}

InputStream::InputStream(InputStream &&other)
    : path(std::move(other.path)), file(other.file), isOwned(other.isOwned),
      block(std::move(other.block)) {
  other.isOwned = false;
}

InputStream::~InputStream() {
  if (isOwned)
    fs::closeFile(*file);
}

llvm::Expected<llvm::StringRef> InputStream::next() {
  llvm::Expected<size_t> count = fs::readNativeFile(*file, block);
  if (!count)
    return fileError(path,
                     "cannot be read: " + llvm::toString(count.takeError()));
  return llvm::StringRef(block.data(), *count);
}
