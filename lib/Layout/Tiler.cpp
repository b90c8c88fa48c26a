//===- Tiler.cpp - Layouts by mode ----------------------------------------===//
//
// One recursion for all operations by mode, and how their results are arranged.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/Tiler.h"

#include "fly/Layout/Algebra.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "ByMode.h"

using namespace fly::layout;

llvm::Expected<Tiler> Tiler::blocks(llvm::ArrayRef<Int> extents) {
  std::vector<Tiler> entries;
  for (const Int &extent : extents) {
    llvm::Expected<Layout> block = Layout::get(extent, 1);
    if (!block)
      return block.takeError();
    entries.push_back(std::move(*block));
  }
  if (entries.empty())
    return llvm::createStringError("a tiler needs at least one extent");
  return list(std::move(entries));
}

std::string Tiler::str() const {
  if (kindOfTiler == Kind::Layout)
    return whole.str();
  if (kindOfTiler == Kind::Keep)
    return "_";
  std::string text = "<";
  for (const auto &[index, entry] : llvm::enumerate(all))
    text += (index ? "," : "") + entry.str();
  return text + ">";
}

llvm::Error fly::layout::checkRank(const Layout &layout, const Tiler &tiler,
                                   llvm::StringRef name) {
  if (tiler.entries().size() <= layout.rank())
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv(
      "{0} of '{1}' by '{2}': expected at most {3} entries, got {4}", name,
      layout, tiler, layout.rank(), tiler.entries().size()));
}

llvm::Expected<Layout> fly::layout::applyByMode(const Layout &layout,
                                                const Tiler &tiler,
                                                llvm::StringRef name,
                                                ModeOperation operation) {
  switch (tiler.kind()) {
  case Tiler::Kind::Layout:
    return operation(layout, tiler.layout());
  case Tiler::Kind::Keep:
    return layout;
  case Tiler::Kind::List:
    break;
  }
  if (llvm::Error error = checkRank(layout, tiler, name))
    return std::move(error);
  llvm::SmallVector<Layout> modes = layout.modes();
  for (const auto &[mode, entry] : llvm::zip(modes, tiler.entries())) {
    llvm::Expected<Layout> result = applyByMode(mode, entry, name, operation);
    if (!result)
      return result;
    mode = std::move(*result);
  }
  return Layout::fromModes(modes);
}

llvm::Expected<Gathered> fly::layout::gatherByMode(const Layout &layout,
                                                   const Tiler &tiler,
                                                   llvm::StringRef name,
                                                   ModeOperation operation) {
  Gathered result;
  if (tiler.kind() == Tiler::Kind::Keep)
    return llvm::createStringError(llvm::formatv(
        "{0} of '{1}' by '_': expected a layout or a list", name, layout));
  if (tiler.kind() == Tiler::Kind::Layout) {
    llvm::Expected<Layout> pair = operation(layout, tiler.layout());
    if (!pair)
      return pair.takeError();
    result.first.push_back(pair->mode(0));
    result.second.push_back(pair->mode(1));
    result.whole = true;
    return result;
  }
  if (llvm::Error error = checkRank(layout, tiler, name))
    return std::move(error);
  llvm::ArrayRef<Tiler> entries = tiler.entries();
  for (unsigned i = 0; i < layout.rank(); ++i) {
    Layout mode = layout.mode(i);
    if (i >= entries.size() || entries[i].kind() == Tiler::Kind::Keep) {
      result.second.push_back(std::move(mode));
      continue;
    }
    llvm::Expected<Gathered> parts =
        gatherByMode(mode, entries[i], name, operation);
    if (!parts)
      return parts;
    llvm::Expected<Layout> pair = zipped(*parts);
    if (!pair)
      return pair.takeError();
    result.first.push_back(pair->mode(0));
    result.second.push_back(pair->mode(1));
  }
  if (result.first.empty())
    return llvm::createStringError(
        llvm::formatv("{0} of '{1}' by '{2}': expected an entry other than '_'",
                      name, layout, tiler));
  return result;
}

/// `modes` as one mode.
static llvm::Expected<Layout> group(const Gathered &parts,
                                    llvm::ArrayRef<Layout> modes) {
  if (parts.whole)
    return modes.front();
  return Layout::fromModes(modes);
}

/// Appends `modes` to `result`, those of a single mode one by one.
static void spread(const Gathered &parts, llvm::ArrayRef<Layout> modes,
                   llvm::SmallVectorImpl<Layout> &result) {
  if (parts.whole)
    llvm::append_range(result, modes.front().modes());
  else
    llvm::append_range(result, modes);
}

llvm::Expected<Layout> fly::layout::zipped(const Gathered &parts) {
  llvm::Expected<Layout> first = group(parts, parts.first);
  if (!first)
    return first;
  llvm::Expected<Layout> second = group(parts, parts.second);
  if (!second)
    return second;
  return Layout::fromModes({*first, *second});
}

llvm::Expected<Layout> fly::layout::tiled(const Gathered &parts) {
  llvm::Expected<Layout> first = group(parts, parts.first);
  if (!first)
    return first;
  llvm::SmallVector<Layout> modes = {*first};
  spread(parts, parts.second, modes);
  return Layout::fromModes(modes);
}

llvm::Expected<Layout> fly::layout::flat(const Gathered &parts) {
  llvm::SmallVector<Layout> modes;
  spread(parts, parts.first, modes);
  spread(parts, parts.second, modes);
  return Layout::fromModes(modes);
}

llvm::Expected<Layout> fly::layout::composition(const Layout &outer,
                                                const Tiler &inner) {
  return applyByMode(outer, inner, "composition",
                     [](const Layout &mode, const Layout &tiler) {
                       return composition(mode, tiler);
                     });
}

llvm::Error fly::layout::checkCovers(const Layout &layout, const Tiler &tiler) {
  return applyByMode(layout, tiler, "coverage",
                     [](const Layout &mode,
                        const Layout &part) -> llvm::Expected<Layout> {
                       if (llvm::Error error = checkCovers(part, mode.size()))
                         return std::move(error);
                       return mode;
                     })
      .takeError();
}
