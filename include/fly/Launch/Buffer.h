//===- Buffer.h - Memory of a kernel argument, guarded ----------*- C++ -*-===//
//
// What problem: a kernel that writes one element too far often goes unnoticed.
// What idea: each buffer lies between two guard bands of 256 bytes of 0xA5,
// which are checked after the launch.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LAUNCH_BUFFER_H
#define FLY_LAUNCH_BUFFER_H

#include "fly/Support/ElementType.h"
#include "fly/Support/ErrorBounds.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fly::launch {

/// How the elements of a buffer are counted: extents, outermost first, and the
/// distance of neighbours in each dimension, in elements.
struct Shape {
  llvm::SmallVector<int64_t, 4> extents;
  llvm::SmallVector<int64_t, 4> strides;

  /// Row-major without gaps.
  static Shape contiguous(llvm::ArrayRef<int64_t> extents);
  /// Product of the extents.
  int64_t size() const;
  /// Elements from the first to one past the last; 0 for an empty shape.
  int64_t span() const;
  bool isContiguous() const;
  /// Place in memory of the element with row-major number `index`.
  int64_t locate(int64_t index) const;
  /// Coordinates of the element with row-major number `index`.
  llvm::SmallVector<int64_t, 4> coordinates(int64_t index) const;
  /// "17x64".
  std::string str() const;
};

/// The memory of one pointer argument with its guard bands.
class Buffer {
public:
  static constexpr uint64_t guardBytes = 256;
  static constexpr uint8_t guardByte = 0xA5;

  /// `elements` is the number of elements of memory, at least the span of the
  /// shape. Memory starts zeroed.
  Buffer(llvm::StringRef name, ElementType type, Shape shape, int64_t elements);

  const std::string &name() const { return bufferName; }
  ElementType type() const { return elementType; }
  const Shape &shape() const { return bufferShape; }
  int64_t elements() const { return elementCount; }
  uint64_t bytes() const { return storage.size() - 2 * guardBytes; }
  uint8_t *data() { return storage.data() + guardBytes; }
  const uint8_t *data() const { return storage.data() + guardBytes; }
  /// Memory and both guard bands.
  llvm::MutableArrayRef<uint8_t> guarded() { return storage; }

  /// How far each element may be from what a correct kernel writes; the
  /// reference executor keeps it for the buffers it wrote. By place in memory.
  ErrorBounds &bounds() { return errorBounds; }
  const ErrorBounds &bounds() const { return errorBounds; }

  /// The element with row-major number `index`, floats and integers alike.
  double value(int64_t index) const;

  /// An error that names the buffer and the byte offset of the first changed
  /// guard byte, relative to the start of the buffer's memory.
  llvm::Error checkGuards() const;

private:
  std::string bufferName;
  ElementType elementType;
  Shape bufferShape;
  int64_t elementCount;
  std::vector<uint8_t> storage;
  ErrorBounds errorBounds;
};

} // namespace fly::launch

#endif // FLY_LAUNCH_BUFFER_H
