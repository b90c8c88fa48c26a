//===- ContractMemory.cpp - Arguments and the memory behind them ----------===//
//
// Arguments lie in order at natural alignment. Behind a pointer lies the view
// that the kernel makes of it, or a line of elements that holds all views.
// Refused: arguments that no launch can pass, names that occur twice.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Contract.h"

#include "llvm/Support/MathExtras.h"

#include "ContractPlanner.h"
#include "IntegerFacts.h"
#include "PassRemark.h"

using namespace mlir;
using namespace fly;
using contract::Expr;
using Kind = contract::Expr::Kind;

static constexpr llvm::StringLiteral kPass = "fly-plan-grid";

/// Bytes of a view of lanes; its buffer resource has 31 bits of range.
static constexpr int64_t kLaneViewLimit = (int64_t(1) << 31) - 4;

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// What the kernel does through `pointer`, also through views of it.
static contract::Access getAccess(Value pointer) {
  bool isRead = false, isWritten = false;
  SmallVector<Value> worklist = {pointer};
  while (!worklist.empty()) {
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isa<ViewOp>(user))
        worklist.push_back(user->getResult(0));
      else if (isa<LoadOp, ReadOp, LoadScalarOp, GatherOp, DmaOp>(user))
        isRead = true;
      else if (isa<StoreOp, WriteOp, ScatterOp>(user))
        isWritten = true;
      else if (!isa<IsAlignedOp>(user)) // Anything may happen.
        isRead = isWritten = true;
    }
  }
  if (isRead)
    return isWritten ? contract::Access::ReadWrite : contract::Access::Read;
  return isWritten ? contract::Access::Write : contract::Access::None;
}

std::optional<std::vector<Expr>> ContractPlanner::getStrides(ViewOp view) {
  std::vector<Expr> strides;
  SmallVector<OpFoldResult> written = view.getMixedStrides();
  if (!written.empty()) {
    for (OpFoldResult stride : written) {
      std::optional<Expr> expr = host.get(stride);
      if (!expr)
        return std::nullopt;
      strides.push_back(*expr);
    }
    return strides;
  }
  // Row-major without gaps.
  SmallVector<OpFoldResult> extents = view.getMixedExtents();
  strides.assign(extents.size(), Expr::constant(1));
  for (size_t dim = extents.size() - 1; dim > 0; --dim) {
    std::optional<Expr> extent = host.get(extents[dim]);
    if (!extent)
      return std::nullopt;
    strides[dim - 1] = foldBinary(Kind::Mul, *extent, strides[dim]);
  }
  return strides;
}

std::optional<contract::View> ContractPlanner::getView(ViewOp view) {
  std::optional<std::vector<Expr>> strides = getStrides(view);
  if (!strides)
    return std::nullopt;
  contract::View result;
  result.strides = std::move(*strides);
  for (OpFoldResult extent : view.getMixedExtents()) {
    std::optional<Expr> expr = host.get(extent);
    if (!expr)
      return std::nullopt;
    result.extents.push_back(*expr);
  }
  return result;
}

/// Elements from the pointer to the last one of `view`, at `offset`.
static Expr getReach(const contract::View &view, const Expr &offset) {
  SmallVector<Expr> terms = {Expr::constant(1), offset};
  for (auto [extent, stride] : llvm::zip(view.extents, view.strides))
    terms.push_back(foldBinary(
        Kind::Mul, foldBinary(Kind::Sub, extent, Expr::constant(1)), stride));
  return addUp(terms);
}

/// Lanes address a view in 31 bits of bytes from its base; beyond that their
/// accesses would count as outside. Where the host cannot compute the extents,
/// they are the author's.
void ContractPlanner::planLaneView(ViewOp view) {
  bool isOfLanes = llvm::any_of(view.getResult().getUsers(), [](Operation *op) {
    return isa<ReadOp, WriteOp, DmaOp>(op);
  });
  std::optional<contract::View> known;
  if (isOfLanes)
    known = getView(view);
  if (!known)
    return;
  unsigned bits = view.getType().getElementType().getIntOrFloatBitWidth();
  Expr bytes = foldBinary(Kind::Mul, getReach(*known, Expr::constant(0)),
                          Expr::constant(llvm::divideCeil(bits, 8)));
  if (bytes.kind() == Kind::Constant && bytes.value() < kLaneViewLimit)
    return;
  require(Expr::binary(Kind::Lt, bytes, Expr::constant(kLaneViewLimit)),
          "a view of " + describeValue(view.getPtr()) +
              " spans 2 GiB, lanes address less: begin it further on by 'at'");
}

/// The one view of the pointer, or, where there are several or one has an
/// offset, a line of elements up to the last that any of them reaches.
void ContractPlanner::planMemory(contract::Argument &argument,
                                 BlockArgument pointer) {
  SmallVector<contract::View> views;
  SmallVector<Expr> reaches;
  bool isLine = false;
  Operation *unknown = nullptr;
  // In the order of the kernel, since the order of uses is arbitrary.
  kernel.walk([&](Operation *op) {
    if (!llvm::is_contained(op->getOperands(), pointer) || isa<IsAlignedOp>(op))
      return;
    auto viewOp = dyn_cast<ViewOp>(op);
    std::optional<contract::View> view;
    std::optional<Expr> offset = Expr::constant(0);
    if (viewOp)
      view = getView(viewOp);
    if (viewOp && viewOp.getOffset())
      offset = host.get(viewOp.getOffset());
    if (!view || !offset) {
      unknown = unknown ? unknown : op;
      return;
    }
    isLine |= !isNumber(*offset, 0);
    isLine |= !views.empty() && (views.front().extents != view->extents ||
                                 views.front().strides != view->strides);
    Expr reach = getReach(*view, *offset);
    if (!llvm::is_contained(reaches, reach))
      reaches.push_back(reach);
    views.push_back(std::move(*view));
  });
  if (unknown)
    return remarkMissed(
        unknown, kPass, "UnknownSize",
        "the memory behind argument '" + Twine(argument.name) +
            "' has an extent that the host cannot compute: a launcher cannot "
            "allocate it or check its size");
  if (views.empty())
    return;
  argument.view = views.front();
  if (!isLine)
    return;
  Expr last = Expr::constant(0); // Empty views reach nothing.
  for (const Expr &reach : reaches)
    last = Expr::binary(Kind::Max, last, reach);
  argument.view = contract::View{{last}, {Expr::constant(1)}};
}

LogicalResult ContractPlanner::planArguments() {
  uint32_t offset = 0;
  auto function = cast<FunctionOpInterface>(kernel.getOperation());
  for (BlockArgument value : kernel.getFunctionBody().getArguments()) {
    // Buffers that gpu.func declares itself are no arguments of the launch.
    unsigned index = value.getArgNumber();
    if (index >= kernel.getNumArguments())
      break;
    contract::Argument argument;
    argument.name = getArgumentName(function, index);
    for (const contract::Argument &other : contract.arguments)
      if (other.name == argument.name)
        return kernel.emitOpError()
               << "has two arguments of the name '" << argument.name << "'";
    if (auto pointer = dyn_cast<PtrType>(value.getType())) {
      argument.kind = contract::ArgumentKind::Pointer;
      argument.type = printType(pointer.getElementType());
      argument.size = 8;
      argument.alignment = getPointerAlignment(function, index);
      argument.access = getAccess(value);
      argument.mayAlias =
          bool(function.getArgAttr(index, FlyDialect::getMayAliasAttrName()));
      if (Attribute workspace =
              function.getArgAttr(index, FlyDialect::getWorkspaceAttrName())) {
        argument.workspace = true;
        argument.fill = isa<StringAttr>(workspace) ? "zeros" : "";
        // It starts with no records, and does not end so.
        if (argument.name == contract::channelArgument)
          argument.fill = "0";
      }
      planMemory(argument, value);
      if (argument.workspace && !argument.view)
        return mlir::emitError(value.getLoc())
               << "workspace '" << argument.name << "' of kernel '"
               << kernel.getName()
               << "' needs a view whose extents are computed from kernel "
                  "arguments alone, which say how large it is";
    } else if (value.getType().isSignlessIntOrFloat()) {
      argument.type = printType(value.getType());
      unsigned bits = value.getType().getIntOrFloatBitWidth();
      argument.size = llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8));
    } else {
      return mlir::emitError(value.getLoc())
             << "argument '" << argument.name << "' of kernel '"
             << kernel.getName() << "' has type " << value.getType()
             << ", which cannot be passed at a launch; pass !fly.ptr or a "
                "number";
    }
    argument.offset = llvm::alignTo(offset, argument.size);
    offset = argument.offset + argument.size;
    contract.arguments.push_back(std::move(argument));
  }
  return success();
}
