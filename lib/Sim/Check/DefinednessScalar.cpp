//===- DefinednessScalar.cpp - when scalar results are defined ------------===//
//
// Bitwise operations make masks of lanes, so a bit is defined where one operand
// alone decides it. Everything else needs all bits of its operands.
//
//===----------------------------------------------------------------------===//

#include "fly/Isa/InstructionClass.h"

#include "llvm/ADT/bit.h"

#include "Definedness.h"

using namespace fly;
using namespace fly::sim;
using isa::Instruction;
using isa::Operand;
namespace reg = isa::reg;

namespace {

/// A dword of a scalar source: its value and its defined bits.
struct ScalarBits {
  uint32_t value = 0, defined = ~uint32_t(0);
  ScalarBits operator~() const { return {~value, defined}; }
};

/// A bit is known where one operand alone decides it.
ScalarBits andBits(ScalarBits a, ScalarBits b) {
  return {a.value & b.value, (a.defined & b.defined) | (a.defined & ~a.value) |
                                 (b.defined & ~b.value)};
}
ScalarBits orBits(ScalarBits a, ScalarBits b) { return ~andBits(~a, ~b); }
ScalarBits xorBits(ScalarBits a, ScalarBits b) {
  return {a.value ^ b.value, a.defined & b.defined};
}

/// The bitwise operation that a mnemonic names, null if it is none.
using BitRule = ScalarBits (*)(ScalarBits a, ScalarBits b);
BitRule bitRuleOf(llvm::StringRef name) {
  struct Row {
    llvm::StringLiteral name;
    BitRule rule;
  };
  static constexpr Row rows[] = {
      {"s_and_", andBits},
      {"s_or_", orBits},
      {"s_xor_", xorBits},
      {"s_nand_", andBits},
      {"s_nor_", orBits},
      {"s_xnor_", xorBits},
      {"s_andn1_", [](ScalarBits a, ScalarBits b) { return andBits(~a, b); }},
      {"s_andn2_", [](ScalarBits a, ScalarBits b) { return andBits(a, ~b); }},
      {"s_orn1_", [](ScalarBits a, ScalarBits b) { return orBits(~a, b); }},
      {"s_orn2_", [](ScalarBits a, ScalarBits b) { return orBits(a, ~b); }},
      {"s_mov_", [](ScalarBits a, ScalarBits) { return a; }},
      {"s_not_", [](ScalarBits a, ScalarBits) { return a; }},
  };
  for (const Row &row : rows)
    if (name.starts_with(row.name))
      return row.rule;
  return nullptr;
}

} // namespace

void DefinednessCheck::propagateScalar(const Instruction &inst, WaveState &wave,
                                       DefinedRegisters &registers) {
  llvm::StringRef name = inst.mnemonic;
  auto bitsOf = [&](const Operand &operand, unsigned dword) {
    ScalarBits bits{wave.scalar(operand, dword)};
    isa::RegisterRange range = isa::rangeOf(operand);
    if (dword < range.count && range.first >= reg::sgpr)
      bits.defined = registers.bits[range.first + dword - reg::sgpr];
    return bits;
  };
  // A register that is to blame, and whether all sources are defined.
  unsigned source = reg::count;
  for (unsigned i = 0; i != inst.numSrc; ++i) {
    isa::RegisterRange range = isa::rangeOf(inst.src[i]);
    for (unsigned j = range.first, e = j + range.count; j != e; ++j)
      if (source == reg::count && registers.partial.has(j))
        source = j;
  }
  bool readsScc = name.starts_with("s_cselect") || name.starts_with("s_cmov") ||
                  name.starts_with("s_addc_") || name.starts_with("s_subb_");
  if (readsScc && registers.partial.has(reg::scc) && source == reg::count)
    source = reg::scc;
  if (inst.readsDst && source == reg::count &&
      registers.partial.has(isa::rangeOf(inst.dst[0]).first))
    source = isa::rangeOf(inst.dst[0]).first;
  bool allDefined = source == reg::count;
  uint32_t origin = allDefined ? 0 : registers.origin[source];

  bool savesExec = name.contains("saveexec") || name.contains("wrexec");
  BitRule rule = bitRuleOf(name);
  bool areResultsDefined = true;
  isa::RegisterRange dst = isa::rangeOf(inst.dst[0]);
  for (unsigned i = 0; i != std::max<unsigned>(dst.count, savesExec ? 2 : 0);
       ++i) {
    uint32_t defined = allDefined ? ~uint32_t(0) : 0;
    if (rule && !allDefined) {
      ScalarBits b{wave.sgpr[WaveState::execLo + i]};
      if (!savesExec)
        b = inst.numSrc > 1 ? bitsOf(inst.src[1], i) : ScalarBits();
      defined = rule(bitsOf(inst.src[0], i), b).defined;
    } else if (name.starts_with("s_cselect") && !allDefined &&
               !registers.partial.has(reg::scc)) {
      defined = bitsOf(inst.src[wave.scc ? 0 : 1], i).defined;
    }
    areResultsDefined &= defined == ~uint32_t(0);
    bool toExec = savesExec || dst.first + i == reg::exec ||
                  dst.first + i == reg::exec + 1;
    if (toExec && defined != ~uint32_t(0)) {
      report(inst, wave, 32 * int(i) + llvm::countr_zero(~defined), source,
             "written to EXEC", registers);
      defined = ~uint32_t(0);
    }
    if (i < dst.count && dst.first >= reg::sgpr)
      setBits(dst.first + i, savesExec ? ~uint32_t(0) : defined, origin,
              registers);
  }
  bool writesScc = false;
  isa::forEachWrite(inst, [&](isa::RegisterRange range) {
    writesScc |= range.first == reg::scc;
  });
  if (writesScc)
    setBits(reg::scc,
            (dst.count ? areResultsDefined : allDefined) ? ~uint32_t(0) : 0,
            origin, registers);
  if (!allDefined && (name == "s_setpc_b64" || name == "s_swappc_b64"))
    report(inst, wave, -1, source, "jumped to", registers);
}

void DefinednessCheck::checkBranch(const Instruction &inst,
                                   const WaveState &wave,
                                   DefinedRegisters &registers) {
  if (!inst.mnemonic.starts_with("s_cbranch"))
    return;
  unsigned first = inst.mnemonic.contains("scc") ? reg::scc : reg::vcc;
  unsigned count = first == reg::scc ? 1 : 2;
  if (inst.mnemonic.contains("exec"))
    return;
  for (unsigned i = first; i != first + count; ++i)
    if (registers.partial.has(i))
      return report(inst, wave, -1, i, "branched on", registers);
}
