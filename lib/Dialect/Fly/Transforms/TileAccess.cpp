//===- TileAccess.cpp - Where an access of a tile begins ------------------===//
//
// The alignment of a tile's rows follows from the pointer, the offset and
// strides of the view, and the coordinates. What is not known is not assumed,
// and the requirement that would make it known is named.
//
//===----------------------------------------------------------------------===//
#include "TileAccess.h"

#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/Names.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir;
using namespace fly;

/// The widest access of a lane, in bytes.
static constexpr uint64_t kWidestBytes = arch::widestAccessBytes;

/// Elements that end at a multiple of `bytes` first: of 4 bits two a byte, of 6
/// bits four in three bytes.
static uint64_t getElements(uint64_t bytes, uint64_t bits) {
  return std::max<uint64_t>(bytes * 8 / std::gcd(bytes * 8, bits), 1);
}

/// The kernel's argument that a pointer is; null for one that is computed.
static BlockArgument getPointerArgument(Value pointer) {
  auto argument = dyn_cast<BlockArgument>(pointer);
  return argument &&
                 isa<FunctionOpInterface>(argument.getOwner()->getParentOp())
             ? argument
             : BlockArgument();
}

/// Bytes that the pointer is known to be a multiple of; those of an element
/// where it is computed and more is not known.
static uint64_t getPointerBytes(Value pointer, uint64_t elementBytes,
                                const IntegerFacts &facts) {
  if (BlockArgument argument = getPointerArgument(pointer)) {
    auto function =
        cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return std::max<uint64_t>(
        getPointerAlignment(function, argument.getArgNumber()),
        facts.alignment(argument));
  }
  return std::max<uint64_t>(elementBytes, facts.alignment(pointer));
}

/// Elements of the widest access that the pointer itself starts at a multiple
/// of; \p missing gets what would make it more.
static uint64_t provePointer(const TileAccess &access, unsigned bits,
                             const IntegerFacts &facts, RowAlignment &rows,
                             std::string &missing) {
  ViewOp view = access.view;
  Value pointer = view.getPtr();
  uint64_t bytes = std::min(
      kWidestBytes, getPointerBytes(pointer, std::max(bits / 8, 1u), facts));
  if (bytes < kWidestBytes) {
    rows.pointer = getPointerArgument(pointer);
    missing = "; " +
              (rows.pointer ? describeValue(pointer)
                            : std::string("a computed pointer")) +
              " is aligned to " + std::to_string(bytes) + " bytes, without '" +
              FlyDialect::getAlignAttrName().str() + "' to 16";
  }
  return getElements(bytes, bits);
}

RowAlignment fly::getRowAlignment(const TileAccess &access,
                                  IntegerFacts &facts) {
  ViewOp view = access.view;
  ViewType type = view.getType();
  std::optional<unsigned> contiguous = type.getContiguousDim();
  unsigned bits = type.getElementType().getIntOrFloatBitWidth();
  RowAlignment rows;
  rows.elementBits = bits;
  if (!contiguous || bits > kWidestBytes * 8)
    return rows;
  uint64_t most = rows.most = getElements(kWidestBytes, bits);
  std::string missing;
  uint64_t align = provePointer(access, bits, facts, rows, missing);
  if (view.getOffset())
    align = std::gcd(align, facts.divisor(view.getOffset()));
  if (isa_and_nonnull<PreshuffleAttr>(type.getLayout())) {
    // Rows are whole chunks, in which columns count.
    rows.elements = std::gcd(align, facts.divisor(access.coordinates.back()));
    if (rows.elements < most)
      rows.shortfall = llvm::formatv(
          "columns of {0} start at multiples of {1} elements of "
          "a chunk, accesses are of {2} bytes",
          access.describe(), rows.elements, rows.elements * bits / 8);
    return rows;
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
    if (stepsByStride && std::gcd(term, most) < most && !getNumber(inner)) {
      rows.multiples.push_back(inner);
      missing += "; 'fly.require_multiple " + describeValue(inner) + " of " +
                 std::to_string(most) + "' would give 16-byte accesses";
    }
    align = std::gcd(align, term);
  }
  rows.elements = align;
  if (align < most)
    rows.shortfall =
        llvm::formatv("rows of {0} start at multiples of {1} "
                      "elements, accesses are of {2} bytes{3}",
                      access.describe(), align, align * bits / 8, missing);
  return rows;
}
