//===- ProgramContractTest.cpp - Contracts of programs --------------------===//
#include "fly/Contract/ObjectContracts.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

using namespace fly::contract;

namespace {

Expr parse(llvm::StringRef text) { return llvm::cantFail(Expr::parse(text)); }

std::string errorText(llvm::Error error) {
  return llvm::toString(std::move(error));
}
template <typename T>
std::string errorText(llvm::Expected<T> value) {
  return value ? "" : llvm::toString(value.takeError());
}

ProgramMemory makeMemory(llvm::StringRef name, uint32_t offset) {
  ProgramMemory memory;
  memory.argument.name = name.str();
  memory.argument.kind = ArgumentKind::Pointer;
  memory.argument.type = "f32";
  memory.argument.offset = offset;
  memory.argument.size = 8;
  memory.argument.alignment = 16;
  return memory;
}

/// s / (M + 0.1).
std::vector<FloatTerm> makeTerms() {
  FloatTerm s, m, tenth, add, div;
  s.kind = FloatTerm::Kind::Argument;
  s.argument = "s";
  m.kind = FloatTerm::Kind::Integer;
  m.integer = parse("M");
  tenth.number = 0.1;
  add.kind = FloatTerm::Kind::Add;
  div.kind = FloatTerm::Kind::Div;
  return {s, m, tenth, add, div};
}

/// C[M, N] = two kernels over the workspace part[S, M].
ProgramContract makeProgram() {
  ProgramContract program;
  program.program = "p";
  program.chip = "gfx942";
  ProgramMemory c = makeMemory("C", 0);
  c.argument.access = Access::Write;
  ProgramMemory m;
  m.argument.name = "M";
  m.argument.type = "i32";
  m.argument.offset = 8;
  m.argument.size = 4;
  program.arguments = {c, m};
  ProgramMemory part = makeMemory("part", 0);
  part.argument.workspace = true;
  part.argument.access = Access::ReadWrite;
  part.extents = {parse("M * 2"), parse("4")};
  program.workspaces = {part};
  program.requirements = {
      {parse("M >= 0"), std::nullopt, "M must not be negative"}};
  Step fill;
  fill.kind = Step::Kind::Fill;
  fill.memory = "part";
  fill.extents = {parse("M")};
  fill.bits = 0xffffffffffffffff;
  Step launch;
  launch.kernel = "k";
  Binding pointer{"X", 0, "part", View{{parse("M")}, {parse("8")}}, Expr(), {}};
  Binding number{"N", 8, "", {}, parse("M * 2"), {}};
  Binding scale{"s", 12, "", {}, Expr(), makeTerms()};
  launch.bindings = {pointer, number, scale};
  for (const View &view :
       {View{{parse("M")}, {parse("1")}},
        View{{parse("M"), parse("4")}, {parse("8"), parse("1")}}})
    launch.bindings.push_back({"C", 16, "C", view, Expr(), {}});
  launch.grid = {parse("M ceildiv 64"), parse("1"), parse("1")};
  launch.requirements = {{parse("M * 2"), parse("8"), ""}};
  program.steps = {fill, launch};
  return program;
}

struct Values {
  std::map<std::string, int64_t> map;
  std::optional<int64_t> operator()(llvm::StringRef name) const {
    auto it = map.find(name.str());
    return it == map.end() ? std::nullopt : std::optional(it->second);
  }
};

TEST(ProgramContract, JsonRoundTrip) {
  std::string text = printContracts({{}, {makeProgram()}});
  ObjectContracts read = llvm::cantFail(parseContracts(text));
  ASSERT_EQ(read.programs.size(), 1u);
  EXPECT_EQ(printContracts(read), text);
  const ProgramContract &program = read.programs[0];
  EXPECT_EQ(program.chip, "gfx942");
  EXPECT_EQ(program.steps[1].bindings[4].view->strides[0], parse("8"));
  EXPECT_EQ(program.find("C")->argument.access, Access::Write);
  EXPECT_EQ(program.find("part")->extents.size(), 2u);
  EXPECT_TRUE(program.find("part")->argument.workspace);
  EXPECT_EQ(program.find("nothing"), nullptr);
  EXPECT_EQ(program.steps[0].kind, Step::Kind::Fill);
  EXPECT_EQ(program.steps[0].bits, 0xffffffffffffffff);
  EXPECT_EQ(program.steps[1].kind, Step::Kind::Launch);
  EXPECT_EQ(program.steps[1].bindings[1].value, parse("M * 2"));
  EXPECT_EQ(program.steps[1].bindings[2].terms.size(), 5u);
  EXPECT_EQ(program.steps[1].bindings[2].terms[2].number, 0.1);
}

TEST(ProgramContract, ObjectsWithoutProgramsHaveNoKeyForThem) {
  EXPECT_EQ(printContracts({{}, {}}), R"({"kernels":[],"version":1})");
}

TEST(ProgramContract, JsonErrorsNameThePlace) {
  auto errorOf = [](llvm::StringRef from, llvm::StringRef to) {
    std::string text = printContracts({{}, {makeProgram()}});
    size_t at = text.find(from.str());
    EXPECT_NE(at, std::string::npos) << from.str();
    text.replace(at, from.size(), to.str());
    return errorText(parseContracts(text));
  };
  EXPECT_EQ(errorOf("\"launch\":\"k\"", "\"lunch\":\"k\""),
            "expected one of launch, fill, require, if and for at launch "
            "contract.programs[0].steps[1]");
  EXPECT_EQ(errorOf("\"memory\":\"part\"", "\"memory\":\"port\""),
            "a step uses memory that the program does not have at launch "
            "contract.programs[0]");
  EXPECT_EQ(errorOf("\"fill\":\"part\"", "\"fill\":\"port\""),
            "a step uses memory that the program does not have at launch "
            "contract.programs[0]");
}

TEST(ProgramContract, MemoryIsAsLargeAsTheLargestView) {
  ProgramContract program = makeProgram();
  Values values{{{"M", 3}}};
  auto c = llvm::cantFail(sizeOf(program, *program.find("C"), values));
  ASSERT_TRUE(c);
  EXPECT_EQ(c->extents, (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(c->strides, (std::vector<int64_t>{8, 1}));
  EXPECT_EQ(c->elements, 2 * 8 + 3 + 1);
  EXPECT_FALSE(llvm::cantFail(sizeOf(program, program.arguments[1], values)));
  auto part = llvm::cantFail(sizeOf(program, *program.find("part"), values));
  EXPECT_EQ(part->extents, (std::vector<int64_t>{6, 4}));
  EXPECT_EQ(part->elements, 24);
  program.workspaces[0].extents = {parse("M")};
  EXPECT_EQ(errorText(sizeOf(program, program.workspaces[0], values)),
            "workspace 'part' has 3 elements, a step of the program reaches "
            "17");
}

TEST(ProgramContract, FloatsAreRoundedAfterEachOperator) {
  Values integers{{{"M", 3}}};
  auto floats = [](llvm::StringRef name) {
    return name == "s" ? std::optional(7.0) : std::nullopt;
  };
  EXPECT_EQ(llvm::cantFail(evaluate(makeTerms(), integers, floats)),
            7.0f / (3.0f + 0.1f));
  EXPECT_EQ(errorText(evaluate(makeTerms(), integers,
                               [](llvm::StringRef) { return std::nullopt; })),
            "no value for float argument 's'");
  std::vector<FloatTerm> odd = makeTerms();
  odd.pop_back();
  EXPECT_EQ(errorText(evaluate(odd, integers, floats)),
            "float calculation with 2 results");
  EXPECT_EQ(errorText(evaluate({makeTerms().back()}, integers, floats)),
            "float operator without two operands");
  FloatTerm infinity;
  infinity.number = HUGE_VAL;
  ProgramContract program = makeProgram();
  program.steps[1].bindings[2].terms = {infinity};
  std::string text = printContracts({{}, {program}});
  EXPECT_EQ(llvm::cantFail(parseContracts(text))
                .programs[0]
                .steps[1]
                .bindings[2]
                .terms[0]
                .number,
            HUGE_VAL);
}

TEST(ProgramContract, RequirementsOfAllLaunches) {
  ProgramContract program = makeProgram();
  EXPECT_EQ(errorText(checkRequirements(program, Values{{{"M", 4}}})), "");
  EXPECT_EQ(errorText(checkRequirements(program, Values{{{"M", -1}}})),
            "program 'p': M must not be negative (M=-1)\n"
            "kernel 'k': M * 2=-2 is not a multiple of 8 (M=-1)");
}

/// for loop0 from 0 to M by `by`: if loop0 mod 2, fill part[loop0], else launch
/// with N = loop0.
ProgramContract makeLoop(llvm::StringRef by) {
  ProgramContract program = makeProgram();
  Step fill = program.steps[0], launch = program.steps[1];
  fill.extents = {parse("loop0")};
  launch.bindings[1].value = parse("loop0");
  launch.bindings[4].view->extents[0] = parse("loop0 + 1");
  launch.requirements = {{parse("loop0 * 2"), parse("8"), ""}};
  Step branch;
  branch.kind = Step::Kind::If;
  branch.condition = parse("loop0 mod 2");
  branch.body = {fill};
  branch.otherwise = {launch};
  Step require;
  require.kind = Step::Kind::Require;
  require.requirements = {
      {parse("loop0 < 100"), std::nullopt, "loop0 is large"}};
  Step loop;
  loop.kind = Step::Kind::For;
  loop.counter = "loop0";
  loop.to = parse("M");
  loop.by = parse(by);
  loop.body = {require, branch};
  program.steps = {loop};
  return program;
}

TEST(ProgramContract, LoopsAndBranchesRoundTrip) {
  std::string text = printContracts({{}, {makeLoop("1")}});
  ObjectContracts read = llvm::cantFail(parseContracts(text));
  EXPECT_EQ(printContracts(read), text);
  const Step &loop = read.programs[0].steps[0];
  EXPECT_EQ(loop.kind, Step::Kind::For);
  EXPECT_EQ(loop.counter, "loop0");
  ASSERT_EQ(loop.body.size(), 2u);
  EXPECT_EQ(loop.body[0].kind, Step::Kind::Require);
  EXPECT_EQ(loop.body[1].condition, parse("loop0 mod 2"));
  EXPECT_EQ(loop.body[1].body[0].kind, Step::Kind::Fill);
  EXPECT_EQ(loop.body[1].otherwise[0].kind, Step::Kind::Launch);
  size_t at = text.find("\"memory\":\"part\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 15, "\"memory\":\"port\"");
  EXPECT_EQ(errorText(parseContracts(text)),
            "a step uses memory that the program does not have at launch "
            "contract.programs[0]");
}

TEST(ProgramContract, StepsAreVisitedAsOftenAsTheyRun) {
  std::vector<std::string> seen;
  auto visit = [&](const Step &step, Bindings values) {
    if (step.kind != Step::Kind::Require)
      seen.push_back(step.kernel + step.memory +
                     std::to_string(*values("loop0")));
    return llvm::Error::success();
  };
  Values four{{{"M", 4}}};
  EXPECT_EQ(errorText(visitSteps(makeLoop("1"), four, visit)), "");
  EXPECT_EQ(seen, (std::vector<std::string>{"k0", "part1", "k2", "part3"}));
  seen.clear();
  EXPECT_EQ(errorText(visitSteps(makeLoop("3"), four, visit)), "");
  EXPECT_EQ(seen, (std::vector<std::string>{"k0", "part3"}));
  Values none{{{"M", -4}}};
  EXPECT_EQ(errorText(visitSteps(makeLoop("1"), none, visit)), "");
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_EQ(
      errorText(visitSteps(makeLoop("M - 4"), four, visit)),
      "program 'p': step 'M - 4' of a loop is 0, expected a positive one");
  Values many{{{"M", INT64_MAX}}};
  EXPECT_EQ(errorText(visitSteps(makeLoop("1"), many, visit)),
            "program 'p' comes to more than 131072 steps: let kernels do more "
            "each");
  // The last value of the counter has no next one.
  seen.clear();
  EXPECT_EQ(errorText(visitSteps(makeLoop("9223372036854775806"), many, visit)),
            "");
  EXPECT_EQ(seen, (std::vector<std::string>{"k0", "k9223372036854775806"}));
}

TEST(ProgramContract, WhatLoopsReachAndRequire) {
  ProgramContract program = makeLoop("1");
  Values values{{{"M", 7}}};
  // The launches have loop0 = 0, 2, 4, 6: at most 7 rows of 4, 8 apart.
  auto c = llvm::cantFail(sizeOf(program, *program.find("C"), values));
  EXPECT_EQ(c->extents, (std::vector<int64_t>{7, 4}));
  EXPECT_EQ(c->elements, 6 * 8 + 3 + 1);
  // Those with loop0 = 2 and 6 do not suit; the first is told.
  EXPECT_EQ(errorText(checkRequirements(program, values)),
            "kernel 'k': loop0 * 2=4 is not a multiple of 8 (loop0=2)");
  Values large{{{"M", 200}}};
  EXPECT_EQ(errorText(checkRequirements(program, large)),
            "kernel 'k': loop0 * 2=4 is not a multiple of 8 (loop0=2)\n"
            "program 'p': loop0 is large (loop0=100)");
}

} // namespace
