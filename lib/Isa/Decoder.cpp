//===- Decoder.cpp - bytes to instructions through LLVM MC ----------------===//
//
// What problem: see Decoder.h.
// What idea: an MC operand with a register class is a source or destination of
// the machine; one without is a modifier and is read from the encoding. A
// register is translated by its name, which is public and stable. The
// operands are then brought into the order that Instruction.h documents.
// What it refuses: see Decoder.h.
//
//===----------------------------------------------------------------------===//

#include "fly/Isa/Decoder.h"

#include "fly/Arch/ArchInfo.h"
#include "fly/Isa/InstructionKind.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>

#include "DecoderParts.h"

using namespace fly::isa;
using namespace llvm;

extern "C" void LLVMInitializeAMDGPUTargetInfo();
extern "C" void LLVMInitializeAMDGPUTargetMC();
extern "C" void LLVMInitializeAMDGPUDisassembler();

struct Decoder::Impl {
  Triple triple;
  std::unique_ptr<MCRegisterInfo> registers;
  std::unique_ptr<MCAsmInfo> asmInfo;
  std::unique_ptr<MCInstrInfo> instructions;
  std::unique_ptr<MCSubtargetInfo> subtarget;
  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCDisassembler> disassembler;
  std::unique_ptr<MCInstPrinter> printer;
  /// Translation of each LLVM register, filled on first use.
  std::vector<Operand> registerCache;
  SmallString<128> textBuffer;

  const Operand &registerOperand(MCRegister reg);
  void placeOperands(const MCInst &mc, fly::isa::Instruction &inst);
};

Decoder::Decoder() : impl(std::make_unique<Impl>()) {}
Decoder::~Decoder() = default;

Expected<std::unique_ptr<Decoder>> Decoder::create(StringRef chip) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
  const arch::ArchInfo *info = arch::ArchInfo::lookup(chip);
  if (!info || !info->canCompile)
    return createStringError(
        "chip '%s' is not one that can be decoded, expected one of: %s",
        chip.str().c_str(),
        arch::knownChipNames(/*compilableOnly=*/true).c_str());
  std::unique_ptr<Decoder> decoder(new Decoder());
  Impl &impl = *decoder->impl;
  impl.triple = Triple("amdgcn-amd-amdhsa");
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(impl.triple, message);
  if (!target)
    return createStringError("LLVM has no AMDGPU target: %s", message.c_str());
  MCTargetOptions options;
  impl.registers.reset(target->createMCRegInfo(impl.triple));
  impl.asmInfo.reset(
      target->createMCAsmInfo(*impl.registers, impl.triple, options));
  impl.instructions.reset(target->createMCInstrInfo());
  impl.subtarget.reset(
      target->createMCSubtargetInfo(impl.triple, chip, /*Features=*/""));
  impl.context =
      std::make_unique<MCContext>(impl.triple, impl.asmInfo.get(),
                                  impl.registers.get(), impl.subtarget.get());
  impl.disassembler.reset(
      target->createMCDisassembler(*impl.subtarget, *impl.context));
  impl.printer.reset(target->createMCInstPrinter(
      impl.triple, impl.asmInfo->getAssemblerDialect(), *impl.asmInfo,
      *impl.instructions, *impl.registers));
  if (!impl.disassembler || !impl.printer)
    return createStringError("LLVM's AMDGPU target has no disassembler");
  impl.registerCache.resize(impl.registers->getNumRegs());
  return decoder;
}

/// Parses LLVM's register names: "VGPR7", "SGPR4_SGPR5", "VCC", "M0_gfxpre11".
static Operand parseRegister(StringRef name) {
  for (StringRef suffix : {"_vi", "_gfx9plus", "_gfxpre11"})
    name.consume_back(suffix);
  auto make = [](OperandKind kind, unsigned reg, unsigned dwords) {
    Operand operand;
    operand.kind = kind;
    operand.reg = uint16_t(reg);
    operand.dwords = uint8_t(dwords);
    return operand;
  };
  struct {
    StringRef name;
    OperandKind kind;
    unsigned code, dwords;
  } const named[] = {
      {"FLAT_SCR", OperandKind::SGPR, 102, 2},
      {"FLAT_SCR_LO", OperandKind::SGPR, 102, 1},
      {"FLAT_SCR_HI", OperandKind::SGPR, 103, 1},
      {"XNACK_MASK", OperandKind::SGPR, 104, 2},
      {"XNACK_MASK_LO", OperandKind::SGPR, 104, 1},
      {"XNACK_MASK_HI", OperandKind::SGPR, 105, 1},
      {"VCC", OperandKind::SGPR, 106, 2},
      {"VCC_LO", OperandKind::SGPR, 106, 1},
      {"VCC_HI", OperandKind::SGPR, 107, 1},
      {"M0", OperandKind::SGPR, 124, 1},
      {"EXEC", OperandKind::SGPR, 126, 2},
      {"EXEC_LO", OperandKind::SGPR, 126, 1},
      {"EXEC_HI", OperandKind::SGPR, 127, 1},
      {"SRC_SHARED_BASE", OperandKind::Special, 235, 2},
      {"SRC_SHARED_BASE_LO", OperandKind::Special, 235, 1},
      {"SRC_SHARED_LIMIT", OperandKind::Special, 236, 2},
      {"SRC_SHARED_LIMIT_LO", OperandKind::Special, 236, 1},
      {"SRC_PRIVATE_BASE", OperandKind::Special, 237, 2},
      {"SRC_PRIVATE_BASE_LO", OperandKind::Special, 237, 1},
      {"SRC_PRIVATE_LIMIT", OperandKind::Special, 238, 2},
      {"SRC_PRIVATE_LIMIT_LO", OperandKind::Special, 238, 1},
      {"SRC_VCCZ", OperandKind::Special, 251, 1},
      {"SRC_EXECZ", OperandKind::Special, 252, 1},
      {"SRC_SCC", OperandKind::Special, 253, 1},
      {"SCC", OperandKind::Special, 253, 1},
      {"LDS_DIRECT", OperandKind::Special, 254, 1},
      {"SGPR_NULL", OperandKind::Special, 125, 1},
  };
  for (const auto &entry : named)
    if (entry.name == name)
      return make(entry.kind, entry.code, entry.dwords);
  OperandKind kind = OperandKind::SGPR;
  unsigned base = 0, first;
  unsigned dwords = unsigned(name.count('_')) + 1;
  if (name.consume_front("TTMP"))
    base = 108;
  else if (name.consume_front("VGPR"))
    kind = OperandKind::VGPR;
  else if (name.consume_front("AGPR"))
    kind = OperandKind::AGPR;
  else if (!name.consume_front("SGPR"))
    return Operand();
  if (name.consumeInteger(10, first))
    return Operand();
  return make(kind, base + first, dwords);
}

const Operand &Decoder::Impl::registerOperand(MCRegister reg) {
  Operand &cached = registerCache[reg.id()];
  if (!cached.exists()) {
    cached = parseRegister(registers->getName(reg));
  }
  return cached;
}

void Decoder::Impl::placeOperands(const MCInst &mc,
                                  fly::isa::Instruction &inst) {
  const MCInstrDesc &desc = instructions->get(mc.getOpcode());
  bool hasConstantK = inst.mnemonic.starts_with("v_madmk") ||
                      inst.mnemonic.starts_with("v_madak") ||
                      inst.mnemonic.starts_with("v_fmamk") ||
                      inst.mnemonic.starts_with("v_fmaak") ||
                      inst.mnemonic == "s_setreg_imm32_b32";
  for (unsigned i = 0, e = mc.getNumOperands(); i != e; ++i) {
    const MCOperand &operand = mc.getOperand(i);
    bool described = i < desc.getNumOperands();
    if (i < desc.getNumDefs()) {
      if (operand.isReg() && inst.numDst != fly::isa::Instruction::maxDst)
        inst.dst[inst.numDst++] = registerOperand(operand.getReg());
      continue;
    }
    if (described && desc.getOperandConstraint(i, MCOI::TIED_TO) != -1) {
      inst.readsDst = true;
      continue;
    }
    if (inst.numSrc == fly::isa::Instruction::maxSrc)
      break;
    if (operand.isReg()) {
      if (operand.getReg().isValid())
        inst.src[inst.numSrc++] = registerOperand(operand.getReg());
      continue;
    }
    bool isSource = described && desc.operands()[i].RegClass != -1;
    // A literal that an inline constant could express is lit(value) in LLVM.
    int64_t value = 0;
    if (operand.isImm())
      value = operand.getImm();
    else if (!operand.isExpr() || !operand.getExpr()->evaluateAsAbsolute(value))
      continue;
    if (!isSource && !hasConstantK)
      continue;
    Operand &source = inst.src[inst.numSrc++];
    source.kind = OperandKind::Immediate;
    source.dwords = 1;
    source.imm = uint64_t(value);
    source.isLiteral = hasConstantK || inst.size == 8;
  }
}

fly::isa::Instruction Decoder::decode(ArrayRef<uint8_t> bytes, uint64_t pc,
                                      BumpPtrAllocator &strings) {
  fly::isa::Instruction inst;
  inst.pc = pc;
  StringSaver saver(strings);
  MCInst mc;
  uint64_t size = 0;
  MCDisassembler::DecodeStatus status = MCDisassembler::Fail;
  // LLVM reads a literal without asking whether the input has one.
  uint8_t padded[16] = {};
  std::memcpy(padded, bytes.data(), std::min(bytes.size(), sizeof(padded)));
  LoweredSources lowered = lowerHighSources(padded);
  if (bytes.size() >= 4 && !isFatalToLlvm(padded))
    status = impl->disassembler->getInstruction(mc, size, padded, pc, nulls());
  if (status == MCDisassembler::Fail || size == 0 || size > 16 ||
      size > bytes.size() || size % 4 != 0) {
    inst.size = uint8_t(std::min<size_t>(bytes.size(), 4));
    std::memcpy(inst.bytes, bytes.data(), inst.size);
    inst.mnemonic = inst.text = "<unknown>";
    return inst;
  }
  inst.size = uint8_t(size);
  std::memcpy(inst.bytes, bytes.data(), size);
  inst.format = formatOf(support::endian::read32le(inst.bytes));

  impl->textBuffer.clear();
  raw_svector_ostream stream(impl->textBuffer);
  impl->printer->printInst(&mc, pc, /*Annot=*/"", *impl->subtarget, stream);
  inst.text = saver.save(StringRef(impl->textBuffer).trim());
  StringRef name = inst.mnemonic = mnemonicOfText(inst.text);
  if (inst.format == Format::VOP3P &&
      (name.starts_with("v_mfma") || name.starts_with("v_smfmac") ||
       name.starts_with("v_accvgpr")))
    inst.format = Format::MAI;

  impl->placeOperands(mc, inst);
  if (lowered)
    inst.text = saver.save(raiseSources(inst.text, lowered, inst));
  addImpliedVcc(inst);
  // LLVM's decoder leaves out the old value, of which these keep three bytes.
  if (inst.mnemonic.starts_with("v_cvt_scalef32_sr_pk_fp4_"))
    inst.readsDst = true;
  decodeModifiers(inst);
  switch (inst.format) {
  case Format::DS:
  case Format::MUBUF:
  case Format::MTBUF:
  case Format::Flat:
  case Format::Global:
  case Format::Scratch:
    arrangeMemory(inst);
    break;
  case Format::SOPK:
    // The constant is not an MC source operand; s_setreg_imm32 keeps its own.
    if (inst.numSrc < fly::isa::Instruction::maxSrc &&
        inst.mnemonic != "s_setreg_imm32_b32") {
      Operand &constant = inst.src[inst.numSrc++];
      constant.kind = OperandKind::Immediate;
      constant.dwords = 1;
      constant.imm = uint64_t(int64_t(inst.simm16));
    }
    break;
  default:
    break;
  }
  return inst;
}
