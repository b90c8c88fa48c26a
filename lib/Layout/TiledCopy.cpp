//===- TiledCopy.cpp - Copies by many threads -----------------------------===//
//
// A side of the atom, in terms of the reference, is reference^-1 o side. The
// tile's thread-value layout, divided into atoms, is composed with that.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/TiledCopy.h"

#include "fly/Layout/Algebra.h"
#include "fly/Layout/Divide.h"

#include "llvm/Support/FormatVariadic.h"

using namespace fly::layout;

llvm::Expected<CopyAtom> CopyAtom::vector(int64_t values) {
  llvm::Expected<Layout> layout =
      Layout::get(IntTuple::tuple({1, values}), IntTuple::tuple({0, 1}));
  if (!layout)
    return layout.takeError();
  return CopyAtom{*layout, *layout, *layout};
}

/// The thread-value layout of the tile for the side `side` of an atom:
/// ((side threads, more), (side values, more)). `atoms` is
/// ((atom threads, atom values), (more threads, more values)).
static llvm::Expected<Layout> ofSide(const Layout &atoms, const Layout &side,
                                     const Layout &reference) {
  llvm::Expected<Layout> inverse = rightInverse(reference);
  if (!inverse)
    return inverse;
  llvm::Expected<Layout> toReference = composition(*inverse, side);
  if (!toReference)
    return toReference;
  llvm::Expected<Layout> within = composition(atoms.mode(0), *toReference);
  if (!within)
    return within;
  llvm::SmallVector<Layout> modes;
  for (unsigned i = 0; i < 2; ++i) {
    llvm::Expected<Layout> first = coalesce(within->mode(i));
    if (!first)
      return first;
    llvm::Expected<Layout> more = coalesce(atoms.mode(1).mode(i));
    if (!more)
      return more;
    llvm::Expected<Layout> mode = Layout::fromModes({*first, *more});
    if (!mode)
      return mode;
    // Threads are asked for by number, values by what the atom takes at once.
    llvm::Expected<Layout> final = i == 0 ? coalesce(*mode) : *mode;
    if (!final)
      return final;
    modes.push_back(std::move(*final));
  }
  return Layout::fromModes(modes);
}

static llvm::Expected<Int> sizeOfTile(const Tiler &tile) {
  Int size(1);
  for (const Tiler &entry : tile.entries()) {
    if (entry.kind() != Tiler::Kind::Layout)
      return llvm::createStringError(llvm::formatv(
          "tiled copy over '{0}': expected a list of layouts", tile));
    llvm::Expected<Int> next = Int::multiply(size, entry.layout().size());
    if (!next)
      return next;
    size = *next;
  }
  return size;
}

/// Checks the sides of the atom against its reference.
static llvm::Error checkAtom(const CopyAtom &atom) {
  for (const Layout *layout :
       {&atom.reference, &atom.source, &atom.destination}) {
    int64_t elements = atom.reference.size().factor();
    if (llvm::Error error = checkThreadValue(*layout, elements))
      return llvm::createStringError(
          llvm::formatv("copy atom: {0}", llvm::toString(std::move(error))));
    if (layout->mode(0).size() != atom.reference.mode(0).size())
      return llvm::createStringError(llvm::formatv(
          "copy atom: expected {0} threads on each side, got {1} in '{2}'",
          atom.reference.mode(0).size(), layout->mode(0).size(), *layout));
  }
  return llvm::Error::success();
}

llvm::Expected<TiledCopy> TiledCopy::get(CopyAtom atom, Layout threadValue,
                                         Tiler tile) {
  if (llvm::Error error = checkAtom(atom))
    return std::move(error);
  llvm::Expected<Int> elements = sizeOfTile(tile);
  if (!elements)
    return elements.takeError();
  if (!elements->isStatic() || tile.kind() != Tiler::Kind::List)
    return llvm::createStringError(llvm::formatv(
        "tiled copy over '{0}': expected a list of static layouts", tile));
  if (llvm::Error error = checkThreadValue(threadValue, elements->factor()))
    return std::move(error);
  llvm::SmallVector<Int> atomSizes;
  const char *names[] = {"threads", "values"};
  for (unsigned i = 0; i < 2; ++i) {
    Int part = atom.reference.mode(i).size();
    Int whole = threadValue.mode(i).size();
    if (!Int::divideExact(whole, part))
      return llvm::createStringError(llvm::formatv(
          "tiled copy by '{0}': expected a multiple of the atom's {1} {2}, got "
          "{3}",
          threadValue, part, names[i], whole));
    atomSizes.push_back(part);
  }
  llvm::Expected<Tiler> blocks = Tiler::blocks(atomSizes);
  if (!blocks)
    return blocks.takeError();
  llvm::Expected<Layout> atoms = zippedDivide(threadValue, *blocks);
  if (!atoms)
    return atoms.takeError();
  llvm::Expected<Layout> source = ofSide(*atoms, atom.source, atom.reference);
  if (!source)
    return source.takeError();
  llvm::Expected<Layout> destination =
      ofSide(*atoms, atom.destination, atom.reference);
  if (!destination)
    return destination.takeError();
  return TiledCopy(std::move(threadValue), std::move(tile), std::move(*source),
                   std::move(*destination));
}
