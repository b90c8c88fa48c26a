//===- FirstNan.cpp - which instruction makes a NaN -----------------------===//
//
// What problem: a NaN in a result has gone through many instructions.
// What idea: the first instruction of a workgroup, as it is executed, whose
// result is a NaN in an enabled lane. Which results are floats follows from the
// mnemonic. If an operand was one already, it came from memory.
// What it refuses: to know whether the NaN is ever used; expansions of
// divisions make some that they drop.
//
//===----------------------------------------------------------------------===//

#include "fly/Isa/InstructionClass.h"
#include "fly/Isa/RegisterUse.h"

#include "../Workgroup.h"
#include "Debugger.h"

using namespace fly;
using namespace fly::sim;

namespace {

/// Floats of a dword, or of two.
enum class FloatKind : uint8_t { None, F16, PackedF16, PackedBf16, F32, F64 };

/// Workgroups of a launch that tell of their first NaN.
constexpr unsigned maxWorkgroups = 4;

FloatKind kindOf(const isa::Instruction &inst) {
  llvm::StringRef name = inst.mnemonic;
  if (name.consume_front("v_mfma_") || name.consume_front("v_smfmac_")) {
    name.consume_front("scale_");
    return name.starts_with("f32")   ? FloatKind::F32
           : name.starts_with("f64") ? FloatKind::F64
                                     : FloatKind::None;
  }
  if (!isa::isValu(inst) || inst.numDst == 0 || !inst.dst[0].isVector())
    return FloatKind::None;
  if (name.consume_front("v_cvt_")) {
    bool isPacked = name.consume_front("pk_") || name.consume_front("pkrtz_");
    if (name.starts_with("f32"))
      return isPacked ? FloatKind::None : FloatKind::F32;
    if (name.starts_with("f16"))
      return isPacked ? FloatKind::PackedF16 : FloatKind::F16;
    if (name.starts_with("bf16"))
      return FloatKind::PackedBf16;
    return name.starts_with("f64") ? FloatKind::F64 : FloatKind::None;
  }
  bool isPacked = name.starts_with("v_pk_");
  if (name.ends_with("_f32"))
    return FloatKind::F32;
  if (name.ends_with("_f16"))
    return isPacked ? FloatKind::PackedF16 : FloatKind::F16;
  if (name.ends_with("_bf16"))
    return isPacked ? FloatKind::PackedBf16 : FloatKind::None;
  return name.ends_with("_f64") ? FloatKind::F64 : FloatKind::None;
}

bool isNan(uint32_t low, uint32_t high, FloatKind kind) {
  auto half = [](uint32_t bits) { return (bits & 0x7fff) > 0x7c00; };
  auto bfloat = [](uint32_t bits) { return (bits & 0x7fff) > 0x7f80; };
  switch (kind) {
  case FloatKind::None:
    return false;
  case FloatKind::F16:
    return half(low);
  case FloatKind::PackedF16:
    return half(low) || half(low >> 16);
  case FloatKind::PackedBf16:
    return bfloat(low) || bfloat(low >> 16);
  case FloatKind::F32:
    return (low & 0x7fffffff) > 0x7f800000;
  case FloatKind::F64:
    return (high & 0x7fffffff) > 0x7ff00000 ||
           ((high & 0x7fffffff) == 0x7ff00000 && low != 0);
  }
  return false;
}

/// The first enabled lane in which the operand holds a NaN; -1 if none does.
int findLane(const isa::Operand &operand, FloatKind kind, uint64_t lanes,
             WaveState &wave, unsigned &dword) {
  unsigned step = kind == FloatKind::F64 ? 2 : 1;
  for (dword = 0; dword + step <= operand.dwords; dword += step)
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      if ((lanes >> lane) & 1 &&
          isNan(wave.lanes(operand, dword)[lane],
                step == 2 ? wave.lanes(operand, dword + 1)[lane] : 0, kind))
        return int(lane);
  return -1;
}

} // namespace

void Debugger::findNan(const isa::Instruction &inst, WaveState &wave) {
  FloatKind kind = kindOf(inst);
  if (kind == FloatKind::None)
    return;
  unsigned dword = 0;
  uint64_t lanes = isa::isMfma(inst) ? ~uint64_t(0) : wave.exec();
  int lane = findLane(inst.dst[0], kind, lanes, wave, dword);
  if (lane < 0)
    return;
  hasNan = true;
  if (nanWorkgroups++ >= maxWorkgroups)
    return;
  std::string text = "the first NaN, in " +
                     isa::registerName(isa::rangeOf(inst.dst[0]).first + dword);
  // Operands that are the result's register hold no more what they held.
  bool isOperandNan = false;
  for (unsigned i = 0; i != inst.numSrc && !isa::isMfma(inst); ++i) {
    const isa::Operand &source = inst.src[i];
    if (!source.isVector() || source.dwords != inst.dst[0].dwords ||
        isa::rangeOf(source).first == isa::rangeOf(inst.dst[0]).first)
      continue;
    uint32_t bits = wave.lanes(source, dword)[lane];
    if (kind == FloatKind::F32)
      text += ", of " + isa::registerName(isa::rangeOf(source).first + dword) +
              " = " + floatText(bits);
    isOperandNan |= kind == FloatKind::F32 && isNan(bits, 0, kind);
  }
  if (isOperandNan)
    text += ": it came from memory";
  tell(wave, inst, lane, std::move(text));
}
