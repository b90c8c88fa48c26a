//===- PlainResults.cpp - What plain schedules compute --------------------===//
#include "PlainResults.h"

#include "fly/Launch/Compare.h"

#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::sweep;

/// What is compared: where integers are exact they have been.
static llvm::ArrayRef<Inputs> inputsOf(const Configuration &c) {
  static constexpr Inputs all[] = {Inputs::Normal, Inputs::Integers};
  return llvm::ArrayRef(all).take_front(c.isExact() ? 1 : 2);
}

static const char *wordOf(Inputs inputs) {
  return inputs == Inputs::Normal ? "normal numbers" : "integers";
}

static llvm::Error complain(const llvm::Twine &what, llvm::StringRef inputs,
                            llvm::Error error) {
  return llvm::createStringError(what + " on " + inputs + ": " +
                                 llvm::toString(std::move(error)));
}

llvm::Error PlainResults::make(const Configuration &plain) {
  name.clear();
  results.clear();
  auto run = GemmRun::compile(plain, context);
  if (!run)
    return complain("the plain schedule", "nothing", run.takeError());
  for (Inputs inputs : inputsOf(plain)) {
    const char *word = wordOf(inputs);
    auto got = run->simulate(inputs);
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
  name = plain.name();
  return llvm::Error::success();
}

llvm::Error PlainResults::compare(const Configuration &configuration,
                                  const GemmRun &run) {
  Configuration plain = configuration.plain();
  if (name != plain.name())
    if (llvm::Error error = make(plain))
      return error;
  for (auto [number, inputs] : llvm::enumerate(inputsOf(configuration))) {
    auto got = run.simulate(inputs);
    if (!got)
      return got.takeError();
    const launch::Buffer &expected = results[number];
    const ElementType type = got->type();
    for (int64_t i = 0, e = got->shape().size(); i < e; ++i) {
      int64_t place = got->shape().locate(i);
      uint64_t bits = type.loadBits(got->data(), place);
      uint64_t wanted = type.loadBits(expected.data(), place);
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
