//===- Work.cpp - What a kernel has to compute and to move ----------------===//
#include "fly/Contract/Work.h"

#include "fly/Contract/LaunchContract.h"

#include "llvm/Support/FormatVariadic.h"

using namespace fly::contract;

/// Terms of one sum: a grid of a million tiles, and four times as many.
static constexpr uint64_t mostTerms = uint64_t(1) << 22;

bool fly::contract::operator==(const Counter &a, const Counter &b) {
  return a.name == b.name && a.from == b.from && a.to == b.to && a.by == b.by;
}

bool fly::contract::operator==(const DotWork &a, const DotWork &b) {
  return a.a == b.a && a.b == b.b && a.flop == b.flop && a.over == b.over &&
         a.isAtMost == b.isAtMost;
}

namespace {
/// Adds up the terms of one entry.
class Sum {
public:
  Sum(const DotWork &work, Bindings arguments)
      : work(work), arguments(arguments), values(work.over.size()) {}

  llvm::Error add(size_t depth) {
    auto lookup = [&](llvm::StringRef name) { return get(name, depth); };
    Bindings bindings = lookup;
    if (depth == work.over.size()) {
      if (++terms > mostTerms)
        return llvm::createStringError(llvm::formatv(
            "the operations are a sum of more than {0} terms", mostTerms));
      llvm::Expected<int64_t> term = work.flop->evaluate(bindings);
      if (!term)
        return term.takeError();
      if (*term < 0)
        return llvm::createStringError(llvm::formatv(
            "operations below 0: {0} is {1}", work.flop->str(), *term));
      total += double(*term);
      return llvm::Error::success();
    }
    const Counter &counter = work.over[depth];
    int64_t bounds[3];
    for (auto [expr, bound] : {std::pair(&counter.from, &bounds[0]),
                               std::pair(&counter.to, &bounds[1]),
                               std::pair(&counter.by, &bounds[2])}) {
      llvm::Expected<int64_t> value = expr->evaluate(bindings);
      if (!value)
        return value.takeError();
      *bound = *value;
    }
    if (bounds[2] <= 0)
      return llvm::createStringError(llvm::formatv(
          "a step must be positive: {0} is {1}", counter.by.str(), bounds[2]));
    for (values[depth] = bounds[0]; values[depth] < bounds[1];
         values[depth] += bounds[2]) {
      if (llvm::Error error = add(depth + 1))
        return error;
      if (bounds[1] - values[depth] <= bounds[2])
        break; // The next one might overflow.
    }
    return llvm::Error::success();
  }

  double total = 0;

private:
  std::optional<int64_t> get(llvm::StringRef name, size_t depth) const {
    for (size_t i = 0; i < depth; ++i)
      if (work.over[i].name == name)
        return values[i];
    return arguments(name);
  }

  const DotWork &work;
  Bindings arguments;
  std::vector<int64_t> values;
  uint64_t terms = 0;
};
} // namespace

llvm::Expected<double> fly::contract::evaluateWork(const DotWork &work,
                                                   Bindings bindings) {
  if (!work.flop)
    return llvm::createStringError(
        llvm::formatv("how often products of {0} and {1} are done is read from "
                      "memory",
                      work.a, work.b));
  Sum sum(work, bindings);
  if (llvm::Error error = sum.add(0))
    return std::move(error);
  return sum.total;
}

llvm::Expected<double> fly::contract::evaluateWork(llvm::ArrayRef<DotWork> work,
                                                   Bindings bindings) {
  double total = 0;
  for (const DotWork &dots : work) {
    llvm::Expected<double> flop = evaluateWork(dots, bindings);
    if (!flop)
      return flop.takeError();
    total += *flop;
  }
  return total;
}

llvm::Expected<double>
fly::contract::evaluateIdealBytes(const LaunchContract &contract,
                                  Bindings bindings) {
  double bytes = 0;
  for (const Argument &argument : contract.arguments) {
    if (argument.kind != ArgumentKind::Pointer ||
        argument.name == channelArgument)
      continue;
    std::optional<unsigned> bits = elementTypeBits(argument.type);
    if (!argument.view || !bits)
      return llvm::createStringError("how much memory '" + argument.name +
                                     "' reaches is not known from the "
                                     "arguments");
    llvm::Expected<std::vector<int64_t>> extents =
        evaluateAll(argument.view->extents, bindings);
    if (!extents)
      return extents.takeError();
    double elements = 1;
    for (int64_t extent : *extents) {
      if (extent < 0)
        return llvm::createStringError(
            "an extent of '" + argument.name +
            "' is negative: " + std::to_string(extent));
      elements *= double(extent);
    }
    // Rows may lie apart, and overlap where somebody says how.
    llvm::Expected<int64_t> reached = viewElements(*argument.view, bindings);
    if (reached)
      elements = std::min(elements, double(*reached));
    else
      llvm::consumeError(reached.takeError());
    bytes += elements * *bits / 8;
  }
  return bytes;
}
