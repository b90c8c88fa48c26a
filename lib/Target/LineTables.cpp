//===- LineTables.cpp - source lines of machine code ----------------------===//
//
// What problem: what finds fault with an instruction, or counts its cycles, has
// to name the line of the kernel that it comes from.
// What idea: operations carry places of the source down to here. LLVM keeps
// them only inside of a function that is described by debug information, so
// each function gets the least of it: line tables, no variables, no types. Of a
// place that was made of others (a helper that was inlined, passes that fused
// two operations) the innermost and first one counts.
// What it refuses: names of directories. The same kernel has the same bytes
// wherever it lies, so a file is named by its last component, or as the map of
// prefixes says.
//
//===----------------------------------------------------------------------===//

#include "LineTables.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Location.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace fly::target;

/// The place in a file that a location means; null if it has none.
static FileLineColLoc getPlace(Location location) {
  if (auto place = dyn_cast<FileLineColLoc>(location))
    return place;
  if (auto named = dyn_cast<NameLoc>(location))
    return getPlace(named.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location)) {
    FileLineColLoc callee = getPlace(call.getCallee());
    return callee ? callee : getPlace(call.getCaller());
  }
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (FileLineColLoc place = getPlace(part))
        return place;
  if (auto opaque = dyn_cast<OpaqueLoc>(location))
    return getPlace(opaque.getFallbackLocation());
  return nullptr;
}

namespace {

class LineTableBuilder {
public:
  LineTableBuilder(
      MLIRContext *context,
      llvm::ArrayRef<std::pair<std::string, std::string>> prefixMap)
      : context(context), prefixMap(prefixMap) {}

  /// False if nobody knows where the function comes from.
  bool describe(LLVM::LLVMFuncOp function);

private:
  std::string nameOf(llvm::StringRef path) const;
  LLVM::DIFileAttr fileOf(FileLineColLoc place) const {
    return LLVM::DIFileAttr::get(context, nameOf(place.getFilename()), "");
  }

  MLIRContext *context;
  llvm::ArrayRef<std::pair<std::string, std::string>> prefixMap;
  LLVM::DICompileUnitAttr unit;
};

} // namespace

std::string LineTableBuilder::nameOf(llvm::StringRef path) const {
  for (const auto &[from, to] : prefixMap)
    if (path.starts_with(from))
      return to + path.drop_front(from.size()).str();
  return llvm::sys::path::filename(path).str();
}

bool LineTableBuilder::describe(LLVM::LLVMFuncOp function) {
  FileLineColLoc start = getPlace(function.getLoc());
  if (!start)
    return false;
  auto makeId = [&] { return DistinctAttr::create(UnitAttr::get(context)); };
  LLVM::DIFileAttr file = fileOf(start);
  if (!unit)
    unit = LLVM::DICompileUnitAttr::get(
        makeId(), llvm::dwarf::DW_LANG_C, file, StringAttr::get(context, "fly"),
        /*isOptimized=*/true, LLVM::DIEmissionKind::LineTablesOnly);
  auto type =
      LLVM::DISubroutineTypeAttr::get(context, ArrayRef<LLVM::DITypeAttr>());
  auto scope = LLVM::DISubprogramAttr::get(
      context, makeId(), unit, file, function.getNameAttr(),
      function.getNameAttr(), file, start.getLine(), start.getLine(),
      LLVM::DISubprogramFlags::Definition | LLVM::DISubprogramFlags::Optimized,
      type, /*retainedNodes=*/{}, /*annotations=*/{});
  function.walk([&](Operation *op) {
    if (op == function)
      return;
    FileLineColLoc place = getPlace(op->getLoc());
    // LLVM wants a place of every call of a function that has debug
    // information; other instructions of no place belong to their neighbours.
    if (!place && isa<LLVM::CallOp>(op))
      place = start;
    if (!place)
      return op->setLoc(UnknownLoc::get(context));
    Location here =
        FileLineColLoc::get(context, "", place.getLine(), place.getColumn());
    if (place.getFilename() != start.getFilename())
      here = FusedLoc::get(
          context, here,
          LLVM::DILexicalBlockFileAttr::get(scope, fileOf(place), 0));
    op->setLoc(here);
  });
  function->setLoc(FusedLoc::get(context, Location(start), scope));
  return true;
}

bool fly::target::addLineTables(
    gpu::GPUModuleOp module,
    llvm::ArrayRef<std::pair<std::string, std::string>> prefixMap) {
  LineTableBuilder builder(module.getContext(), prefixMap);
  bool hasAny = false;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    bool isDescribed =
        function.getLoc()
            ->findInstanceOf<FusedLocWith<LLVM::DISubprogramAttr>>() != nullptr;
    if (!function.isExternal() && !isDescribed)
      hasAny |= builder.describe(function);
  }
  return hasAny;
}
