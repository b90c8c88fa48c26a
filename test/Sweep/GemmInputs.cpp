//===- GemmInputs.cpp - What the sweep's kernels read ---------------------===//
#include "GemmInputs.h"

#include "fly/Launch/Preshuffle.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cmath>

using namespace fly;
using namespace fly::sweep;
using launch::Buffer;
using llvm::StringRef;

int64_t fly::sweep::elementA(int64_t m, int64_t k) {
  return (131 * m + 71 * k + (m * k) % 17) % 9 - 4;
}
int64_t fly::sweep::elementB(int64_t n, int64_t k) {
  return (57 * n + 101 * k + (n * k) % 13) % 7 - 3;
}
int64_t fly::sweep::elementBias(int64_t n) { return elementB(0, n); }

double fly::sweep::scaleOf(int64_t row, int64_t block) {
  return std::ldexp(1.0, int((3 * row + 5 * block) % 5) - 2);
}

/// A number of [-2, 2) with many digits that follows from two others.
static double roundingNumber(int64_t row, int64_t column, uint64_t seed) {
  uint64_t bits = uint64_t(row) << 32 ^ uint64_t(column) ^ seed << 56;
  // The finalizer of a well-known hash: every bit of the input counts.
  for (uint64_t factor : {0xff51afd7ed558ccdull, 0xc4ceb9fe1a85ec53ull}) {
    bits ^= bits >> 33;
    bits *= factor;
  }
  return std::ldexp(double(bits >> 11), -51) - 2;
}

static void write(Buffer &buffer, int64_t place, double number) {
  ElementType type = buffer.type();
  type.storeBits(buffer.data(), place,
                 type.isFloat() ? type.encode(number)
                                : uint64_t(type.wrap(int64_t(number))));
}

/// Writes each element by its coordinates; a line has the row 0.
static void fill(Buffer &buffer,
                 llvm::function_ref<double(int64_t, int64_t)> number) {
  for (int64_t i = 0, e = buffer.shape().size(); i < e; ++i) {
    auto at = buffer.shape().coordinates(i);
    write(buffer, buffer.shape().locate(i),
          at.size() == 2 ? number(at[0], at[1]) : number(0, at[0]));
  }
}

/// The scales of rows of `buffer`, which are of blocks of K with --scales=block
/// and of rows with --scales=row_col.
static void fillScales(const Configuration &c, Buffer &buffer, Inputs inputs,
                       uint64_t seed) {
  bool isByBlock = c.levers.scales != "row_col";
  bool isTurned = c.levers.scales == "block";
  bool isRounding = inputs == Inputs::Rounding && c.levers.scales != "mx";
  fill(buffer, [&](int64_t row, int64_t column) {
    if (!isByBlock || isTurned)
      std::swap(row, column);
    return isRounding ? roundingNumber(row, column, seed)
                      : scaleOf(row, column);
  });
}

llvm::Error fly::sweep::fillInputs(const Configuration &c, Inputs inputs,
                                   std::vector<launch::Argument> &arguments) {
  bool isExact = inputs == Inputs::Integers;
  for (launch::Argument &argument : arguments) {
    if (!argument.buffer)
      continue;
    Buffer &buffer = *argument.buffer;
    StringRef name = argument.parameter.name;
    bool isPattern = isExact || !buffer.type().isFloat();
    if (name == "A")
      fill(buffer, [&](int64_t m, int64_t k) {
        return isPattern ? double(elementA(m, k)) : roundingNumber(m, k, 1);
      });
    if (name == "B")
      fill(buffer, [&](int64_t n, int64_t k) {
        return isPattern ? double(elementB(n, k)) : roundingNumber(n, k, 2);
      });
    if (name == "Bias")
      fill(buffer, [&](int64_t, int64_t n) {
        return isPattern ? double(elementBias(n)) : roundingNumber(0, n, 3);
      });
    if (name == "SA" || name == "SB")
      fillScales(c, buffer, inputs, name == "SA" ? 4 : 5);
    if (name == "C" && c.isAtomic())
      fill(buffer, [](int64_t, int64_t) { return 0; });
    if (name == "B" && c.isPreshuffled())
      if (llvm::Error error = launch::preshuffle(buffer, PreshuffleBlocks()))
        return error;
  }
  return llvm::Error::success();
}

/// Calls `fn` with the place of every element between the rows of a matrix, or
/// between its columns where those lie in a row.
static void forEachGapElement(const Buffer &buffer,
                              llvm::function_ref<void(int64_t)> fn) {
  const launch::Shape &shape = buffer.shape();
  if (shape.extents.size() != 2)
    return;
  bool isTurned = shape.strides[0] == 1 && shape.strides[1] != 1;
  int64_t length = shape.extents[isTurned ? 0 : 1];
  int64_t stride = shape.strides[isTurned ? 1 : 0];
  if (stride <= length)
    return;
  for (int64_t i = 0; i < buffer.elements(); ++i)
    if (i % stride >= length)
      fn(i);
}

void fly::sweep::fillGaps(std::vector<launch::Argument> &arguments) {
  for (launch::Argument &argument : arguments)
    if (argument.buffer)
      forEachGapElement(*argument.buffer, [&](int64_t place) {
        argument.buffer->type().storeBits(argument.buffer->data(), place,
                                          ~uint64_t(0));
      });
}

llvm::Error fly::sweep::checkGaps(const Buffer &buffer) {
  int64_t changed = 0;
  ElementType type = buffer.type();
  uint64_t ones = ~uint64_t(0) >> (64 - type.bits());
  forEachGapElement(buffer, [&](int64_t place) {
    changed += type.loadBits(buffer.data(), place) != ones;
  });
  if (!changed)
    return llvm::Error::success();
  return llvm::createStringError("buffer '" + buffer.name() +
                                 "': " + llvm::Twine(changed) +
                                 " elements between rows were overwritten");
}
