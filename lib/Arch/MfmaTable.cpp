//===- MfmaTable.cpp - The rows of the matrix instructions ----------------===//
//
// The rows themselves, and what follows from a row by arithmetic: registers,
// lane maps, look-ups. Elements a lane are not written down but computed, since
// all 64 lanes share an operand evenly. The lane maps of all dense forms are
// two formulas; the exceptions are the f64 result and 8-bit f8f6f4 operands.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/MfmaTable.h"

#include "llvm/ADT/Twine.h"

#include <iterator>

using namespace fly::arch;

namespace {

using E = ElementType;

/// Where a group of rows comes from.
enum Origin {
  Cdna3,      ///< In AMD's matrix instruction calculator for gfx942.
  MultiBlock, ///< Shape and passes as above; the result's block order recalled.
  Cdna4,      ///< Not in the calculator: from public frameworks.
  Scaled,     ///< The f8f6f4 forms.
};

enum Pipe { Xdl, Smfma };

struct Shape {
  unsigned m, n, k, blocks;
};

constexpr unsigned lanes = 64;

constexpr const char *originText(Origin origin) {
  switch (origin) {
  case Cdna3:
    return "[AMD] matrix instruction calculator, gfx942; passes [LLVM22] "
           "llvm-mca, agree with the calculator's cycles";
  case MultiBlock:
    return "[LLVM22] llvm-mca for passes; [MEM] order of the result's blocks";
  case Cdna4:
    return "[LLVM22] llvm-mca for passes; lane maps [AMD] CK, IREE, rocjitsu";
  case Scaled:
    return "[LLVM22] passes from llc's hazard padding (llvm-mca's predicate "
           "does not see the formats); lane maps [AMD] CK, rocjitsu, Triton";
  }
  return "";
}

constexpr MfmaRow row(const char *mnemonic, const char *suffix, Shape shape,
                      E a, E b, E c, unsigned passesGfx942,
                      unsigned passesGfx950, Origin origin, Pipe pipe = Xdl) {
  MfmaRow r{};
  r.mnemonic = mnemonic;
  r.suffix = suffix;
  r.m = shape.m;
  r.n = shape.n;
  r.k = shape.k;
  r.blocks = shape.blocks;
  r.a = a;
  r.b = b;
  r.c = c;
  r.aElements = shape.m * shape.k * shape.blocks / lanes;
  r.bElements = shape.n * shape.k * shape.blocks / lanes;
  r.cElements = shape.m * shape.n * shape.blocks / lanes;
  r.passesGfx942 = passesGfx942;
  r.passesGfx950 = passesGfx950;
  r.xdl = pipe == Xdl;
  r.scaled = origin == Scaled;
  r.basis = origin == Cdna3        ? Basis::Vendor
            : origin == MultiBlock ? Basis::Recalled
                                   : Basis::Llvm;
  r.source = originText(origin);
  r.assumption = origin == MultiBlock ? "MFMA-BLOCK-ORDER" : "";
  return r;
}

// clang-format off
constexpr MfmaRow rows[] = {
    // f16 and bf16.
    row("v_mfma_f32_16x16x16_f16", "mfma.f32.16x16x16f16", {16, 16, 16, 1}, E::F16, E::F16, E::F32, 4, 4, Cdna3),
    row("v_mfma_f32_32x32x8_f16", "mfma.f32.32x32x8f16", {32, 32, 8, 1}, E::F16, E::F16, E::F32, 8, 8, Cdna3),
    row("v_mfma_f32_4x4x4_16b_f16", "mfma.f32.4x4x4f16", {4, 4, 4, 16}, E::F16, E::F16, E::F32, 2, 2, MultiBlock),
    row("v_mfma_f32_16x16x4_4b_f16", "mfma.f32.16x16x4f16", {16, 16, 4, 4}, E::F16, E::F16, E::F32, 8, 8, MultiBlock),
    row("v_mfma_f32_32x32x4_2b_f16", "mfma.f32.32x32x4f16", {32, 32, 4, 2}, E::F16, E::F16, E::F32, 16, 16, MultiBlock),
    row("v_mfma_f32_16x16x16_bf16", "mfma.f32.16x16x16bf16.1k", {16, 16, 16, 1}, E::Bf16, E::Bf16, E::F32, 4, 4, Cdna3),
    row("v_mfma_f32_32x32x8_bf16", "mfma.f32.32x32x8bf16.1k", {32, 32, 8, 1}, E::Bf16, E::Bf16, E::F32, 8, 8, Cdna3),
    row("v_mfma_f32_4x4x4_16b_bf16", "mfma.f32.4x4x4bf16.1k", {4, 4, 4, 16}, E::Bf16, E::Bf16, E::F32, 2, 2, MultiBlock),
    row("v_mfma_f32_16x16x4_4b_bf16", "mfma.f32.16x16x4bf16.1k", {16, 16, 4, 4}, E::Bf16, E::Bf16, E::F32, 8, 8, MultiBlock),
    row("v_mfma_f32_32x32x4_2b_bf16", "mfma.f32.32x32x4bf16.1k", {32, 32, 4, 2}, E::Bf16, E::Bf16, E::F32, 16, 16, MultiBlock),
    // 8-bit floats.
    row("v_mfma_f32_16x16x32_fp8_fp8", "mfma.f32.16x16x32.fp8.fp8", {16, 16, 32, 1}, E::Fp8, E::Fp8, E::F32, 4, 4, Cdna3),
    row("v_mfma_f32_32x32x16_fp8_fp8", "mfma.f32.32x32x16.fp8.fp8", {32, 32, 16, 1}, E::Fp8, E::Fp8, E::F32, 8, 8, Cdna3),
    row("v_mfma_f32_16x16x32_fp8_bf8", "mfma.f32.16x16x32.fp8.bf8", {16, 16, 32, 1}, E::Fp8, E::Bf8, E::F32, 4, 4, Cdna3),
    row("v_mfma_f32_32x32x16_fp8_bf8", "mfma.f32.32x32x16.fp8.bf8", {32, 32, 16, 1}, E::Fp8, E::Bf8, E::F32, 8, 8, Cdna3),
    row("v_mfma_f32_16x16x32_bf8_fp8", "mfma.f32.16x16x32.bf8.fp8", {16, 16, 32, 1}, E::Bf8, E::Fp8, E::F32, 4, 4, Cdna3),
    row("v_mfma_f32_32x32x16_bf8_fp8", "mfma.f32.32x32x16.bf8.fp8", {32, 32, 16, 1}, E::Bf8, E::Fp8, E::F32, 8, 8, Cdna3),
    row("v_mfma_f32_16x16x32_bf8_bf8", "mfma.f32.16x16x32.bf8.bf8", {16, 16, 32, 1}, E::Bf8, E::Bf8, E::F32, 4, 4, Cdna3),
    row("v_mfma_f32_32x32x16_bf8_bf8", "mfma.f32.32x32x16.bf8.bf8", {32, 32, 16, 1}, E::Bf8, E::Bf8, E::F32, 8, 8, Cdna3),
    // i8.
    row("v_mfma_i32_16x16x32_i8", "mfma.i32.16x16x32.i8", {16, 16, 32, 1}, E::I8, E::I8, E::I32, 4, 4, Cdna3),
    row("v_mfma_i32_32x32x16_i8", "mfma.i32.32x32x16.i8", {32, 32, 16, 1}, E::I8, E::I8, E::I32, 8, 8, Cdna3),
    row("v_mfma_i32_4x4x4_16b_i8", "mfma.i32.4x4x4i8", {4, 4, 4, 16}, E::I8, E::I8, E::I32, 2, 2, MultiBlock),
    row("v_mfma_i32_16x16x4_4b_i8", "mfma.i32.16x16x4i8", {16, 16, 4, 4}, E::I8, E::I8, E::I32, 8, 8, MultiBlock),
    row("v_mfma_i32_32x32x4_2b_i8", "mfma.i32.32x32x4i8", {32, 32, 4, 2}, E::I8, E::I8, E::I32, 16, 16, MultiBlock),
    // xf32, gone on gfx950.
    row("v_mfma_f32_16x16x8_xf32", "mfma.f32.16x16x8.xf32", {16, 16, 8, 1}, E::Xf32, E::Xf32, E::F32, 4, 0, Cdna3),
    row("v_mfma_f32_32x32x4_xf32", "mfma.f32.32x32x4.xf32", {32, 32, 4, 1}, E::Xf32, E::Xf32, E::F32, 8, 0, Cdna3),
    // f32.
    row("v_mfma_f32_16x16x4_f32", "mfma.f32.16x16x4f32", {16, 16, 4, 1}, E::F32, E::F32, E::F32, 8, 8, Cdna3, Smfma),
    row("v_mfma_f32_32x32x2_f32", "mfma.f32.32x32x2f32", {32, 32, 2, 1}, E::F32, E::F32, E::F32, 16, 16, Cdna3, Smfma),
    row("v_mfma_f32_4x4x1_16b_f32", "mfma.f32.4x4x1f32", {4, 4, 1, 16}, E::F32, E::F32, E::F32, 2, 2, MultiBlock, Smfma),
    row("v_mfma_f32_16x16x1_4b_f32", "mfma.f32.16x16x1f32", {16, 16, 1, 4}, E::F32, E::F32, E::F32, 8, 8, MultiBlock, Smfma),
    row("v_mfma_f32_32x32x1_2b_f32", "mfma.f32.32x32x1f32", {32, 32, 1, 2}, E::F32, E::F32, E::F32, 16, 16, MultiBlock, Smfma),
    // f64; half rate on gfx950.
    row("v_mfma_f64_16x16x4_f64", "mfma.f64.16x16x4f64", {16, 16, 4, 1}, E::F64, E::F64, E::F64, 8, 16, Cdna3, Smfma),
    row("v_mfma_f64_4x4x4_4b_f64", "mfma.f64.4x4x4f64", {4, 4, 4, 4}, E::F64, E::F64, E::F64, 4, 4, Cdna3, Smfma),
    // gfx950 only.
    row("v_mfma_f32_16x16x32_f16", "mfma.f32.16x16x32.f16", {16, 16, 32, 1}, E::F16, E::F16, E::F32, 0, 4, Cdna4),
    row("v_mfma_f32_32x32x16_f16", "mfma.f32.32x32x16.f16", {32, 32, 16, 1}, E::F16, E::F16, E::F32, 0, 8, Cdna4),
    row("v_mfma_f32_16x16x32_bf16", "mfma.f32.16x16x32.bf16", {16, 16, 32, 1}, E::Bf16, E::Bf16, E::F32, 0, 4, Cdna4),
    row("v_mfma_f32_32x32x16_bf16", "mfma.f32.32x32x16.bf16", {32, 32, 16, 1}, E::Bf16, E::Bf16, E::F32, 0, 8, Cdna4),
    row("v_mfma_i32_16x16x64_i8", "mfma.i32.16x16x64.i8", {16, 16, 64, 1}, E::I8, E::I8, E::I32, 0, 4, Cdna4),
    row("v_mfma_i32_32x32x32_i8", "mfma.i32.32x32x32.i8", {32, 32, 32, 1}, E::I8, E::I8, E::I32, 0, 8, Cdna4),
    row("v_mfma_f32_16x16x128_f8f6f4", "mfma.scale.f32.16x16x128.f8f6f4", {16, 16, 128, 1}, E::F8F6F4, E::F8F6F4, E::F32, 0, 8, Scaled),
    row("v_mfma_f32_32x32x64_f8f6f4", "mfma.scale.f32.32x32x64.f8f6f4", {32, 32, 64, 1}, E::F8F6F4, E::F8F6F4, E::F32, 0, 16, Scaled),
};
// clang-format on

bool matches(E rowType, E type) {
  if (rowType == type)
    return true;
  return rowType == E::F8F6F4 &&
         (type == E::Fp8 || type == E::Bf8 || type == E::Fp6 ||
          type == E::Bf6 || type == E::Fp4);
}

unsigned registersFor(unsigned elements, E type) {
  // Elements are packed without gaps, 6-bit ones across dwords too.
  return (elements * bitWidth(type) + 31) / 32;
}

} // namespace

unsigned fly::arch::bitWidth(ElementType type) {
  switch (type) {
  case E::F64:
    return 64;
  case E::F32:
  case E::Xf32:
  case E::I32:
    return 32;
  case E::F16:
  case E::Bf16:
    return 16;
  case E::Fp8:
  case E::Bf8:
  case E::I8:
    return 8;
  case E::Fp6:
  case E::Bf6:
    return 6;
  case E::Fp4:
    return 4;
  case E::F8F6F4:
    return 0;
  }
  return 0;
}

const char *fly::arch::elementTypeName(ElementType type) {
  static constexpr const char *names[] = {"f64", "f32", "xf32",  "f16", "bf16",
                                          "fp8", "bf8", "fp6",   "bf6", "fp4",
                                          "i8",  "i32", "f8f6f4"};
  return names[static_cast<unsigned>(type)];
}

const char *fly::arch::mlirTypeName(ElementType type, Fp8Flavour flavour) {
  bool fnuz = flavour == Fp8Flavour::Fnuz;
  switch (type) {
  case E::Fp8:
    return fnuz ? "f8E4M3FNUZ" : "f8E4M3FN";
  case E::Bf8:
    return fnuz ? "f8E5M2FNUZ" : "f8E5M2";
  case E::Fp6:
    return "f6E2M3FN";
  case E::Bf6:
    return "f6E3M2FN";
  case E::Fp4:
    return "f4E2M1FN";
  case E::Xf32:
  case E::F8F6F4:
    return "";
  default:
    return elementTypeName(type);
  }
}

std::optional<ElementType> fly::arch::elementTypeOfMlir(llvm::StringRef name,
                                                        Fp8Flavour flavour) {
  for (E type : {E::F64, E::F32, E::F16, E::Bf16, E::Fp8, E::Bf8, E::Fp6,
                 E::Bf6, E::Fp4, E::I8, E::I32})
    if (name == mlirTypeName(type, flavour))
      return type;
  return std::nullopt;
}

unsigned MfmaRow::passesOn(Chip chip, bool narrow) const {
  unsigned passes = chip == Chip::Gfx942   ? passesGfx942
                    : chip == Chip::Gfx950 ? passesGfx950
                                           : 0;
  return narrow && a == E::F8F6F4 ? passes / 2 : passes;
}

std::optional<unsigned> fly::arch::matrixCycles(const ArchInfo &chip,
                                                const MfmaRow &row,
                                                ElementType a, ElementType b) {
  bool isNarrow = bitWidth(a) < 8 && bitWidth(b) < 8;
  unsigned passes = row.passesOn(chip.chip, isNarrow);
  if (!passes || !chip.issue.mfmaPass)
    return std::nullopt;
  return passes * *chip.issue.mfmaPass;
}

unsigned MfmaRow::aRegisters(ElementType type) const {
  return registersFor(aElements, type);
}

unsigned MfmaRow::bRegisters(ElementType type) const {
  return registersFor(bElements, type);
}

unsigned MfmaRow::cRegisters() const { return registersFor(cElements, c); }

llvm::ArrayRef<MfmaRow> fly::arch::mfmaTable() { return rows; }

const MfmaRow *fly::arch::lookupMfma(Chip chip, unsigned m, unsigned n,
                                     unsigned k, ElementType a, ElementType b) {
  for (const MfmaRow &r : rows)
    if (r.blocks == 1 && r.m == m && r.n == n && r.k == k && matches(r.a, a) &&
        matches(r.b, b) && r.availableOn(chip))
      return &r;
  return nullptr;
}

const MfmaRow *fly::arch::chooseMfma(Chip chip, unsigned side, ElementType a,
                                     ElementType b, uint64_t multiple,
                                     bool scaled) {
  bool isNarrow = bitWidth(a) < 8 && bitWidth(b) < 8;
  const MfmaRow *best = nullptr;
  for (const MfmaRow &r : rows) {
    if (r.blocks != 1 || r.m != side || r.n != side || !matches(r.a, a) ||
        !matches(r.b, b) || !r.availableOn(chip) || multiple % r.k != 0 ||
        (scaled && !r.scaled))
      continue;
    // Passes a K, compared without a division.
    unsigned cost = best ? r.passesOn(chip, isNarrow) * best->k : 0;
    unsigned least = best ? best->passesOn(chip, isNarrow) * r.k : 0;
    if (!best || cost < least || (cost == least && r.k > best->k))
      best = &r;
  }
  return best;
}

const MfmaRow *fly::arch::lookupMfmaByMnemonic(llvm::StringRef mnemonic) {
  mnemonic.consume_back("_e64");
  if (!mnemonic.consume_back("_vgprcd"))
    mnemonic.consume_back("_mac");
  std::string plain = mnemonic.str();
  if (mnemonic.starts_with("v_mfma_scale_"))
    plain = ("v_mfma_" + mnemonic.drop_front(13)).str();
  for (const MfmaRow &r : rows)
    if (plain == r.mnemonic)
      return &r;
  return nullptr;
}

const MfmaRow *fly::arch::lookupMfmaByIntrinsic(llvm::StringRef intrinsic) {
  if (!intrinsic.consume_front("llvm.amdgcn."))
    return nullptr;
  for (const MfmaRow &r : rows) {
    // Scaled intrinsics are overloaded on the operand types: a suffix follows.
    llvm::StringRef rest = intrinsic;
    if (rest.consume_front(r.suffix) &&
        (rest.empty() || (r.scaled && rest.front() == '.')))
      return &r;
  }
  return nullptr;
}

llvm::SmallVector<unsigned> fly::arch::legalMfmaK(Chip chip, unsigned m,
                                                  unsigned n, ElementType a,
                                                  ElementType b) {
  llvm::SmallVector<unsigned> result;
  for (const MfmaRow &r : rows)
    if (r.blocks == 1 && r.m == m && r.n == n && matches(r.a, a) &&
        matches(r.b, b) && r.availableOn(chip))
      result.push_back(r.k);
  llvm::sort(result);
  return result;
}

LaneCoordinate fly::arch::inputCoordinate(const MfmaRow &row, unsigned lane,
                                          unsigned element, ElementType type) {
  // Rows run fastest over the lanes, then blocks, then groups of k; A and B
  // alike, since m == n in every form.
  unsigned group = lane / (row.m * row.blocks);
  unsigned k = row.aElements * group + element;
  if (row.a == ElementType::F8F6F4 && bitWidth(type) == 8) {
    // Two chunks of 16, half of K apart.
    k = 16 * group + element % 16 + (element / 16) * (row.k / 2);
  }
  return {lane % row.m, k, (lane / row.m) % row.blocks};
}

LaneCoordinate fly::arch::outputCoordinate(const MfmaRow &row, unsigned lane,
                                           unsigned element) {
  unsigned column = lane % row.n;
  unsigned group = lane / row.n;
  if (row.c == ElementType::F64) {
    if (row.m == 4) // 4 blocks: lane = 4*block + 16*i + j.
      return {lane / 16, column, group % row.blocks};
    return {4 * element + group, column, 0};
  }
  if (row.m == 4) // 16 blocks: one a group of 4 lanes, rows in registers.
    return {element, column, group};
  // Groups of 4 rows go round the lane groups; further blocks follow in
  // further registers.
  unsigned perBlock = row.m * row.n / lanes;
  unsigned block = element / perBlock, inBlock = element % perBlock;
  unsigned groups = lanes / row.n;
  unsigned i = 4 * groups * (inBlock / 4) + 4 * group + inBlock % 4;
  return {i, column, block};
}
