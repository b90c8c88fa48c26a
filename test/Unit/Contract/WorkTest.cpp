// Work of kernels: expressions, sums over counters, bytes, JSON.

#include "fly/Contract/LaunchContract.h"

#include <gtest/gtest.h>
#include <map>

using namespace fly::contract;

namespace {

using Values = std::map<std::string, int64_t>;

Expr parse(llvm::StringRef text) { return llvm::cantFail(Expr::parse(text)); }

std::string evaluate(const DotWork &work, const Values &values) {
  auto lookup = [&](llvm::StringRef name) -> std::optional<int64_t> {
    auto found = values.find(name.str());
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  llvm::Expected<double> flop = evaluateWork(work, lookup);
  if (!flop)
    return llvm::toString(flop.takeError());
  return std::to_string(int64_t(*flop));
}

DotWork dots(llvm::StringRef flop, std::vector<Counter> over = {}) {
  DotWork work;
  work.a = work.b = "bf16";
  work.flop = parse(flop);
  work.over = std::move(over);
  return work;
}

Counter counter(const char *name, llvm::StringRef from, llvm::StringRef to,
                llvm::StringRef by) {
  return {name, parse(from), parse(to), parse(by)};
}

} // namespace

TEST(Work, IsAnExpressionOrASum) {
  EXPECT_EQ(evaluate(dots("2 * M * N * K"), {{"M", 3}, {"N", 5}, {"K", 7}}),
            "210");
  // Rows up to each tile's end: 4 * 4 + 4 * 8 + 2 * 10.
  DotWork causal = dots("min(4, S - tile.0) * min(tile.0 + 4, S)",
                        {counter("tile.0", "0", "S", "4")});
  EXPECT_EQ(evaluate(causal, {{"S", 10}}), "68");
  EXPECT_EQ(evaluate(causal, {{"S", 0}}), "0");
  // An inner counter that starts at the outer one: 3 + 2 + 1 pairs.
  EXPECT_EQ(evaluate(dots("1", {counter("i", "0", "3", "1"),
                                counter("j", "i", "3", "1")}),
                     {}),
            "6");
  // The last value of a counter may be the largest number.
  EXPECT_EQ(evaluate(dots("1", {counter("i", "9223372036854775800",
                                        "9223372036854775807", "5")}),
                     {}),
            "2");
}

TEST(Work, SaysWhatItCanNotTell) {
  EXPECT_EQ(evaluate(DotWork{"f16", "bf16", std::nullopt, {}, false}, {}),
            "how often products of f16 and bf16 are done is read from memory");
  EXPECT_EQ(evaluate(dots("0 - M"), {{"M", 3}}),
            "operations below 0: 0 - M is -3");
  EXPECT_EQ(evaluate(dots("1", {counter("i", "0", "8", "S")}), {{"S", 0}}),
            "a step must be positive: S is 0");
  EXPECT_EQ(evaluate(dots("1", {counter("i", "0", "M", "1")}),
                     {{"M", int64_t(1) << 40}}),
            "the operations are a sum of more than 4194304 terms");
  EXPECT_NE(evaluate(dots("M * M"), {{"M", int64_t(1) << 40}}).find("overflow"),
            std::string::npos);
}

TEST(Work, BytesAreEachElementOnce) {
  LaunchContract contract;
  Argument argument;
  argument.name = "A";
  argument.kind = ArgumentKind::Pointer;
  argument.type = "f4E2M1FN";
  // Gaps between rows are not moved; nor is a row that all share moved often.
  argument.view = View{{parse("M"), parse("6")}, {parse("ld"), parse("1")}};
  contract.arguments = {argument};
  Values values = {{"M", 10}, {"ld", 100}};
  auto lookup = [&](llvm::StringRef name) -> std::optional<int64_t> {
    auto found = values.find(name.str());
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  EXPECT_EQ(llvm::cantFail(evaluateIdealBytes(contract, lookup)), 30);
  values["ld"] = 0;
  EXPECT_EQ(llvm::cantFail(evaluateIdealBytes(contract, lookup)), 3);
  values.erase("ld");
  EXPECT_EQ(llvm::cantFail(evaluateIdealBytes(contract, lookup)), 30);
  values["M"] = -1;
  EXPECT_EQ(llvm::toString(evaluateIdealBytes(contract, lookup).takeError()),
            "an extent of 'A' is negative: -1");
  contract.arguments.front().view.reset();
  EXPECT_EQ(llvm::toString(evaluateIdealBytes(contract, lookup).takeError()),
            "how much memory 'A' reaches is not known from the arguments");
}

TEST(Work, TravelsInTheContract) {
  LaunchContract contract;
  contract.kernel = "k";
  contract.chip = "gfx942";
  contract.work = {dots("2 * M", {counter("tile.0", "0", "M", "128")}),
                   DotWork{"f16", "f16", std::nullopt, {}, false}};
  contract.work.front().isAtMost = true;
  LaunchContract again = llvm::cantFail(fromJSON(toJSON(contract)));
  ASSERT_EQ(again.work.size(), 2u);
  EXPECT_TRUE(again.work[0] == contract.work[0]);
  EXPECT_TRUE(again.work[1] == contract.work[1]);
  // Contracts without products are as they were before there was any work.
  contract.work.clear();
  EXPECT_FALSE(toJSON(contract).getAsObject()->get("work"));
}
