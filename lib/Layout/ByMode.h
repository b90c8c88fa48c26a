//===- ByMode.h - Applies an operation to the modes of a tiler --*- C++ -*-===//
//
// The divide and product families, composition and the check of coverage all
// follow a tiler down to its layouts in the same way.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_LAYOUT_BYMODE_H
#define FLY_LIB_LAYOUT_BYMODE_H

#include "fly/Layout/Tiler.h"

namespace fly::layout {

/// What happens to a mode whose tiler is a layout.
using ModeOperation = llvm::function_ref<llvm::Expected<Layout>(
    const Layout &mode, const Layout &tiler)>;

/// Applies `operation` below each layout of `tiler`; other modes stay. Errors
/// begin with `name`.
llvm::Expected<Layout> applyByMode(const Layout &layout, const Tiler &tiler,
                                   llvm::StringRef name,
                                   ModeOperation operation);

/// An error if the list `tiler` has more entries than `layout` has modes.
llvm::Error checkRank(const Layout &layout, const Tiler &tiler,
                      llvm::StringRef name);

/// The modes of a result of rank 2 whose modes are gathered: all first modes,
/// then all second ones with those that the tiler leaves alone.
struct Gathered {
  llvm::SmallVector<Layout> first, second;
  /// Whether the tiler was one layout, so that both have one entry.
  bool whole = false;
};

/// Applies `operation`, whose result has two modes, and gathers these.
llvm::Expected<Gathered> gatherByMode(const Layout &layout, const Tiler &tiler,
                                      llvm::StringRef name,
                                      ModeOperation operation);

/// ((first...),(second...)).
llvm::Expected<Layout> zipped(const Gathered &parts);
/// ((first...),second...).
llvm::Expected<Layout> tiled(const Gathered &parts);
/// (first...,second...).
llvm::Expected<Layout> flat(const Gathered &parts);

} // namespace fly::layout

#endif // FLY_LIB_LAYOUT_BYMODE_H
