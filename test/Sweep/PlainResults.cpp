//===- PlainResults.cpp - What plain schedules compute --------------------===//
#include "PlainResults.h"

#include "fly/Launch/Compare.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace fly;
using namespace fly::sweep;

/// Plain results that are kept: those of a group and more.
static constexpr unsigned kKept = 16;

/// What is compared: where integers are exact they have been.
static llvm::ArrayRef<Inputs> inputsOf(const Configuration &c) {
  static constexpr Inputs all[] = {Inputs::Rounding, Inputs::Integers};
  return llvm::ArrayRef(all).take_front(c.isExact() ? 1 : 2);
}

static const char *wordOf(Inputs inputs) {
  return inputs == Inputs::Rounding ? "numbers that round" : "integers";
}

static llvm::Error complain(const llvm::Twine &what, llvm::StringRef inputs,
                            llvm::Error error) {
  return llvm::createStringError(what + " on " + inputs + ": " +
                                 llvm::toString(std::move(error)));
}

llvm::Expected<PlainResults::Results>
PlainResults::make(const Configuration &plain) {
  Results results;
  auto run = GemmRun::compile(plain, context);
  if (!run)
    return complain("the plain schedule", "nothing", run.takeError());
  for (Inputs inputs : inputsOf(plain)) {
    const char *word = wordOf(inputs);
    auto got = run->simulate(inputs, /*isChecked=*/false);
    if (!got)
      return complain("the plain schedule", word, got.takeError());
    auto expected = run->refer(inputs);
    if (!expected)
      return complain("the reference", word, expected.takeError());
    auto comparison = launch::compare(*got, *expected);
    if (!comparison)
      return complain("the plain schedule", word, comparison.takeError());
    if (!comparison->isRight())
      return llvm::createStringError(llvm::Twine("the plain schedule on ") +
                                     word + ": " +
                                     launch::describe(*comparison, "C"));
    results.push_back(std::move(*got));
  }
  return results;
}

llvm::Error PlainResults::compare(const Configuration &configuration,
                                  const GemmRun &run) {
  Configuration plain = configuration.plain();
  std::string name = plain.name();
  if (!known.contains(name)) {
    llvm::Expected<Results> made = make(plain);
    if (!made)
      return made.takeError();
    if (known.size() >= kKept)
      known.clear();
    known[name] = std::move(*made);
  }
  const Results &results = known[name];
  // Any number; the plain one ran in the order of the grid.
  uint32_t dispatchSeed = uint32_t(llvm::xxh3_64bits(configuration.name())) | 1;
  // Exact integers have been checked.
  bool isChecked = !configuration.isExact();
  for (auto [number, inputs] : llvm::enumerate(inputsOf(configuration))) {
    auto got = run.simulate(inputs, isChecked, dispatchSeed);
    isChecked = false;
    if (!got)
      return got.takeError();
    const launch::Buffer &expected = results[number];
    const ElementType type = got->type();
    // The plain one has rows without gaps.
    for (int64_t i = 0, e = got->shape().size(); i < e; ++i) {
      uint64_t bits = type.loadBits(got->data(), got->shape().locate(i));
      uint64_t wanted =
          type.loadBits(expected.data(), expected.shape().locate(i));
      if (bits == wanted)
        continue;
      auto at = got->shape().coordinates(i);
      return llvm::createStringError(llvm::formatv(
          "bits differ from the plain schedule on {0}, first at C[{1},{2}]: "
          "{3}, plain {4}",
          wordOf(inputs), at[0], at[1], got->value(i), expected.value(i)));
    }
  }
  return llvm::Error::success();
}
