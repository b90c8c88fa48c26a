//===- Preshuffle.cpp - Buffers as a matrix unit reads them ---------------===//
//
// Weights are shuffled once, on the host. Elements are moved as codes, so any
// type of whole chunks will do.
//
//===----------------------------------------------------------------------===//
#include "fly/Launch/Preshuffle.h"

#include <vector>

using namespace fly;
using namespace fly::launch;

/// Calls `move(plain, shuffled)` with both places of every element.
template <typename MoveFn>
static llvm::Error forEachPlace(const Buffer &buffer,
                                const PreshuffleBlocks &blocks, MoveFn move) {
  llvm::ArrayRef<int64_t> extents = buffer.shape().extents;
  auto refuse = [&](const llvm::Twine &why) {
    return llvm::createStringError(
        "buffer '" + buffer.name() + "' of " + buffer.type().name() + " " +
        buffer.shape().str() + " cannot be shuffled: " + why);
  };
  unsigned bits = buffer.type().bits();
  if (extents.size() < 2 || !buffer.shape().isContiguous())
    return refuse("it is no matrix without gaps");
  if (bits < 4 || PreshuffleBlocks::chunkBytes * 8 % bits != 0)
    return refuse("chunks of 16 bytes hold no whole elements");
  int64_t rows = extents[extents.size() - 2], columns = extents.back();
  int64_t width = blocks.columns(bits);
  if (rows % blocks.rows != 0 || columns % width != 0)
    return refuse("blocks have " + llvm::Twine(blocks.rows) + " rows and " +
                  llvm::Twine(width) + " columns, choose multiples of both");
  // Whole blocks fill each matrix, so the rows of all of them count on.
  for (int64_t i = 0, e = buffer.shape().size(); i < e; ++i)
    move(i, blocks.place(i / columns, i % columns, columns, bits));
  return llvm::Error::success();
}

llvm::Error fly::launch::preshuffle(Buffer &buffer,
                                    const PreshuffleBlocks &blocks) {
  std::vector<uint8_t> plain(buffer.data(), buffer.data() + buffer.bytes());
  ElementType type = buffer.type();
  return forEachPlace(buffer, blocks, [&](int64_t from, int64_t to) {
    type.storeBits(buffer.data(), to, type.loadBits(plain.data(), from));
  });
}

llvm::Error fly::launch::unshuffle(Buffer &buffer,
                                   const PreshuffleBlocks &blocks) {
  std::vector<uint8_t> shuffled(buffer.data(), buffer.data() + buffer.bytes());
  ElementType type = buffer.type();
  return forEachPlace(buffer, blocks, [&](int64_t to, int64_t from) {
    type.storeBits(buffer.data(), to, type.loadBits(shuffled.data(), from));
  });
}
