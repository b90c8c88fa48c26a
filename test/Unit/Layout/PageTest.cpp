//===- PageTest.cpp - The examples of docs/Rationale/LayoutAlgebra.md -----===//
//
// Every line `name(arguments) = result` of the page is evaluated. Arguments are
// separated by commas outside of all brackets.
//
//===----------------------------------------------------------------------===//
#include "fly/Layout/Algebra.h"
#include "fly/Layout/Coordinates.h"
#include "fly/Layout/Divide.h"
#include "fly/Layout/Product.h"
#include "fly/Layout/Recast.h"
#include "fly/Layout/ThreadValue.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <functional>
#include <map>

#include "LayoutCases.h"

using namespace fly::layout;

using Arguments = std::vector<std::string>;
using Function = std::function<std::string(const Arguments &)>;

static int64_t numberOf(const std::string &text) {
  return *tupleOf(text).leaf().value();
}
static ComposedLayout composedOf(const std::string &text) {
  return llvm::cantFail(parseComposedLayout(text));
}
static bool isComposed(const std::string &text) {
  return llvm::StringRef(text).contains(" o ");
}

/// A function of a layout and a tiler.
static Function byTiler(llvm::Expected<Layout> (*function)(const Layout &,
                                                           const Tiler &)) {
  return [=](const Arguments &a) {
    return text(function(layoutOf(a.at(0)), tilerOf(a.at(1))));
  };
}
static Function ofTwo(llvm::Expected<Layout> (*function)(const Layout &,
                                                         const Layout &)) {
  return [=](const Arguments &a) {
    return text(function(layoutOf(a.at(0)), layoutOf(a.at(1))));
  };
}
static Function ofOne(llvm::Expected<Layout> (*function)(const Layout &)) {
  return [=](const Arguments &a) { return text(function(layoutOf(a.at(0)))); };
}

static std::map<std::string, Function> functions() {
  std::map<std::string, Function> all;
  all["size"] = [](const Arguments &a) {
    return layoutOf(a.at(0)).size().str();
  };
  all["cosize"] = [](const Arguments &a) {
    return text(cosize(layoutOf(a.at(0))));
  };
  all["crd2idx"] = [](const Arguments &a) {
    IntTuple coordinate = tupleOf(a.at(0));
    return isComposed(a.at(1)) ? text(crd2idx(coordinate, composedOf(a.at(1))))
                               : text(crd2idx(coordinate, layoutOf(a.at(1))));
  };
  all["idx2crd"] = [](const Arguments &a) {
    return text(idx2crd(numberOf(a.at(0)), tupleOf(a.at(1))));
  };
  all["coalesce"] = [](const Arguments &a) {
    return a.size() == 1 ? text(coalesce(layoutOf(a[0])))
                         : text(coalesce(layoutOf(a.at(0)), tupleOf(a.at(1))));
  };
  all["composition"] = byTiler(
      [](const Layout &a, const Tiler &b) { return composition(a, b); });
  all["complement"] = [](const Arguments &a) {
    return text(complement(layoutOf(a.at(0)), tupleOf(a.at(1)).leaf()));
  };
  all["checkCovers"] = [](const Arguments &a) {
    llvm::Error error = checkCovers(layoutOf(a.at(0)), tilerOf(a.at(1)));
    return error ? message(std::move(error)) : "covers";
  };
  all["rightInverse"] = ofOne(rightInverse);
  all["leftInverse"] = ofOne(leftInverse);
  Function divide = byTiler(
      [](const Layout &a, const Tiler &b) { return logicalDivide(a, b); });
  all["logicalDivide"] = [=](const Arguments &a) {
    return isComposed(a.at(0))
               ? text(logicalDivide(composedOf(a[0]), tilerOf(a.at(1))))
               : divide(a);
  };
  all["zippedDivide"] = byTiler(zippedDivide);
  all["tiledDivide"] = byTiler(tiledDivide);
  all["flatDivide"] = byTiler(flatDivide);
  all["logicalProduct"] = byTiler(logicalProduct);
  all["blockedProduct"] = ofTwo(blockedProduct);
  all["rakedProduct"] = ofTwo(rakedProduct);
  all["recast"] = [](const Arguments &a) {
    return text(
        recast(layoutOf(a.at(0)), numberOf(a.at(1)), numberOf(a.at(2))));
  };
  all["partition"] = [](const Arguments &a) {
    return text(
        partition(layoutOf(a.at(0)), layoutOf(a.at(1)), tilerOf(a.at(2))));
  };
  return all;
}

/// Splits at commas outside of brackets.
static Arguments split(llvm::StringRef list) {
  Arguments result(1);
  int depth = 0;
  for (char c : list) {
    depth += c == '(' || c == '<';
    depth -= c == ')' || c == '>';
    if (c == ',' && depth == 0)
      result.emplace_back();
    else
      result.back() += c;
  }
  for (std::string &argument : result)
    argument = llvm::StringRef(argument).trim().str();
  return result;
}

TEST(LayoutPage, ShowsWhatTheFunctionsGive) {
  auto page = llvm::MemoryBuffer::getFile(FLY_LAYOUT_PAGE);
  ASSERT_TRUE(page) << FLY_LAYOUT_PAGE;
  std::map<std::string, Function> all = functions();
  llvm::SmallVector<llvm::StringRef> lines;
  (*page)->getBuffer().split(lines, '\n');
  int examples = 0, number = 0;
  bool inside = false;
  for (llvm::StringRef line : lines) {
    ++number;
    line = line.trim();
    if (line.starts_with("```")) {
      inside = line == "```text";
      continue;
    }
    if (!inside)
      continue;
    SCOPED_TRACE("line " + std::to_string(number));
    auto [call, result] = line.split(" = ");
    auto [name, arguments] = call.split('(');
    ASSERT_TRUE(all.count(name.str())) << name.str();
    ASSERT_TRUE(arguments.consume_back(")"));
    EXPECT_EQ(all[name.str()](split(arguments)), result.str());
    ++examples;
  }
  EXPECT_GT(examples, 30);
}
