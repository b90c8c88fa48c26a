//===- ObjectMutantsTest.cpp - another compiler's code with one defect ----===//
//
// The hot loop of a GEMM that Triton made, with one instruction changed: each
// barrier taken out, each wait letting one operation more go on, each s_nop
// shortened. 128 of the 137 are named by the check of their kind, the others
// change nothing, for reasons that stand here.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/WaitCount.h"
#include "fly/Isa/ControlFlow.h"
#include "fly/Isa/InstructionClass.h"

#include "llvm/Support/Endian.h"

#include "ForeignGemm.h"
#include "Mutants.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

/// One changed SOPP instruction.
struct Defect {
  uint64_t pc = 0;
  std::string what;
  uint32_t word = 0; ///< That stands there now.
  /// The checks that may name it.
  std::vector<std::string> checks;
};

} // namespace

static constexpr uint32_t nopWord = 0xbf800000; ///< s_nop 0

/// Changes of one instruction that each let something go wrong.
static void addDefects(const isa::Instruction &inst,
                       std::vector<Defect> &defects) {
  auto add = [&](uint32_t word, std::string now,
                 std::vector<std::string> checks) {
    defects.push_back(
        {inst.pc, inst.text.str() + " -> " + now, word, std::move(checks)});
  };
  if (inst.mnemonic == "s_barrier")
    return add(nopWord, "none", {"races"});
  if (inst.mnemonic == "s_nop" && inst.simm16 > 0)
    return add(nopWord, "s_nop 0", {"hazards"});
  if (inst.mnemonic != "s_waitcnt")
    return;
  uint32_t word = llvm::support::endian::read32le(inst.bytes) & 0xffff0000;
  arch::WaitCount count = arch::WaitCount::decode(uint16_t(inst.simm16));
  for (auto [field, most, name] :
       {std::tuple(&arch::WaitCount::vm, arch::WaitCount::maxVm, "vmcnt"),
        std::tuple(&arch::WaitCount::lgkm, arch::WaitCount::maxLgkm,
                   "lgkmcnt")}) {
    if (count.*field >= most)
      continue;
    arch::WaitCount more = count;
    ++(more.*field);
    add(word | more.encode(), name + ("(" + std::to_string(more.*field) + ")"),
        {"delivery", "races"});
  }
}

namespace {

/// A place whose defect changes nothing.
struct Redundant {
  llvm::StringLiteral file;
  uint64_t pc;
};

} // namespace

static constexpr Redundant redundant[] = {
    // LDS is read behind one barrier and written behind the other, in two
    // halves by turns: either of the two barriers orders both.
    {"gfx942_gemm_bf16_128x128x64_w4_s3.s", 0x234c},
    {"gfx942_gemm_bf16_128x128x64_w4_s3.s", 0x2350},
    // A wait for all LDS operations stands in front, and none between.
    {"gfx942_gemm_bf16_128x128x64_w4_s3.s", 0x2724},
    {"gfx942_gemm_fp8fnuz_64x256x128_w4_s2.s", 0x286c},
    {"gfx950_gemm_fp8_128x256x128_w4_s2.s", 0x2cb8},
    // Barriers between groups of reads, which make two groups of waves take
    // turns at the units.
    {"gfx942_gemm_bf16_256x256x64_w8_s2.s", 0x2264},
    {"gfx942_gemm_bf16_256x256x64_w8_s2.s", 0x2370},
    {"gfx942_gemm_bf16_256x256x64_w8_s2.s", 0x23c8},
    {"gfx942_gemm_bf16_256x256x64_w8_s2.s", 0x24d4},
};

/// Those of the innermost loop with most matrix instructions.
static std::vector<Defect> defectsOf(const sim::LoadedProgram &program) {
  llvm::ArrayRef<isa::Instruction> code =
      program.program().instructionsOf(program.object().kernels()[0]);
  llvm::ArrayRef<isa::Instruction> hot;
  size_t most = 0;
  for (const isa::LoopRange &range : isa::findInnermostLoops(code)) {
    llvm::ArrayRef<isa::Instruction> body =
        code.slice(range.begin, range.end - range.begin);
    size_t count = llvm::count_if(body, isa::isMfma);
    if (count > most)
      hot = body;
    most = std::max(most, count);
  }
  std::vector<Defect> defects;
  for (const isa::Instruction &inst : hot)
    addDefects(inst, defects);
  return defects;
}

static KernelRun loadObject(const GemmObject &object, std::string *bytes) {
  std::string message;
  *bytes = assembleObject(object.file, message);
  EXPECT_EQ(message, "");
  return KernelRun::ofBytes(*bytes);
}

class ObjectMutants : public testing::TestWithParam<GemmObject> {};

TEST_P(ObjectMutants, EachDefectOfTheHotLoopIsNamed) {
  const GemmObject &object = GetParam();
  unsigned m = 64, n = 64, k = 4 * object.tileK;
  std::string bytes;
  ForeignGemmRun original(loadObject(object, &bytes), object, m, n, k);
  ASSERT_FALSE(original.run.failed()) << original.run.message;
  ASSERT_EQ(original.run.launchError(), "") << "the original is accused";
  ASSERT_EQ(original.difference(), "");
  std::vector<Defect> defects = defectsOf(*original.run.params.program);
  EXPECT_GE(defects.size(), 16u);
  for (const Defect &defect : defects) {
    std::string changed = bytes;
    llvm::support::endian::write32le(
        changed.data() + fileOffset(changed, defect.pc), defect.word);
    ForeignGemmRun mutant(KernelRun::ofBytes(changed), object, m, n, k);
    Found found = launchMutant(mutant.run);
    bool isRedundant = llvm::any_of(redundant, [&](const Redundant &place) {
      return place.file == object.file && place.pc == defect.pc;
    });
    bool isFound = llvm::any_of(defect.checks, [&](const std::string &check) {
      return found.has(check);
    });
    EXPECT_EQ(isFound, !isRedundant)
        << "pc " << llvm::utohexstr(defect.pc) << ": " << defect.what << "\n"
        << found.messages;
    if (isRedundant)
      EXPECT_EQ(mutant.difference(), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Triton, ObjectMutants,
                         testing::ValuesIn(foreignGemms()),
                         [](const auto &info) {
                           llvm::StringRef name(info.param.file);
                           return name.drop_back(2).str();
                         });
