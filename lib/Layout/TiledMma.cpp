//===- TiledMma.cpp - Matrix products by many waves -----------------------===//
//
// Division by the instruction's extents gathers a block and leaves the counts
// of blocks; division of these by the number of waves gives each wave its
// blocks.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/TiledMma.h"

#include "fly/Layout/Algebra.h"
#include "fly/Layout/Divide.h"

#include "llvm/Support/FormatVariadic.h"

using namespace fly::layout;

namespace {
/// Which of m, n, k the two modes of an operand are.
struct OperandModes {
  unsigned first, second;
};
} // namespace

static constexpr const char *dimensionNames[] = {"m", "n", "k"};

static OperandModes modesOf(MmaOperand operand) {
  switch (operand) {
  case MmaOperand::A:
    return {0, 2};
  case MmaOperand::B:
    return {1, 2};
  case MmaOperand::C:
    return {0, 1};
  }
  llvm_unreachable("all operands are listed");
}

static const Layout &layoutOf(const MmaAtom &atom, MmaOperand operand) {
  switch (operand) {
  case MmaOperand::A:
    return atom.a;
  case MmaOperand::B:
    return atom.b;
  case MmaOperand::C:
    return atom.c;
  }
  llvm_unreachable("all operands are listed");
}

static llvm::Error checkAtom(const MmaAtom &atom) {
  const int64_t extents[] = {atom.m, atom.n, atom.k};
  constexpr int64_t most = int64_t(1) << 20;
  for (unsigned i = 0; i < 3; ++i)
    if (extents[i] < 1 || extents[i] > most)
      return llvm::createStringError(
          llvm::formatv("matrix atom: extent {0}: expected 1 to {1}, got {2}",
                        dimensionNames[i], most, extents[i]));
  const std::pair<MmaOperand, const char *> operands[] = {
      {MmaOperand::A, "A"}, {MmaOperand::B, "B"}, {MmaOperand::C, "C"}};
  for (const auto &[operand, name] : operands) {
    const Layout &layout = layoutOf(atom, operand);
    OperandModes modes = modesOf(operand);
    if (llvm::Error error = checkThreadValue(layout, extents[modes.first] *
                                                         extents[modes.second]))
      return llvm::createStringError(
          llvm::formatv("operand {0} of the matrix atom: {1}", name,
                        llvm::toString(std::move(error))));
    if (layout.mode(0).size() != atom.a.mode(0).size())
      return llvm::createStringError(
          llvm::formatv("operand {0} of the matrix atom: expected the {1} "
                        "lanes of A, got {2}",
                        name, atom.a.mode(0).size(), layout.mode(0).size()));
  }
  return llvm::Error::success();
}

llvm::Expected<TiledMma> TiledMma::get(MmaAtom atom, Layout waves,
                                       Permutations permutations) {
  if (llvm::Error error = checkAtom(atom))
    return std::move(error);
  if (waves.rank() != 3 || !waves.isStatic())
    return llvm::createStringError(llvm::formatv(
        "layout of waves '{0}': expected three static modes, of m, n and k",
        waves));
  llvm::Expected<Layout> inverse = rightInverse(waves);
  if (!inverse)
    return inverse.takeError();
  if (inverse->size() != waves.size())
    return llvm::createStringError(llvm::formatv(
        "layout of waves '{0}': expected each number from 0 to {1} once, "
        "number {2} is missing or repeated",
        waves, waves.size().factor() - 1, inverse->size()));
  int64_t lanes = atom.c.mode(0).size().factor();
  if (llvm::Expected<Int> threads = Int::multiply(lanes, waves.size());
      !threads)
    return threads.takeError();
  for (unsigned i = 0; i < 3; ++i) {
    const std::optional<Layout> &permutation = permutations[i];
    if (!permutation)
      continue;
    llvm::Expected<Layout> back = rightInverse(*permutation);
    if (!back)
      return back.takeError();
    if (back->size() != permutation->size())
      return llvm::createStringError(llvm::formatv(
          "permutation '{0}' of {1}: expected each element once, element {2} "
          "is missing or repeated",
          *permutation, dimensionNames[i], back->size()));
  }
  return TiledMma(std::move(atom), std::move(waves), std::move(*inverse),
                  std::move(permutations));
}

llvm::Expected<Layout> TiledMma::partition(MmaOperand operand,
                                           const Layout &tensor,
                                           TileEdge edge) const {
  if (tensor.rank() != 2)
    return llvm::createStringError(
        llvm::formatv("partition of '{0}' by a matrix product: expected two "
                      "modes, got {1}",
                      tensor, tensor.rank()));
  OperandModes modes = modesOf(operand);
  const unsigned which[] = {modes.first, modes.second};
  const int64_t extents[] = {mma.m, mma.n, mma.k};
  std::vector<Tiler> permuted;
  llvm::SmallVector<Int> atomExtents, waveExtents;
  for (unsigned dimension : which) {
    permuted.push_back(permutations[dimension] ? Tiler(*permutations[dimension])
                                               : Tiler::keep());
    atomExtents.push_back(extents[dimension]);
    waveExtents.push_back(waveLayout.mode(dimension).size());
  }
  auto divide = [&](const Layout &layout, const Tiler &tiler,
                    bool zip) -> llvm::Expected<Layout> {
    if (edge == TileEdge::Refuse)
      if (llvm::Error error = checkCovers(layout, tiler))
        return llvm::createStringError(
            llvm::formatv("partition of '{0}' by a matrix product: {1}", tensor,
                          llvm::toString(std::move(error))));
    return zip ? zippedDivide(layout, tiler) : logicalDivide(layout, tiler);
  };
  llvm::Expected<Layout> reordered =
      divide(tensor, Tiler::list(std::move(permuted)), /*zip=*/false);
  if (!reordered)
    return reordered;
  llvm::Expected<Tiler> atomTile = Tiler::blocks(atomExtents);
  if (!atomTile)
    return atomTile.takeError();
  llvm::Expected<Layout> blocks = divide(*reordered, *atomTile, /*zip=*/true);
  if (!blocks)
    return blocks;
  llvm::Expected<Layout> held =
      composition(blocks->mode(0), layoutOf(mma, operand));
  if (!held)
    return held;
  llvm::Expected<Tiler> waveTile = Tiler::blocks(waveExtents);
  if (!waveTile)
    return waveTile.takeError();
  llvm::Expected<Layout> shared =
      divide(blocks->mode(1), *waveTile, /*zip=*/true);
  if (!shared)
    return shared;
  llvm::Expected<Layout> threads =
      Layout::fromModes({held->mode(0), shared->mode(0)});
  if (!threads)
    return threads;
  llvm::Expected<Layout> values =
      Layout::fromModes({held->mode(1), shared->mode(1)});
  if (!values)
    return values;
  return Layout::fromModes({*threads, *values});
}

llvm::Expected<IntTuple> TiledMma::coordinate(MmaOperand operand,
                                              int64_t thread) const {
  if (thread < 0 || thread >= threads())
    return llvm::createStringError(
        llvm::formatv("thread {0}: expected 0 to {1}", thread, threads() - 1));
  llvm::SmallVector<IntTuple> sizes;
  for (unsigned i = 0; i < 3; ++i)
    sizes.push_back(waveLayout.mode(i).size());
  llvm::Expected<IntTuple> wave =
      idx2crd(waveInverse(thread / lanes()),
              IntTuple::tuple({sizes[0], sizes[1], sizes[2]}));
  if (!wave)
    return wave;
  OperandModes modes = modesOf(operand);
  return IntTuple::tuple(
      {thread % lanes(),
       IntTuple::tuple({wave->mode(modes.first), wave->mode(modes.second)})});
}
