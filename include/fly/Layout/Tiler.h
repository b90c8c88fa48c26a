//===- Tiler.h - Layouts by mode --------------------------------*- C++ -*-===//
//
// Composition, division and multiplication work on a layout as a whole or mode
// by mode. A Tiler says which: a layout works on the whole, a list has an entry
// for each mode, '_' leaves a mode as it is.
//
//   8:1    <4:1,(2,3):(1,2)>    <_,16>
//
// An integer n stands for n:1. A list may be shorter than the layout has modes;
// the modes beyond it stay as they are.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LAYOUT_TILER_H
#define FLY_LAYOUT_TILER_H

#include "fly/Layout/Layout.h"

namespace fly::layout {

/// A layout, a list of tilers, or '_'.
class Tiler {
public:
  enum class Kind : uint8_t { Layout, List, Keep };

  Tiler(Layout layout) : kindOfTiler(Kind::Layout), whole(std::move(layout)) {}
  /// A list, which has at least one entry.
  static Tiler list(std::vector<Tiler> entries) {
    assert(!entries.empty() && "lists have entries");
    Tiler result(Kind::List);
    result.all = std::move(entries);
    return result;
  }
  /// '_', which leaves a mode as it is.
  static Tiler keep() { return Tiler(Kind::Keep); }
  /// The list of extent:1 for each of `extents`; an error if one is below 1.
  static llvm::Expected<Tiler> blocks(llvm::ArrayRef<Int> extents);

  Kind kind() const { return kindOfTiler; }
  /// The layout, of that kind.
  const Layout &layout() const {
    assert(kindOfTiler == Kind::Layout);
    return whole;
  }
  /// The entries of a list.
  llvm::ArrayRef<Tiler> entries() const { return all; }

  bool operator==(const Tiler &other) const {
    return kindOfTiler == other.kindOfTiler && whole == other.whole &&
           all == other.all;
  }

  /// The text form, see above.
  std::string str() const;

private:
  explicit Tiler(Kind kind) : kindOfTiler(kind) {}

  Kind kindOfTiler;
  Layout whole;
  std::vector<Tiler> all;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const Tiler &tiler) {
  return os << tiler.str();
}

/// Composition with each mode by its entry. See Algebra.h.
llvm::Expected<Layout> composition(const Layout &outer, const Tiler &inner);

/// Whether the tiler and its complements reach each element of `layout` exactly
/// once, mode by mode; the error says which stride or size does not divide. A
/// division succeeds all the same, see `complement`.
llvm::Error checkCovers(const Layout &layout, const Tiler &tiler);

} // namespace fly::layout

#endif // FLY_LAYOUT_TILER_H
