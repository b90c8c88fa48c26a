//===- ProveAccess.cpp - What tile accesses need not check ----------------===//
//
// A tile that is known to lie inside its view needs no range checks, and one
// whose rows start at known multiples can be moved 16 bytes at a time. Both are
// proved here, while grid and requirements are still in the IR, and written on
// the access. Nothing is refused: what is not proved takes the careful path,
// and a remark prints the requirement that is missing.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

#include <numeric>

#include "IntegerFacts.h"
#include "PassRemark.h"

namespace fly {
#define GEN_PASS_DEF_FLYPROVEACCESSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

static constexpr llvm::StringLiteral kPass = "fly-prove-access";

/// The widest access of a lane, in bytes.
static constexpr uint64_t kWidestBytes = arch::widestAccessBytes;

namespace {

/// What the proofs need of a load, a store, or another access of a tile.
struct TileAccess {
  Operation *op;
  ViewOp view;
  SmallVector<OpFoldResult> coordinates;
  RankedTensorType tile;
  StringAttr label;

  unsigned rank() const { return coordinates.size(); }
  /// Extent of the tile along dimension `dim` of the view; 1 where the
  /// coordinate picks one index.
  int64_t tileExtent(unsigned dim) const {
    unsigned picked = rank() - tile.getRank();
    return dim < picked ? 1 : tile.getDimSize(dim - picked);
  }
  /// Whether dimension `dim` of the view holds rows given by number, of which
  /// nothing is known.
  bool isByNumber(unsigned dim) const {
    return dim == 0 && isa<GatherOp, ScatterOp>(op);
  }
  std::string describe() const {
    std::string kind = op->getName().stripDialect().str();
    return label ? kind + " '" + label.getValue().str() + "'" : kind;
  }
};

class ProveAccess : public fly::impl::FlyProveAccessPassBase<ProveAccess> {
public:
  void runOnOperation() override;

private:
  template <typename OpT>
  void prove(OpT op, Value tile, IntegerFacts &facts);
  bool proveDimension(const TileAccess &access, unsigned dim,
                      IntegerFacts &facts);
  uint64_t proveAlignment(const TileAccess &access, IntegerFacts &facts);
};

} // namespace

bool ProveAccess::proveDimension(const TileAccess &access, unsigned dim,
                                 IntegerFacts &facts) {
  using Inside = IntegerFacts::Inside;
  ViewOp view = access.view;
  if (access.isByNumber(dim))
    return false;
  OpFoldResult extent = view.getMixedExtents()[dim];
  int64_t tile = access.tileExtent(dim);
  Inside inside =
      facts.isInside(access.op, access.coordinates[dim], tile, extent);
  if (inside == Inside::Proved)
    return true;
  std::string why;
  if (inside == Inside::NeedsMultiple) {
    std::string name = describeValue(extent);
    if (getNumber(extent))
      why = "extent " + name + " is no multiple of " + std::to_string(tile);
    else
      why = "'fly.require_multiple " + name + " of " + std::to_string(tile) +
            "' would prove it";
  } else if (inside == Inside::NeedsAlignedOrigin) {
    why = "the coordinate is no known multiple of " + std::to_string(tile);
  } else {
    why = "nothing bounds the coordinate by the extent";
  }
  remarkMissed(access.op, kPass, "InBounds",
               access.describe() + " is not proved inside dimension " +
                   Twine(dim) + " of its view: " + why);
  return false;
}

/// Elements of the widest access that the pointer itself starts at a multiple
/// of; \p missing gets what would make it more.
static uint64_t provePointer(const TileAccess &access, unsigned bits,
                             std::string &missing) {
  ViewOp view = access.view;
  auto argument = dyn_cast<BlockArgument>(view.getPtr());
  auto kernel = access.op->getParentOfType<gpu::GPUFuncOp>();
  uint64_t bytes = kWidestBytes;
  if (argument && kernel &&
      argument.getOwner() == &kernel.getFunctionBody().front())
    bytes = std::min<uint64_t>(
        bytes, getPointerAlignment(kernel, argument.getArgNumber()));
  if (bytes < kWidestBytes)
    missing = "; " + describeValue(argument) + " is aligned to " +
              std::to_string(bytes) + " bytes, without '" +
              FlyDialect::getAlignAttrName().str() + "' to 16";
  return std::max<uint64_t>(bytes * 8 / bits, 1);
}

/// Elements that every row of the tile starts at a multiple of. A row runs
/// along the contiguous dimension.
uint64_t ProveAccess::proveAlignment(const TileAccess &access,
                                     IntegerFacts &facts) {
  ViewOp view = access.view;
  ViewType type = view.getType();
  std::optional<unsigned> contiguous = type.getContiguousDim();
  unsigned bits = type.getElementType().getIntOrFloatBitWidth();
  if (!contiguous || bits > kWidestBytes * 8)
    return 1;
  uint64_t most = kWidestBytes * 8 / bits;
  std::string missing;
  uint64_t align = provePointer(access, bits, missing);
  if (view.getOffset())
    align = std::gcd(align, facts.divisor(view.getOffset()));
  if (isa_and_nonnull<PreshuffleAttr>(type.getLayout())) {
    // Rows are whole chunks, in which columns count.
    align = std::gcd(align, facts.divisor(access.coordinates.back()));
    if (align < most)
      remarkMissed(access.op, kPass, "Alignment",
                   "columns of " + access.describe() +
                       " start at multiples of " + Twine(align) +
                       " elements of a chunk, accesses are of " +
                       Twine(align * bits / 8) + " bytes");
    return align;
  }
  SmallVector<OpFoldResult> strides = view.getMixedStrides();
  SmallVector<OpFoldResult> extents = view.getMixedExtents();
  for (unsigned dim = 0; dim < access.rank(); ++dim) {
    // Without strides a view is row-major without gaps.
    uint64_t stride = 1;
    OpFoldResult inner;
    if (!strides.empty()) {
      inner = strides[dim];
      stride = facts.divisor(inner);
    } else {
      for (unsigned d = dim + 1; d < access.rank(); ++d) {
        inner = extents[d];
        stride = std::gcd(most, stride) * std::gcd(most, facts.divisor(inner));
      }
    }
    uint64_t coordinate =
        access.isByNumber(dim) ? 1 : facts.divisor(access.coordinates[dim]);
    uint64_t term = coordinate == 0 ? 0 : std::gcd(coordinate, most) * stride;
    bool stepsByStride = dim != *contiguous && access.tileExtent(dim) > 1;
    if (stepsByStride)
      term = std::gcd(term, stride);
    if (stepsByStride && std::gcd(term, most) < most && !getNumber(inner))
      missing += "; 'fly.require_multiple " + describeValue(inner) + " of " +
                 std::to_string(most) + "' would give 16-byte accesses";
    align = std::gcd(align, term);
  }
  if (align < most)
    remarkMissed(access.op, kPass, "Alignment",
                 "rows of " + access.describe() + " start at multiples of " +
                     Twine(align) + " elements, accesses are of " +
                     Twine(align * bits / 8) + " bytes" + missing);
  return align;
}

template <typename OpT>
void ProveAccess::prove(OpT op, Value tile, IntegerFacts &facts) {
  auto view = op.getView().template getDefiningOp<ViewOp>();
  auto type = cast<RankedTensorType>(tile.getType());
  if (!view || !type.hasStaticShape()) {
    remarkMissed(op, kPass, "InBounds",
                 "nothing is proved: the view is not made in this kernel, or "
                 "the tile has names for extents (run fly-instantiate first)");
    return;
  }
  TileAccess access{op, view, op.getMixedCoordinates(), type, StringAttr()};
  if constexpr (!std::is_same_v<OpT, AtomicOp>)
    access.label = op.getLabelAttr();
  if (access.isByNumber(0))
    access.coordinates.insert(access.coordinates.begin(), OpFoldResult());
  SmallVector<bool> inBounds;
  for (unsigned dim = 0; dim < access.rank(); ++dim) {
    bool proved = op.isInBounds(dim) || proveDimension(access, dim, facts);
    inBounds.push_back(proved);
    ++(proved ? numProved : numUnproved);
  }
  uint64_t align = proveAlignment(access, facts);
  if (std::optional<uint64_t> known = op.getAlign())
    align = std::max(align, *known);
  Builder builder(op.getContext());
  op.setInBoundsAttr(builder.getDenseBoolArrayAttr(inBounds));
  op.setAlignAttr(builder.getI64IntegerAttr(align));
}

/// Writes on sums and products of scalars that they do not wrap, where ranges
/// say so: grid and requirements, which they come from, are gone later.
static void markExactSums(gpu::GPUFuncOp kernel, IntegerFacts &facts) {
  auto flags = arith::IntegerOverflowFlagsAttr::get(
      kernel.getContext(), arith::IntegerOverflowFlags::nsw);
  kernel.walk([&](Operation *op) {
    if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) ||
        !isa<IntegerType>(op->getResult(0).getType()) ||
        cast<arith::ArithIntegerOverflowFlagsInterface>(op).hasNoSignedWrap() ||
        facts.mayWrap(op))
      return;
    op->setAttr("overflowFlags", flags);
  });
}

void ProveAccess::runOnOperation() {
  getOperation()->walk([&](gpu::GPUFuncOp kernel) {
    if (!kernel.isKernel() || !hasTiles(kernel))
      return;
    IntegerFacts facts(kernel);
    markExactSums(kernel, facts);
    kernel.walk([&](LoadOp load) { prove(load, load.getTile(), facts); });
    kernel.walk([&](GatherOp load) { prove(load, load.getTile(), facts); });
    kernel.walk([&](StoreOp store) { prove(store, store.getTile(), facts); });
    kernel.walk([&](ScatterOp store) { prove(store, store.getTile(), facts); });
    kernel.walk([&](AtomicOp op) { prove(op, op.getTile(), facts); });
  });
}
