//===- MutantsTest.cpp - good kernels with a wait taken away --------------===//
//
// Each wait, wait state and barrier of machine code that is right is weakened
// in place, one at a time. Which of those must be found is decided by other
// means than the checker's:
//  * waits: a walk over the code that takes every edge, with the outstanding
//    operations in queues. What it meets is a violation on that path; the
//    checker must name it, and nothing where the walk meets nothing.
//  * s_nop: LLVM pads no more than it must, so one less is too few.
//  * barriers and the waits in front of them: with two stages in LDS, each
//    barrier of a loop stands between an exchange of the same bytes.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/WaitCount.h"
#include "fly/Isa/CodeObject.h"
#include "fly/Isa/ControlFlow.h"
#include "fly/Isa/Decoder.h"
#include "fly/Isa/InstructionClass.h"
#include "fly/Isa/RegisterUse.h"
#include "fly/Verify/Verify.h"

#include "llvm/Object/ELF.h"

#include <deque>
#include <map>
#include <set>

#include "Assemble.h"
#include "gtest/gtest.h"

using namespace fly;
using isa::Format;
using isa::Instruction;
using llvm::StringRef;

namespace {

/// A consumer and what it does not wait for, by address.
using Pairs = std::set<std::pair<uint64_t, uint64_t>>;

/// An operation that has not come back.
struct Outstanding {
  uint64_t pc;
  std::set<unsigned> registers;
};

/// Executes nothing but counters.
class Walk {
public:
  explicit Walk(const isa::ControlFlow &flow) : flow(flow) {}
  Pairs run();

private:
  void step(const Instruction &inst);
  void touch(const Instruction &inst, unsigned reg, bool isWrite);
  void meet(const Instruction &inst, std::deque<Outstanding> &queue,
            unsigned reg);

  const isa::ControlFlow &flow;
  /// In order: vector memory, LDS. Without: scalar loads and flat accesses.
  std::deque<Outstanding> vm, lds, scalar, flat;
  Pairs pairs;
};

} // namespace

static bool isVm(const Instruction &inst) {
  return isVectorMemory(inst) && !isFlat(inst) && inst.mnemonic != "buffer_inv";
}

void Walk::meet(const Instruction &inst, std::deque<Outstanding> &queue,
                unsigned reg) {
  // The youngest one writes last; older ones in order come before it.
  bool isFirst = true;
  for (Outstanding &operation : llvm::reverse(queue)) {
    if (!operation.registers.erase(reg))
      continue;
    if (isFirst)
      pairs.insert({inst.pc, operation.pc});
    isFirst = false;
  }
}

void Walk::touch(const Instruction &inst, unsigned reg, bool isWrite) {
  if (!isWrite || !isVm(inst))
    meet(inst, vm, reg);
  if (!isWrite || inst.format != Format::DS)
    meet(inst, lds, reg);
  meet(inst, scalar, reg);
  meet(inst, flat, reg);
}

void Walk::step(const Instruction &inst) {
  if (inst.mnemonic == "s_waitcnt") {
    arch::WaitCount wait = arch::WaitCount::decode(uint16_t(inst.simm16));
    while (vm.size() > wait.vm && wait.vm != 63)
      vm.pop_front();
    while (lds.size() > wait.lgkm && wait.lgkm != 15)
      lds.pop_front();
    if (wait.lgkm == 0)
      scalar.clear();
    if (wait.lgkm == 0 && wait.vm == 0)
      flat.clear();
    return;
  }
  bool isMemory = isVectorMemory(inst) || inst.format == Format::DS;
  forEachRead(inst, [&](const isa::RegisterRead &read) {
    if (read.kind == isa::ReadKind::Tied && isMemory)
      return;
    for (unsigned i = 0; i != read.range.count; ++i)
      touch(inst, read.range.first + i, false);
  });
  Outstanding operation{inst.pc, {}};
  forEachWrite(inst, [&](isa::RegisterRange range) {
    for (unsigned i = 0; i != range.count; ++i) {
      touch(inst, range.first + i, true);
      operation.registers.insert(range.first + i);
    }
  });
  if (isVm(inst))
    vm.push_back(operation);
  else if (isFlat(inst))
    flat.push_back(operation);
  else if (inst.format == Format::DS)
    lds.push_back(operation);
  else if (inst.format == Format::SMEM)
    scalar.push_back(operation);
  // More than the counter can hold stalls the issue.
  if (vm.size() > 63)
    vm.pop_front();
  if (lds.size() > 15)
    lds.pop_front();
}

/// Starts over until each edge was taken often, each time the rarest first.
Pairs Walk::run() {
  std::map<std::pair<unsigned, unsigned>, unsigned> taken;
  for (unsigned round = 0; round != 24; ++round) {
    vm.clear(), lds.clear(), scalar.clear(), flat.clear();
    unsigned block = flow.entryBlocks()[round % flow.entryBlocks().size()];
    for (unsigned steps = 0; steps != 400; ++steps) {
      const isa::Block &range = flow.blocks()[block];
      for (size_t i = range.begin; i != range.end; ++i)
        step(flow.instructions()[i]);
      if (range.successors.empty())
        break;
      unsigned next = range.successors.front();
      for (unsigned other : range.successors)
        if (taken[{block, other}] < taken[{block, next}])
          next = other;
      ++taken[{block, next}];
      block = next;
    }
  }
  return pairs;
}

namespace {

/// A code object whose instructions can be changed in place.
class Specimen {
public:
  explicit Specimen(std::string object) : bytes(std::move(object)) {
    code = std::make_unique<isa::CodeObject>(
        llvm::cantFail(isa::CodeObject::load(bytes)));
    program = llvm::cantFail(isa::Program::decode(*code));
  }

  std::vector<Instruction> instructions() const {
    return program->instructionsOf(code->kernels().front()).vec();
  }
  /// The object with another constant in an instruction, or with s_nop 0.
  std::string withConstant(uint64_t pc, uint16_t constant) const {
    return patched(pc, {uint8_t(constant), uint8_t(constant >> 8)});
  }
  std::string withNop(uint64_t pc) const {
    return patched(pc, {0, 0, 0x80, 0xbf});
  }

private:
  std::string patched(uint64_t pc, llvm::ArrayRef<uint8_t> change) const {
    std::string copy = bytes;
    auto elf = llvm::cantFail(llvm::object::ELF64LEFile::create(bytes));
    for (const auto &header : llvm::cantFail(elf.program_headers()))
      if (header.p_type == llvm::ELF::PT_LOAD && pc >= header.p_vaddr &&
          pc < header.p_vaddr + header.p_filesz)
        std::copy(change.begin(), change.end(),
                  copy.begin() + (pc - header.p_vaddr + header.p_offset));
    return copy;
  }

  std::string bytes;
  std::unique_ptr<isa::CodeObject> code;
  std::unique_ptr<isa::Program> program;
};

} // namespace

static verify::KernelVerdict verdictOf(const std::string &object) {
  auto verdict = verify::verifyObject(object);
  if (!verdict) {
    ADD_FAILURE() << llvm::toString(verdict.takeError());
    return {};
  }
  return verdict->kernels.front();
}

static Pairs pairsOf(const verify::KernelVerdict &kernel, verify::Rule rule) {
  Pairs pairs;
  for (const verify::Finding &finding : kernel.findings)
    if (finding.rule == rule)
      pairs.insert({finding.place.pc, finding.producer->pc});
  return pairs;
}

static Pairs walkedPairs(const std::string &object) {
  Specimen specimen(object);
  std::vector<Instruction> instructions = specimen.instructions();
  isa::CodeObject code = llvm::cantFail(isa::CodeObject::load(object));
  const isa::Kernel &kernel = code.kernels().front();
  isa::ControlFlow flow(instructions, {kernel.entry, kernel.preloadEntry()});
  return Walk(flow).run();
}

/// Compares walk and checker on one mutant; true if it breaks something.
static bool compareWaits(const std::string &mutant,
                         const Instruction &changed) {
  Pairs walked = walkedPairs(mutant);
  Pairs found = pairsOf(verdictOf(mutant), verify::Rule::Waits);
  EXPECT_EQ(walked.empty(), found.empty()) << changed.text.str();
  for (auto &[consumer, producer] : walked)
    EXPECT_TRUE(found.count({consumer, producer}))
        << std::hex << consumer << " reads " << producer << " behind "
        << changed.pc << " " << changed.text.str();
  return !walked.empty();
}

static std::string objectOf(StringRef name) {
  std::string message;
  std::string object = test::assembleObject(name, message);
  EXPECT_FALSE(object.empty()) << message;
  return object;
}

/// Every wait: gone, or with one of its counts raised.
static void weakenWaits(StringRef name, unsigned least) {
  Specimen specimen(objectOf(name));
  unsigned broken = 0, all = 0;
  for (const Instruction &inst : specimen.instructions()) {
    if (inst.mnemonic != "s_waitcnt")
      continue;
    arch::WaitCount wait = arch::WaitCount::decode(uint16_t(inst.simm16));
    std::vector<arch::WaitCount> weaker(1); // Waits for nothing.
    if (wait.vm < arch::WaitCount::maxVm) {
      weaker.push_back(wait);
      ++weaker.back().vm;
    }
    if (wait.lgkm < arch::WaitCount::maxLgkm) {
      weaker.push_back(wait);
      ++weaker.back().lgkm;
    }
    for (const arch::WaitCount &count : weaker) {
      ++all;
      broken +=
          compareWaits(specimen.withConstant(inst.pc, count.encode()), inst);
    }
  }
  EXPECT_GE(broken, least) << "of " << all << " in " << name.str();
}

TEST(Mutants, WaitsOfSoftmax) {
  weakenWaits("gfx942_softmax_2048.s", 20);
  weakenWaits("gfx950_softmax_2048.s", 20);
}

TEST(Mutants, WaitsOfAPipelinedGemm) {
  weakenWaits("gfx950_gemm_fp8_128x256x128_w4_s2.s", 40);
}

TEST(Mutants, WaitStates) {
  unsigned count = 0;
  for (const char *name :
       {"gfx942_gemm_bf16_128x128x64_w4_s3.s",
        "gfx950_gemm_bf16_128x256x64_w4_s2.s", "gfx942_softmax_2048.s"}) {
    Specimen specimen(objectOf(name));
    for (const Instruction &inst : specimen.instructions()) {
      if (inst.mnemonic != "s_nop" || inst.simm16 == 0)
        continue;
      ++count;
      std::string mutant =
          specimen.withConstant(inst.pc, uint16_t(inst.simm16 - 1));
      Pairs found = pairsOf(verdictOf(mutant), verify::Rule::Hazards);
      EXPECT_FALSE(found.empty())
          << name << ": " << std::hex << inst.pc << " " << inst.text.str();
      // The place that comes too soon is behind the weakened s_nop.
      for (auto &[consumer, producer] : found)
        EXPECT_GT(consumer, inst.pc);
    }
  }
  EXPECT_GE(count, 10u);
}

/// An LDS operation stands between a wait and the next one for all before it.
static bool coversLds(const std::vector<Instruction> &instructions,
                      size_t wait) {
  while (wait-- != 0) {
    const Instruction &inst = instructions[wait];
    if (inst.format == Format::DS)
      return true;
    if (inst.mnemonic == "s_waitcnt" &&
        arch::WaitCount::decode(uint16_t(inst.simm16)).lgkm == 0)
      return false;
  }
  return false;
}

TEST(Mutants, Barriers) {
  for (const char *name : {"gfx942_gemm_fp8fnuz_64x256x128_w4_s2.s",
                           "gfx950_gemm_bf16_128x256x64_w4_s2.s"}) {
    Specimen specimen(objectOf(name));
    std::vector<Instruction> instructions = specimen.instructions();
    unsigned barriers = 0, waits = 0;
    for (size_t i = 1; i != instructions.size(); ++i) {
      if (instructions[i].mnemonic != "s_barrier")
        continue;
      ++barriers;
      verify::KernelVerdict kernel =
          verdictOf(specimen.withNop(instructions[i].pc));
      EXPECT_FALSE(pairsOf(kernel, verify::Rule::LdsOrder).empty())
          << name << ": without the barrier at " << std::hex
          << instructions[i].pc;
      if (instructions[i - 1].mnemonic != "s_waitcnt" ||
          !coversLds(instructions, i - 1))
        continue;
      ++waits;
      kernel = verdictOf(specimen.withConstant(instructions[i - 1].pc,
                                               arch::WaitCount().encode()));
      EXPECT_FALSE(pairsOf(kernel, verify::Rule::LdsOrder).empty())
          << name << ": without the wait at " << std::hex
          << instructions[i - 1].pc;
    }
    EXPECT_GE(barriers, 3u);
    EXPECT_GE(waits, 2u);
  }
}
