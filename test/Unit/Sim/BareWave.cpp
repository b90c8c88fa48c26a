//===- BareWave.cpp - one wave without memory or a launch -----------------===//

#include "BareWave.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>
#include <iostream>

#include "Assemble.h"

using namespace fly;
using namespace fly::test;

AssembledCode::AssembledCode(llvm::StringRef body, llvm::StringRef chip)
    : kind(chip == "gfx942" ? sim::ChipKind::Gfx942 : sim::ChipKind::Gfx950) {
  KernelShape shape;
  shape.vgprs = 512;
  shape.accumOffset = 256;
  shape.sgprs = 96;
  std::string message;
  std::string bytes =
      assembleText(wrapKernel(body, chip, shape), chip, message);
  EXPECT_FALSE(bytes.empty()) << message;
  if (bytes.empty())
    return;
  llvm::Expected<isa::CodeObject> object = isa::CodeObject::load(bytes);
  if (!object) {
    ADD_FAILURE() << llvm::toString(object.takeError());
    return;
  }
  auto decoded = isa::Program::decode(*object);
  if (!decoded) {
    ADD_FAILURE() << llvm::toString(decoded.takeError());
    return;
  }
  program = std::move(*decoded);
  while (count < program->instructions().size() &&
         program->instructions()[count].mnemonic != "s_endpgm")
    ++count;
}

BareWave::BareWave() {
  memory.resize(sim::WaveState::numVectorRegisters * sim::waveLanes + 16);
  auto address = reinterpret_cast<uintptr_t>(memory.data());
  storage = memory.data() + (64 - address % 64) % 64 / 4;
  state.vectorFile = storage;
  state.setExec(~uint64_t(0));
  // Round to nearest even, all denormals, IEEE, DX10 clamp: how kernels start.
  state.mode.bits = 0x3F0;
}

float BareWave::f(unsigned reg, unsigned lane) {
  float value;
  std::memcpy(&value, &v(reg, lane), sizeof(value));
  return value;
}

void BareWave::fill(unsigned first, unsigned count,
                    const std::function<uint32_t()> &value) {
  for (unsigned reg = first; reg != first + count; ++reg)
    for (unsigned lane = 0; lane != sim::waveLanes; ++lane)
      v(reg, lane) = value();
}

void BareWave::run(const AssembledCode &code) {
  for (size_t i = 0; i != code.size(); ++i)
    run(code[i], code.chip());
}

void BareWave::run(const isa::Instruction &inst, sim::ChipKind chip) {
  sim::ExecFn execute = sim::lookupValu(inst, chip);
  if (!execute)
    execute = sim::lookupMfma(inst, chip);
  if (!execute) {
    ADD_FAILURE() << "no executor: " << inst.text.str();
    return;
  }
  execute(inst, state);
  EXPECT_EQ(state.status, sim::WaveStatus::Running) << inst.text.str();
}

SeededRandom::~SeededRandom() {
  if (::testing::Test::HasFailure())
    std::cerr << "random seed " << seed << "\n";
}

uint32_t SeededRandom::floatBits() {
  uint32_t random = bits();
  switch (below(8)) {
  case 0: {
    constexpr uint32_t special[] = {
        0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x3F800000, 0xBF800000,
        0x7F7FFFFF, 0x00800000, 0x00000001, 0x7FC00000, 0x7F800001, 0xFFC12345};
    return special[below(12)];
  }
  case 1: // denormal
    return random & 0x807FFFFF;
  case 2:
  case 3: // any
    return random;
  default: // exponent near 127, so that operands interact
    return (random & 0x807FFFFF) | (119 + below(16)) << 23;
  }
}

uint16_t SeededRandom::halfBits() {
  constexpr uint16_t special[] = {0x0000, 0x8000, 0x7C00, 0xFC00, 0x3C00,
                                  0x7BFF, 0x0400, 0x0001, 0x7E00, 0x7C01};
  return below(8) == 0 ? special[below(10)] : static_cast<uint16_t>(bits());
}

uint64_t SeededRandom::doubleBits() {
  uint64_t random = bits() | uint64_t(bits()) << 32;
  constexpr uint64_t special[] = {0,
                                  uint64_t(1) << 63,
                                  uint64_t(0x7FF) << 52,
                                  uint64_t(0x3FF) << 52,
                                  uint64_t(0x7FF8) << 48,
                                  1};
  switch (below(6)) {
  case 0:
    return special[below(6)];
  case 1:
    return random;
  default:
    return (random & 0x800FFFFFFFFFFFFF) | uint64_t(1015 + below(16)) << 52;
  }
}

uint64_t SeededRandom::execMask() {
  switch (below(3)) {
  case 0:
    return ~uint64_t(0);
  case 1:
    return uint64_t(1) << below(64);
  default:
    return bits() | uint64_t(bits()) << 32;
  }
}
