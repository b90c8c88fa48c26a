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
double applyEpilogue(const Configuration &c, double sum, int64_t m, int64_t n) {
  if (c.levers.scales == "row_col")
    sum *= scaleOf(m, 0) * scaleOf(n, 0);
  if (c.epilogue == "none")
    return sum;
  sum += double(elementBias(n));
  return c.epilogue == "bias_relu" ? std::max(sum, 0.0) : sum;
}

/// The operands as integers, row by row.
struct Operands {
  std::vector<int32_t> a, b;

  explicit Operands(const Configuration &c) {
    for (int64_t m = 0; m < c.m; ++m)
      for (int64_t k = 0; k < c.k; ++k)
        a.push_back(int32_t(elementA(m, k)));
    for (int64_t n = 0; n < c.n; ++n)
      for (int64_t k = 0; k < c.k; ++k)
        b.push_back(int32_t(elementB(n, k)));
  }
};

/// The exact sum of an element's products, with the scales of the loop.
double sumOf(const Configuration &c, const Operands &operands, int64_t m,
             int64_t n) {
  int64_t group = c.scaleGroup() ? c.scaleGroup() : c.k;
  bool hasScaleA = c.scaleGroup() && !c.isWidened();
  double total = 0;
  for (int64_t first = 0; first < c.k; first += group) {
    int64_t sum = 0;
    for (int64_t k = first, e = std::min(c.k, first + group); k < e; ++k)
      sum += operands.a[m * c.k + k] * operands.b[n * c.k + k];
    int64_t block = first / group;
    double scale = 1;
    if (hasScaleA)
      scale *= scaleOf(m, block);
    if (c.scaleGroup())
      scale *= scaleOf(c.levers.scales == "block" ? n / group : n, block);
    total += double(sum) * scale;
  }
  return total;
}

/// Whether the threads share a tile in whole rounds, with some width of a copy
/// that holds whole elements.
bool isWholeRounds(const Configuration &c, int64_t rows, int64_t rowBytes) {
  int64_t threads = 64 * c.wavesM * c.wavesN;
  int64_t elementBytes = c.in == "f64" ? 8 : 1;
  for (int64_t width : {4, 12, 16})
    if ((width == 4 || c.chip == "gfx950") && width % elementBytes == 0 &&
        rowBytes % width == 0 && rows * rowBytes % (threads * width) == 0)
      return true;
  return false;
}

/// Whether an operand's tile is no whole rounds, of which the message gives the
/// bytes of a row: along K, or as memory has the rows of a transpose.
bool hasBrokenRounds(const Configuration &c, llvm::StringRef message) {
  auto isBroken = [&](int64_t rows, int64_t bits, bool isTransposed) {
    int64_t along = c.tileK * bits / 8, across = rows * bits / 8;
    auto isNamed = [&](int64_t bytes) {
      return message.contains("in rows of " + std::to_string(bytes) + " ");
    };
    return (isNamed(along) && !isWholeRounds(c, rows, along)) ||
           (isTransposed && isNamed(across) &&
            !isWholeRounds(c, c.tileK, across));
  };
  return isBroken(c.tileM, c.bitsOfA(), c.isATransposed()) ||
         isBroken(c.tileN, c.bitsOfB(), c.isBTransposed());
}

/// Whether all threads copy 16 bytes of a tile in each round, whole rows of a
/// power of two of them, along K or as memory has the rows of a transpose.
bool isWholeCopy(const Configuration &c, int64_t rows, int64_t bits,
                 bool isTransposed) {
  int64_t along = c.tileK * bits / 8, across = rows * bits / 8;
  return rows * along % (64 * c.wavesM * c.wavesN * 16) == 0 &&
         llvm::isPowerOf2_64(along) &&
         (!isTransposed || llvm::isPowerOf2_64(across));
}

/// Whether some operand is copied past the registers, or has its rows laid out
/// so: by a lever of both or by an override of one.
bool hasAsync(const Configuration &c) {
  return c.levers.async || llvm::StringRef(c.overrides).contains(".copy=async");
}
bool hasSwizzle(const Configuration &c, llvm::StringRef swizzle) {
  return c.levers.swizzle == swizzle ||
         llvm::StringRef(c.overrides).contains((".swizzle=" + swizzle).str());
}

/// Whether the message says that more LDS is needed than the chip has, and that
/// is so: of operands alone, or with what padding, scales and the exchange of
/// widened weights and of sums add.
bool exceedsLds(const Configuration &c, llvm::StringRef message) {
  int64_t limit = *arch::ArchInfo::lookup(c.chip)->lds.bytes, bytes;
  // Of operands, or of all that the kernel has.
  llvm::StringRef rest = message.contains(" need ")
                             ? message.split(" need ").second
                             : message.split(" needs ").second;
  if (rest.consumeInteger(10, bytes) || bytes <= limit ||
      !message.contains("limit is " + std::to_string(limit)))
    return false;
  int64_t rows = c.tileM + c.tileN, most = c.ldsBytes();
  int64_t stages = std::max(c.stages, c.stagesOfB);
  // Rows that shall be padded are 16 to 64 bytes longer; operands across K may
  // lie as memory has them, with a row for each element of K.
  if (hasSwizzle(c, "pad"))
    most += stages * 64 *
            (std::max(c.tileM, c.isATransposed() ? c.tileK : 0) +
             std::max(c.tileN, c.isBTransposed() ? c.tileK : 0));
  if (int64_t group = c.scaleGroup())
    most += stages * rows * 4 * llvm::divideCeil(c.tileK, group);
  if (c.isWidened())
    most += c.tileN * c.tileK * 2;
  // A scale of a block becomes a row of them, for each tile that is in a buffer
  // and the next one, in the loop and behind it.
  if (c.levers.scales == "block")
    most += 2 * (stages + 1) * c.tileN * 4;
  // Where the operands lay, sums change lanes.
  if (c.levers.store != "direct")
    most = std::max(most, c.tileM * c.tileN * (c.out == "f64" ? 8 : 4));
  // What an atomic gives reaches all waves.
  if (c.isSplit())
    most += kShareBytes;
  return bytes <= most;
}

/// Whether accumulators and what comes of B straight to registers, the tile in
/// use and those that run ahead, are more than a lane has: 512 registers for
/// one wave a SIMD, of four SIMDs.
bool exceedsRegistersByB(const Configuration &c) {
  if (!c.isPreshuffled())
    return false;
  int64_t tile = c.tileN * c.tileK * c.bitsOfB() / (64 * c.wavesN) / 32;
  int64_t ahead = 1;
  llvm::StringRef depth = llvm::StringRef(c.overrides).split("b.depth=").second;
  depth.consumeInteger(10, ahead);
  int64_t waves = llvm::divideCeil(c.wavesM * c.wavesN, 4);
  return c.accumulators() + (1 + ahead) * tile > 512 / waves;
}

/// Whether a rule forbids the configuration, and which.
bool mayBeRefused(const Configuration &c, llvm::StringRef message) {
  if (message.contains(kUnlocated))
    return false;
  if (message.contains("fill LDS without gaps"))
    return hasAsync(c) && hasSwizzle(c, "pad");
  if (message.contains("cannot have 'hot_loop = pingpong': two waves on each"))
    return c.levers.hotLoop == "pingpong" && c.wavesM * c.wavesN != 8;
  // Threads that are idle in the last round of a copy branch around it.
  if (message.contains("cannot have 'hot_loop = interleave': control flow"))
    return c.levers.hotLoop == "interleave" &&
           !(isWholeCopy(c, c.tileM, c.bitsOfA(), c.isATransposed()) &&
             (c.isPreshuffled() ||
              isWholeCopy(c, c.tileN, c.bitsOfB(), c.isBTransposed())));
  if (message.contains("are no whole bytes"))
    return hasAsync(c) && std::min(c.bitsOfA(), c.bitsOfB()) < 8 &&
           message.contains("cannot be copied to LDS past the registers");
  if (message.contains("elements of 8 bytes are wider than"))
    return hasAsync(c) && c.in == "f64" && c.chip == "gfx942";
  if (message.contains("cannot be swizzled by xor"))
    return hasSwizzle(c, "xor") && !(llvm::isPowerOf2_64(c.rowBytesOfA()) &&
                                     llvm::isPowerOf2_64(c.rowBytesOfB()));
  if (message.contains("no whole number of rounds"))
    return hasAsync(c) && hasBrokenRounds(c, message);
  if (message.contains("LDS"))
    return exceedsLds(c, message);
  // Registers: half of the lane's accumulators and staging do not fit, or
  // weights that are widened, two a register; or what comes of B straight to
  // registers, the tile in use and those that run ahead.
  if (!message.contains("register") || llvm::none_of(message, llvm::isDigit))
    return false;
  int64_t weights = c.isWidened() ? c.tileN * c.tileK / (64 * c.wavesN) / 2 : 0;
  return exceedsRegistersByB(c) || c.accumulators() + weights >= 128;
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
  Operands operands(c);
  for (int64_t row = 0; row < c.m; ++row)
    for (int64_t column = 0; column < c.n; ++column) {
      double exact =
          applyEpilogue(c, sumOf(c, operands, row, column), row, column);
      type.storeBits(expected.data(), row * c.n + column,
                     type.isFloat() ? type.encode(exact)
                                    : uint64_t(type.wrap(int64_t(exact))));
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
  if (std::string races = run->races(); !races.empty())
    return failed("order of LDS: " + races);
  Outcome outcome = {Verdict::Passed, ""};
  if (c.isExact()) {
    auto got = run->simulate(Inputs::Integers, /*isChecked=*/true);
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
