//===- Divide.cpp - Splitting layouts into tiles --------------------------===//
//
// A tiler and its complement together name all elements, tile by tile;
// composing the layout with both is the division.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/Divide.h"

#include "fly/Layout/Algebra.h"

#include "llvm/Support/FormatVariadic.h"

#include "ByMode.h"

using namespace fly::layout;

static llvm::Expected<Layout> divide(const Layout &layout,
                                     const Layout &tiler) {
  auto inContext = [&](llvm::Error error) {
    return llvm::createStringError(
        llvm::formatv("division of '{0}' by '{1}': {2}", layout, tiler,
                      llvm::toString(std::move(error))));
  };
  llvm::Expected<Layout> rest = complement(tiler, layout.size());
  if (!rest)
    return inContext(rest.takeError());
  llvm::Expected<Layout> both = Layout::fromModes({tiler, *rest});
  if (!both)
    return inContext(both.takeError());
  llvm::Expected<Layout> result = composition(layout, *both);
  if (!result)
    return inContext(result.takeError());
  return result;
}

llvm::Expected<Layout> fly::layout::logicalDivide(const Layout &layout,
                                                  const Tiler &tiler) {
  return applyByMode(layout, tiler, "division", divide);
}

llvm::Expected<Layout> fly::layout::zippedDivide(const Layout &layout,
                                                 const Tiler &tiler) {
  llvm::Expected<Gathered> parts =
      gatherByMode(layout, tiler, "division", divide);
  return parts ? zipped(*parts) : parts.takeError();
}

llvm::Expected<Layout> fly::layout::tiledDivide(const Layout &layout,
                                                const Tiler &tiler) {
  llvm::Expected<Gathered> parts =
      gatherByMode(layout, tiler, "division", divide);
  return parts ? tiled(*parts) : parts.takeError();
}

llvm::Expected<Layout> fly::layout::flatDivide(const Layout &layout,
                                               const Tiler &tiler) {
  llvm::Expected<Gathered> parts =
      gatherByMode(layout, tiler, "division", divide);
  return parts ? flat(*parts) : parts.takeError();
}
