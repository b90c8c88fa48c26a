//===- RunConfiguration.cpp - A GEMM against exact integers ---------------===//
//
// Runs a configuration and compares C with integers that this file computes by
// itself, bit for bit, where the epilogue is exact on them; and with the bits
// of the plain schedule, where the configuration asks for that.
//
// A configuration may be refused instead of run only where a rule forbids it:
// LDS beyond the chip, or registers. The refusal must give numbers.
//
//===----------------------------------------------------------------------===//
#include "RunConfiguration.h"

#include "fly/Arch/ArchInfo.h"
#include "fly/Launch/Compare.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace fly;
using namespace fly::sweep;

namespace {
/// What the accumulator's exact sum becomes.
int64_t applyEpilogue(const Configuration &c, int64_t sum, int64_t n) {
  if (c.epilogue == "none")
    return sum;
  sum += elementBias(n);
  return c.epilogue == "bias_relu" ? std::max<int64_t>(sum, 0) : sum;
}

/// Whether the threads share a tile in whole rounds, with some width of a copy.
bool isWholeRounds(const Configuration &c, int64_t rows) {
  int64_t threads = 64 * c.wavesM * c.wavesN, rowBytes = c.tileK * 2;
  for (int64_t width : {4, 12, 16})
    if ((width == 4 || c.chip == "gfx950") && rowBytes % width == 0 &&
        rows * rowBytes % (threads * width) == 0)
      return true;
  return false;
}

/// Whether a rule forbids the configuration, and which.
bool mayBeRefused(const Configuration &c, llvm::StringRef message) {
  if (message.contains("fill LDS without gaps"))
    return c.levers.async && c.levers.swizzle == "pad";
  if (message.contains("cannot be swizzled by xor"))
    return c.levers.swizzle == "xor" && !llvm::isPowerOf2_64(c.tileK / 8);
  if (message.contains("no whole number of rounds"))
    return c.levers.async &&
           !(isWholeRounds(c, c.tileM) && isWholeRounds(c, c.tileN)) &&
           message.contains(std::to_string(c.tileK * 2));
  int64_t limit = *arch::ArchInfo::lookup(c.chip)->lds.bytes;
  // Rows that shall be padded are 16 to 64 bytes longer.
  if (c.levers.swizzle == "pad" &&
      c.ldsBytes() + c.stages * (c.tileM + c.tileN) * 64 > limit &&
      message.contains("LDS buffers"))
    return message.contains(std::to_string(limit));
  if (c.ldsBytes() > limit)
    return message.contains(std::to_string(c.ldsBytes())) &&
           message.contains(std::to_string(limit));
  // Registers: half of the lane's accumulators and staging do not fit.
  int64_t accumulators = c.tileM * c.tileN / (64 * c.wavesM * c.wavesN);
  return accumulators >= 128 && message.contains("register") &&
         llvm::any_of(message, llvm::isDigit);
}

Outcome failed(const llvm::Twine &why) { return {Verdict::Failed, why.str()}; }
Outcome failed(llvm::Error error) {
  return {Verdict::Failed, llvm::toString(std::move(error))};
}

/// C against exact integers; the bits of a narrower output come from rounding
/// the exact integer once.
Outcome check(const Configuration &c, launch::Buffer &got) {
  ElementType type = got.type();
  launch::Buffer expected("C", type, launch::Shape::contiguous({c.m, c.n}),
                          c.m * c.n);
  for (int64_t row = 0; row < c.m; ++row)
    for (int64_t column = 0; column < c.n; ++column) {
      int64_t sum = 0;
      for (int64_t k = 0; k < c.k; ++k)
        sum += elementA(row, k) * elementB(column, k);
      int64_t exact = applyEpilogue(c, sum, column);
      type.storeBits(expected.data(), row * c.n + column,
                     type.isFloat() ? type.encode(double(exact))
                                    : uint64_t(type.wrap(exact)));
    }
  auto comparison = launch::compare(got, expected);
  if (!comparison)
    return failed(comparison.takeError());
  if (comparison->isRight())
    return {Verdict::Passed, ""};
  return failed(launch::describe(*comparison, "C"));
}
} // namespace

Outcome fly::sweep::runConfiguration(const Configuration &c,
                                     mlir::MLIRContext &context,
                                     PlainResults &plain) {
  auto run = GemmRun::compile(c, context);
  if (!run) {
    std::string message = llvm::toString(run.takeError());
    if (mayBeRefused(c, message))
      return {Verdict::Refused, message};
    return failed(message);
  }
  Outcome outcome = {Verdict::Passed, ""};
  if (c.isExact()) {
    auto got = run->simulate(Inputs::Integers);
    if (!got)
      return failed(got.takeError());
    outcome = check(c, *got);
  }
  if (outcome.verdict == Verdict::Passed && c.comparesBits)
    if (llvm::Error error = plain.compare(c, *run))
      return failed(std::move(error));
  if (outcome.verdict == Verdict::Passed && run->spills())
    outcome.detail = "spills " + std::to_string(run->spills()) + " registers";
  return outcome;
}
