//===- LayoutReport.h - Where the elements of a kernel are ------*- C++ -*-===//
//
// What problem: why an access is slow, or a register holds what it holds, is a
// question about which lane has which element, and the IR only has formulas.
// What idea: tabulate. For tiles the map of their layout, both ways; for LDS
// accesses the banks that each phase of the wave meets; for global accesses the
// stretches of memory that the lanes of an instruction cover.
// What it leaves open: addresses are those of one wave, with scalars, block ids
// and loop counters at 0; elements outside of views are not left out.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_REPORTS_LAYOUT_LAYOUTREPORT_H
#define FLY_REPORTS_LAYOUT_LAYOUTREPORT_H

#include "fly/Arch/LdsModel.h"
#include "fly/Reports/Layout/SourceValues.h"
#include "fly/Reports/Layout/TileMap.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace fly::reports {

/// A tile with a layout.
struct TileReport {
  std::string name;   ///< In the source, or the label.
  std::string type;   ///< With the layout.
  std::string layout; ///< Alone.
  unsigned elementBits = 0;
  TileMap map;
};

/// One kind of read or write of a view: accesses of equal figures together.
struct AccessReport {
  std::string view; ///< Label of an LDS field, name or number of a global view.
  unsigned line = 0; ///< In the source; 0 where unknown.
  bool isRead = true, inLds = false;
  unsigned count = 1; ///< Accesses of this kind in the program.
  /// Machine accesses of one such access, and their bytes a lane.
  unsigned pieces = 1, bytesPerLane = 0;
  /// Byte address of each lane's first piece, in LDS, or relative to the
  /// view's first element where its strides are static; rows of other views are
  /// as far apart as the report's unit of distance, see `isContiguous`.
  std::vector<uint64_t> addresses;
  uint64_t exec = ~uint64_t(0); ///< Lanes that take part.

  /// LDS: how it is served; null for widths without figures.
  const arch::LdsAccess *served = nullptr;
  arch::LdsCost cost;

  /// Global memory: stretches of contiguous bytes that the lanes cover, bytes
  /// of the shortest and longest of them, lanes of the longest, and bytes in
  /// all, each counted once.
  unsigned segments = 0, shortestSegment = 0, longestSegment = 0;
  unsigned contiguousLanes = 0, bytes = 0;
};

struct LayoutReport {
  std::string kernel, chip;
  std::vector<TileReport> tiles;
  std::vector<AccessReport> accesses;
};

/// What to report on.
struct LayoutQuery {
  std::string kernel; ///< Where there are several.
  /// Name of a value of the source or label; empty reports on all.
  std::string value;
  /// Pass after which to look; empty looks at tiles after fly-assign-layouts
  /// and at accesses behind the explicit level's last pass.
  std::string after;
  unsigned wave = 0; ///< Whose accesses are tabulated.
};

/// Reports on one kernel of `module`, which stays as it is. `values` are the
/// names of its source. Errors are diagnostics.
mlir::FailureOr<LayoutReport> reportLayouts(mlir::ModuleOp module,
                                            llvm::ArrayRef<SourceValue> values,
                                            const LayoutQuery &query);

/// Reports on a tile type alone, without a kernel; its threads are those that
/// its layout needs.
mlir::FailureOr<TileReport>
reportTileType(mlir::Type type,
               llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The accesses to views of a kernel at explicit level, one wave's.
std::vector<AccessReport> reportAccesses(mlir::Operation *kernel,
                                         const arch::ArchInfo &chip,
                                         unsigned wave);

/// For people: a few lines a tile and access; with `maps` the whole tables.
void print(llvm::raw_ostream &os, const LayoutReport &report, bool maps);
/// Its keys are in docs/Guide/LayoutReport.md.
llvm::json::Value toJSON(const LayoutReport &report);
/// A picture: tiles as grids of elements, LDS accesses as banks by phases,
/// global accesses as lanes along memory.
void printSvg(llvm::raw_ostream &os, const LayoutReport &report);

} // namespace fly::reports

#endif // FLY_REPORTS_LAYOUT_LAYOUTREPORT_H
