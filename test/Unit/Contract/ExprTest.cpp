// Text form, evaluation, and the errors of expressions.

#include "fly/Contract/Expr.h"

#include "llvm/ADT/StringMap.h"

#include <gtest/gtest.h>

using namespace fly::contract;

namespace {

llvm::StringMap<int64_t> arguments = {
    {"M", 17}, {"K", 96}, {"mod", 5}, {"big", INT64_MAX}, {"Z", 0}};

std::optional<int64_t> bind(llvm::StringRef name) {
  auto it = arguments.find(name);
  return it == arguments.end() ? std::nullopt
                               : std::optional<int64_t>(it->second);
}

Expr parse(llvm::StringRef text) {
  llvm::Expected<Expr> expr = Expr::parse(text);
  EXPECT_TRUE(bool(expr)) << text.str();
  if (expr)
    return *expr;
  ADD_FAILURE() << llvm::toString(expr.takeError());
  return Expr();
}

std::string value(llvm::StringRef text) {
  llvm::Expected<int64_t> result = parse(text).evaluate(bind);
  return result ? std::to_string(*result) : llvm::toString(result.takeError());
}

std::string parseError(llvm::StringRef text) {
  llvm::Expected<Expr> expr = Expr::parse(text);
  return expr ? "" : llvm::toString(expr.takeError());
}

} // namespace

TEST(Expr, Evaluates) {
  EXPECT_EQ(value("M ceildiv 16 * 2"), "4");
  EXPECT_EQ(value("M - 3 - 4"), "10");
  EXPECT_EQ(value("M - (3 - 4)"), "18");
  EXPECT_EQ(value("1 + 2 * 3"), "7");
  EXPECT_EQ(value("-7 floordiv 2"), "-4");
  EXPECT_EQ(value("-7 ceildiv 2"), "-3");
  EXPECT_EQ(value("-7 mod 2"), "1");
  EXPECT_EQ(value("7 mod -2"), "-1");
  EXPECT_EQ(value("7 ceildiv -2"), "-3");
  EXPECT_EQ(value("min(M, K) + max(M, K)"), "113");
  EXPECT_EQ(value("M < K and K <= 96 or 0"), "1");
  EXPECT_EQ(value("(M > K) == (M != M)"), "1");
  EXPECT_EQ(value("select(M >= K, 1, 2)"), "2");
  EXPECT_EQ(value("-M"), "-17");
  EXPECT_EQ(value("mod mod mod"), "0");
  EXPECT_EQ(value("-9223372036854775808"), "-9223372036854775808");
}

TEST(Expr, DoesNotEvaluateWhatItDoesNotNeed) {
  EXPECT_EQ(value("Z != 0 and M mod Z == 0"), "0");
  EXPECT_EQ(value("Z == 0 or M mod Z == 0"), "1");
  EXPECT_EQ(value("select(Z, M floordiv Z, 3)"), "3");
}

TEST(Expr, ErrorsInsteadOfWrongValues) {
  EXPECT_EQ(value("M mod Z"), "division by zero in 'M mod Z' with 17 and 0");
  EXPECT_EQ(value("big + 1"),
            "overflow in 'big + 1' with 9223372036854775807 and 1");
  EXPECT_EQ(value("big * 2"),
            "overflow in 'big * 2' with 9223372036854775807 and 2");
  EXPECT_EQ(value("-big - 2"),
            "overflow in '0 - big - 2' with -9223372036854775807 and 2");
  EXPECT_EQ(value("(-big - 1) floordiv -1"),
            "overflow in '(0 - big - 1) floordiv -1' with "
            "-9223372036854775808 and -1");
  EXPECT_EQ(value("(-big - 1) mod -1"), "0");
  EXPECT_EQ(value("N + 1"), "no value for argument 'N'");
}

TEST(Expr, PrintsWhatItParses) {
  for (const char *text :
       {"a + b * c", "(a + b) * c", "a - (b - c)", "a - b - c",
        "a floordiv (b * c)", "min(a, b + 1)", "select(a < b, a, b)",
        "(a < b) == (c < d)", "a < b and (b < c or c < d)", "-5 * a", "a - -5",
        "`x y` + _z.1$"}) {
    Expr expr = parse(text);
    EXPECT_EQ(expr.str(), text);
    EXPECT_EQ(parse(expr.str()), expr);
  }
  EXPECT_EQ(parse("((a))+b").str(), "a + b");
  EXPECT_NE(parse("a - b"), parse("b - a"));
}

TEST(Expr, RefusesBadText) {
  EXPECT_EQ(parseError(""), "expected a value at column 1 of ''");
  EXPECT_EQ(parseError("a +"), "expected a value at column 4 of 'a +'");
  EXPECT_EQ(parseError("a b"), "unexpected text at column 3 of 'a b'");
  EXPECT_EQ(parseError("(a"), "expected ')' at column 3 of '(a'");
  EXPECT_EQ(parseError("a < b < c"),
            "comparisons do not chain at column 7 of 'a < b < c'");
  EXPECT_EQ(parseError("9223372036854775808"),
            "number does not fit 64 bits at column 20 of "
            "'9223372036854775808'");
  EXPECT_NE(parseError("foo(a)").find("min(a, b)"), std::string::npos);
  EXPECT_NE(parseError(std::string(1000, '(') + "a").find("too deeply"),
            std::string::npos);
  EXPECT_NE(parseError(std::string(1000, '-') + "a").find("too deeply"),
            std::string::npos);
  std::string chain = "a";
  for (unsigned i = 0; i < 5000; ++i)
    chain += "+a";
  EXPECT_NE(parseError(chain).find("too many operators"), std::string::npos);
}

TEST(Expr, CountsItsOperators) {
  EXPECT_EQ(parse("a").numOperators(), 0u);
  EXPECT_EQ(parse("min(a, b + 1)").numOperators(), 2u);
  EXPECT_EQ(parse("select(a < b, a, -b)").numOperators(), 3u);
  // Written out, operands that are shared count each time.
  Expr doubled = Expr::argument("a");
  for (unsigned i = 0; i < 10; ++i)
    doubled = Expr::binary(Expr::Kind::Add, doubled, doubled);
  EXPECT_EQ(doubled.numOperators(), 1023u);
  for (unsigned i = 0; i < 100; ++i)
    doubled = Expr::binary(Expr::Kind::Add, doubled, doubled);
  EXPECT_EQ(doubled.numOperators(), UINT32_MAX);
}

TEST(Expr, NamesItsArguments) {
  EXPECT_EQ(parse("M * K + M").argumentNames(),
            (llvm::SmallVector<std::string>{"M", "K"}));
}
