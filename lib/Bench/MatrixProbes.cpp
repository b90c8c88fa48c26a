//===- MatrixProbes.cpp - where matrix instructions have their elements ---===//
//
// All elements that a lane gives of one operand are its number and 1, those of
// the other one are 1. So each element of the result says which lane of that
// operand it comes from, times K.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/MfmaTable.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

#include "Probes.h"

using namespace fly;
using namespace fly::bench;
using arch::Chip;
using arch::ElementType;
using arch::MfmaRow;

/// The bits of a small integer in `type`.
static uint32_t bitsOf(unsigned value, ElementType type) {
  if (type == ElementType::I8)
    return value;
  const llvm::fltSemantics &semantics =
      type == ElementType::F16    ? llvm::APFloat::IEEEhalf()
      : type == ElementType::Bf16 ? llvm::APFloat::BFloat()
                                  : llvm::APFloat::IEEEsingle();
  llvm::APFloat number(semantics);
  number.convertFromAPInt(llvm::APInt(32, value), /*IsSigned=*/false,
                          llvm::APFloat::rmNearestTiesToEven);
  return uint32_t(number.bitcastToAPInt().getZExtValue());
}

/// A dword full of the elements.
static uint32_t filled(unsigned value, ElementType type) {
  uint32_t bits = bitsOf(value, type), dword = 0;
  unsigned width = arch::bitWidth(type);
  for (unsigned at = 0; at != 32; at += width)
    dword |= bits << at;
  return dword;
}

namespace {

/// An element of the result: which block, row and column.
struct Place {
  unsigned block, row, column;
};

} // namespace

/// Further blocks are in further registers, of 4x4 in further lanes.
static Place assumedPlace(const MfmaRow &row, unsigned lane, unsigned r) {
  if (row.m == 32)
    return {r / 16, r % 16 / 4 * 8 + lane / 32 * 4 + r % 4, lane % 32};
  if (row.m == 16)
    return {r / 4, lane / 16 * 4 + r % 4, lane % 16};
  return {lane / 4, r, lane % 4};
}

/// Loads A and B, 16 bytes a lane, multiplies, and stores the result register
/// by register.
static std::string matrixBody(const MfmaRow &row) {
  auto range = [](unsigned first, unsigned count) {
    return count == 1
               ? "v" + std::to_string(first)
               : llvm::formatv("v[{0}:{1}]", first, first + count - 1).str();
  };
  const unsigned results = row.cRegisters();
  std::string text = R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  v_lshlrev_b32 v1, 4, v0
  v_lshlrev_b32 v2, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_dwordx4 v[4:7], v1, s[4:5]
  global_load_dwordx4 v[8:11], v1, s[6:7]
  s_waitcnt vmcnt(0)
)";
  text += llvm::formatv("  {0} {1}, {2}, {3}, 0\n  s_nop 15\n  s_nop 15\n",
                        row.mnemonic, range(16, results),
                        range(4, row.aRegisters()), range(8, row.bRegisters()));
  for (unsigned r = 0; r != results; ++r) {
    text += llvm::formatv("  global_store_dword v2, v{0}, s[8:9]\n", 16 + r);
    text += "  v_add_u32 v2, 0x100, v2\n";
  }
  return text;
}

/// How many elements of the result are of the block, row and column assumed.
static llvm::Expected<unsigned> countRight(Chip chip, const MfmaRow &row) {
  auto kernel = MicroKernel::create(chip, matrixBody(row));
  if (!kernel)
    return kernel.takeError();
  MicroKernel::Launch launch;
  for (unsigned i = 0; i != 3; ++i) {
    auto buffer = (*kernel)->allocate(64 * 4 * 32);
    if (!buffer)
      return buffer.takeError();
    launch.arguments.push_back(*buffer);
  }
  auto at = [&](unsigned buffer, unsigned dword) {
    return (*kernel)->memory().host(launch.arguments[buffer] + 4 * dword, 4);
  };
  unsigned wrong = 0;
  const unsigned results = row.cRegisters();
  std::vector<bool> isRight(64 * results, true);
  for (unsigned operand = 0; operand != 2; ++operand) {
    for (unsigned lane = 0; lane != 64; ++lane)
      for (unsigned dword = 0; dword != 4; ++dword) {
        uint32_t number = filled(lane + 1, row.a), one = filled(1, row.a);
        std::memcpy(at(operand, 4 * lane + dword), &number, 4);
        std::memcpy(at(1 - operand, 4 * lane + dword), &one, 4);
      }
    auto timing = (*kernel)->run(launch);
    if (!timing)
      return timing.takeError();
    for (unsigned lane = 0; lane != 64; ++lane)
      for (unsigned r = 0; r != results; ++r) {
        Place place = assumedPlace(row, lane, r);
        // Blocks of inputs are in further groups of lanes.
        unsigned source = operand == 0 ? place.block * row.m + place.row
                                       : place.block * row.n + place.column;
        unsigned value = row.k * (source + 1);
        uint32_t expected =
            bitsOf(value, row.c == ElementType::I32 ? ElementType::I8 : row.c);
        uint32_t found;
        std::memcpy(&found, at(2, 64 * r + lane), 4);
        if (found != expected)
          isRight[64 * r + lane] = false;
      }
  }
  for (bool right : isRight)
    wrong += !right;
  return 64 * results - wrong;
}

static llvm::Error probeBlockOrder(ProbeBench &bench) {
  for (const MfmaRow &row : arch::mfmaTable()) {
    if (llvm::StringRef(row.assumption) != bench.assumption)
      continue;
    auto right = countRight(bench.chip, row);
    if (!right)
      return right.takeError();
    bench.add("elements of " + std::string(row.mnemonic) + " in place",
              "elements", Predicted::exactly(64 * row.cRegisters()), *right,
              "memory");
  }
  return llvm::Error::success();
}

void fly::bench::addMatrixProbes(Probes &probes) {
  probes.push_back(
      {"MFMA-BLOCK-ORDER", {Chip::Gfx942, Chip::Gfx950}, probeBlockOrder});
}
