//===- CoverageTest.cpp - every instruction asked for has an executor -----===//
//
// test/Sim/Coverage lists what compilers of this field emit: one instance of
// each mnemonic and form. Each must decode and be bound to a unit.
//
//===----------------------------------------------------------------------===//

#include "fly/Isa/CodeObject.h"
#include "fly/Isa/Decoder.h"
#include "fly/Sim/Executors.h"

#include "llvm/Support/MemoryBuffer.h"

#include "Assemble.h"
#include "ClangTarget.h"
#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;

namespace {

static std::string readList(const char *name) {
  auto file = llvm::MemoryBuffer::getFile(
      (llvm::Twine(FLY_TEST_COVERAGE) + "/" + name).str());
  return file ? (*file)->getBuffer().str() : "";
}

static bool hasExecutor(const isa::Instruction &inst, sim::ChipKind chip) {
  for (auto lookup :
       {sim::lookupValu, sim::lookupMfma, sim::lookupLds, sim::lookupVmem,
        sim::lookupSmem, sim::lookupFlow, sim::lookupSalu})
    if (lookup(inst, chip))
      return true;
  return false;
}

static void checkList(llvm::StringRef chipName, sim::ChipKind chip,
                      const char *ownList) {
  std::string body = readList("Common.s") + readList(ownList);
  std::string message;
  test::KernelShape shape;
  std::string bytes = test::assembleText(
      test::wrapKernel(body, chipName, shape), chipName, message);
  ASSERT_FALSE(bytes.empty()) << message;
  auto object = isa::CodeObject::load(bytes);
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  auto program = isa::Program::decode(*object);
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  size_t count = 0;
  const isa::Kernel &kernel = object->kernels()[0];
  for (const isa::Instruction &inst : (*program)->instructions()) {
    if (inst.pc >= kernel.entry + kernel.codeSize)
      break;
    ++count;
    EXPECT_NE(inst.format, isa::Format::Invalid) << inst.text.str();
    EXPECT_TRUE(hasExecutor(inst, chip)) << inst.text.str();
  }
  EXPECT_GT(count, 900u);
}

TEST(Coverage, Gfx942) {
  checkList("gfx942", sim::ChipKind::Gfx942, "Gfx942.s");
}

TEST(Coverage, Gfx950) {
  checkList("gfx950", sim::ChipKind::Gfx950, "Gfx950.s");
}

/// The builtins of test/Sim/Kernels/Builtins.cl.
class Builtins : public testing::TestWithParam<test::ClangTarget> {};

// Each has executors for all that it becomes, and runs without a fault or a
// finding of the checks; that values are right is for the tests of each unit.
TEST_P(Builtins, RunUnderAllChecks) {
  test::ClangTarget target = GetParam();
  std::string message;
  std::string bytes =
      test::compileKernel("Builtins.cl", target.chip, target.options, message);
  auto object = isa::CodeObject::load(bytes);
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError()) << message;
  auto program = isa::Program::decode(*object);
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  auto chip = target.chip == llvm::StringRef("gfx942") ? sim::ChipKind::Gfx942
                                                       : sim::ChipKind::Gfx950;
  test::KernelRun run = test::KernelRun::ofBytes(bytes);
  ASSERT_FALSE(run.failed()) << run.message;
  std::vector<uint32_t> inputs(64 * 32);
  for (size_t i = 0; i != inputs.size(); ++i)
    inputs[i] = uint32_t(8 * (i % 61 + 1)); // Offsets, too.
  uint64_t out = run.buffer(64 * 128), in = run.bufferOf(inputs);
  run.setArguments({out, in});
  run.params.workgroupSize = {64, 1, 1};
  for (const isa::Kernel &kernel : object->kernels()) {
    for (const isa::Instruction &inst : (*program)->instructionsOf(kernel))
      EXPECT_TRUE(hasExecutor(inst, chip)) << inst.text.str();
    run.params.kernel = kernel.name;
    EXPECT_EQ(run.launchError(), "");
  }
  EXPECT_GT(object->kernels().size(), 240u);
  EXPECT_TRUE(run.guardsIntact());
}

INSTANTIATE_TEST_SUITE_P(Clang, Builtins,
                         testing::ValuesIn(test::openClTargets),
                         test::targetName);

} // namespace
