//===- Buffer.cpp - Memory of a kernel argument, guarded ------------------===//
#include "fly/Launch/Buffer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::launch;

Shape Shape::contiguous(llvm::ArrayRef<int64_t> extents) {
  Shape shape;
  shape.extents.assign(extents.begin(), extents.end());
  shape.strides.assign(extents.size(), 1);
  for (int64_t d = int64_t(extents.size()) - 2; d >= 0; --d)
    shape.strides[d] = shape.strides[d + 1] * extents[d + 1];
  return shape;
}

int64_t Shape::size() const {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

int64_t Shape::span() const {
  if (size() == 0)
    return 0;
  int64_t last = 0;
  for (auto [extent, stride] : llvm::zip(extents, strides))
    last += (extent - 1) * stride;
  return last + 1;
}

bool Shape::isContiguous() const {
  return strides == contiguous(extents).strides;
}

llvm::SmallVector<int64_t, 4> Shape::coordinates(int64_t index) const {
  llvm::SmallVector<int64_t, 4> coords(extents.size());
  for (int64_t d = int64_t(extents.size()) - 1; d >= 0; --d) {
    coords[d] = index % extents[d];
    index /= extents[d];
  }
  return coords;
}

int64_t Shape::locate(int64_t index) const {
  int64_t place = 0;
  for (int64_t d = int64_t(extents.size()) - 1; d >= 0; --d) {
    place += index % extents[d] * strides[d];
    index /= extents[d];
  }
  return place;
}

std::string Shape::str() const {
  return llvm::join(
      llvm::map_range(extents, [](int64_t e) { return std::to_string(e); }),
      "x");
}

Buffer::Buffer(llvm::StringRef name, ElementType type, Shape shape,
               int64_t elements)
    : bufferName(name), elementType(type), bufferShape(std::move(shape)),
      elementCount(elements),
      storage(type.bytesFor(elements) + 2 * guardBytes) {
  std::fill_n(storage.begin(), guardBytes, guardByte);
  std::fill_n(storage.end() - guardBytes, guardBytes, guardByte);
}

double Buffer::value(int64_t index) const {
  uint64_t code = elementType.loadBits(data(), bufferShape.locate(index));
  return elementType.isFloat() ? elementType.decode(code)
                               : double(elementType.wrap(int64_t(code)));
}

llvm::Error Buffer::checkGuards() const {
  auto complain = [&](uint64_t index, int64_t offset) {
    return llvm::createStringError(
        llvm::formatv("buffer '{0}': guard byte at offset {1} was overwritten "
                      "with 0x{2:X-2} (the buffer has {3} bytes)",
                      bufferName, offset, storage[index], bytes())
            .str());
  };
  // The guard byte next to the buffer tells most: nearest first below it.
  for (uint64_t i = guardBytes; i-- > 0;)
    if (storage[i] != guardByte)
      return complain(i, int64_t(i) - int64_t(guardBytes));
  for (uint64_t i = storage.size() - guardBytes; i < storage.size(); ++i)
    if (storage[i] != guardByte)
      return complain(i, int64_t(i - guardBytes));
  return llvm::Error::success();
}
