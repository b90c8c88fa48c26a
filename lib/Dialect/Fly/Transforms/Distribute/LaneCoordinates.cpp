//===- LaneCoordinates.cpp - What lanes hold, as values -------------------===//
//
// One dynamic base for each tile and dimension, computed once at the kernel's
// entry, so that address arithmetic leaves the loops.
//
//===----------------------------------------------------------------------===//
#include "LaneCoordinates.h"

#include "fly/Arch/Wave.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

VectorType distribute::getRegisterType(RankedTensorType tile) {
  return VectorType::get(getLaneMap(tile).registers, tile.getElementType());
}

LaneMap distribute::getLaneMap(RankedTensorType tile) {
  return cast<LayoutAttrInterface>(tile.getEncoding())
      .getLaneMap(tile.getShape());
}

OpBuilder LaneCoordinates::atEntry() {
  OpBuilder builder(entry.getParentOp()->getContext());
  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(&entry);
  return builder;
}

Value LaneCoordinates::getSource(LaneTerm::Source source, Location loc) {
  Value &value = sources[source];
  if (value)
    return value;
  OpBuilder builder = atEntry();
  if (source == LaneTerm::Thread)
    value = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  else if (source == LaneTerm::Lane)
    value = LaneOp::create(builder, loc, builder.getIndexType());
  else
    value = WaveOp::create(builder, loc, builder.getIndexType());
  last = value.getDefiningOp();
  return value;
}

Value LaneCoordinates::getConstant(int64_t number, Location loc) {
  Value &value = constants[number];
  if (value)
    return value;
  OpBuilder builder = atEntry();
  value = arith::ConstantIndexOp::create(builder, loc, number);
  last = value.getDefiningOp();
  return value;
}

/// What identifies a term.
static std::array<int64_t, 4> keyOf(const LaneTerm &term) {
  return {int64_t(term.source), term.div, term.mod, term.mul};
}

/// The largest quotient of a term.
static int64_t getMostQuotient(const LaneTerm &term, int64_t threads) {
  int64_t lanes = std::min(threads, arch::waveLanes);
  int64_t most = term.source == LaneTerm::Thread ? threads - 1
                 : term.source == LaneTerm::Lane
                     ? lanes - 1
                     : (threads - 1) / arch::waveLanes;
  return most / term.div;
}

int64_t LaneCoordinates::getMost(const LaneTerm &term) const {
  int64_t most = getMostQuotient(term, threads);
  return (term.mod ? std::min(most, term.mod - 1) : most) * term.mul;
}

Value LaneCoordinates::makeExists(OpBuilder &builder, const LaneMap &map,
                                  int64_t extent, unsigned index, unsigned dim,
                                  Location loc) {
  int64_t tail = map.tails[index][dim], last = tail;
  for (const LaneTerm &term : map.base[dim])
    last += getMost(term);
  if (!map.isPartial(dim) || last < extent)
    return {};
  // The tail goes to the bound, so that registers share the base.
  Value base = getBase(map, dim, loc);
  if (!base)
    base = arith::ConstantIndexOp::create(builder, loc, 0);
  return arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, base,
      arith::ConstantIndexOp::create(builder, loc, extent - tail));
}

LaneTerm LaneCoordinates::simplify(LaneTerm term) const {
  if (getMostQuotient(term, threads) < term.mod)
    term.mod = 0;
  return term;
}

Value LaneCoordinates::getTerm(LaneTerm term, Location loc) {
  Value &value = terms[keyOf(term)];
  if (value)
    return value;
  value = getSource(term.source, loc);
  auto apply = [&](auto tag, int64_t number) {
    Value constant = getConstant(number, loc);
    OpBuilder builder = atEntry();
    value = decltype(tag)::create(builder, loc, value, constant);
    last = value.getDefiningOp();
  };
  if (term.div != 1)
    apply(arith::DivUIOp(), term.div);
  if (term.mod != 0)
    apply(arith::RemUIOp(), term.mod);
  if (term.mul != 1)
    apply(arith::MulIOp(), term.mul);
  return value;
}

Value LaneCoordinates::getBase(const LaneMap &map, unsigned dim, Location loc) {
  Value sum;
  SmallVector<TermKey> summands;
  for (const LaneTerm &original : map.base[dim]) {
    LaneTerm term = simplify(original);
    Value value = getTerm(term, loc);
    summands.push_back(keyOf(term));
    if (!sum) {
      sum = value;
      continue;
    }
    Value &total = sums[summands];
    if (!total) {
      OpBuilder builder = atEntry();
      total = arith::AddIOp::create(builder, loc, sum, value);
      last = total.getDefiningOp();
    }
    sum = total;
  }
  return sum;
}

Value LaneCoordinates::getScaledWave(int64_t scale, Location loc) {
  return getTerm({LaneTerm::Wave, /*div=*/1, /*mod=*/0, scale}, loc);
}

SmallVector<Value, 2> LaneCoordinates::getPlace(ViewType field, int64_t width,
                                                int64_t share, int64_t first,
                                                Location loc) {
  Value offset;
  if (share == arch::waveLanes * width) {
    offset = getTerm({LaneTerm::Thread, /*div=*/1, /*mod=*/0, width}, loc);
  } else {
    Value wave = getScaledWave(share, loc);
    Value lane = getTerm({LaneTerm::Lane, /*div=*/1, /*mod=*/0, width}, loc);
    OpBuilder builder = atEntry();
    offset = arith::AddIOp::create(builder, loc, wave, lane);
    last = offset.getDefiningOp();
  }
  auto apply = [&](auto tag, int64_t number) {
    Value constant = getConstant(number, loc);
    OpBuilder builder = atEntry();
    offset = decltype(tag)::create(builder, loc, offset, constant);
    last = offset.getDefiningOp();
    return offset;
  };
  if (first != 0)
    apply(arith::AddIOp(), first);
  if (auto swizzle = dyn_cast_or_null<SwizzleAttr>(field.getLayout())) {
    OpBuilder builder = atEntry();
    offset = SwizzleOp::create(builder, loc, offset, swizzle);
    last = offset.getDefiningOp();
  }
  int64_t bytes = field.getElementType().getIntOrFloatBitWidth() / 8;
  SmallVector<Value, 2> place(field.getRank());
  Value rest = offset;
  for (unsigned dim = field.getRank(); dim-- > 0;) {
    // Of a row the bytes first: a power of two is shifted away.
    int64_t extent =
        field.getShape()[dim] * (dim + 1 == field.getRank() ? bytes : 1);
    offset = rest;
    if (dim > 0)
      apply(arith::RemUIOp(), extent);
    if (dim + 1 == field.getRank() && bytes > 1)
      apply(arith::ShRUIOp(), llvm::Log2_64(bytes));
    place[dim] = offset;
    offset = rest;
    if (dim > 0)
      rest = apply(arith::DivUIOp(), extent);
  }
  return place;
}

Value LaneCoordinates::getOwner(const LaneMap &map, Location loc) {
  // One bit a lane for each wave: whether no thread before holds the same.
  SmallVector<uint64_t> owners((threads + arch::waveLanes - 1) /
                               arch::waveLanes);
  std::set<SmallVector<int64_t, 2>> held;
  int64_t count = 0;
  for (int64_t thread = 0; thread < threads; ++thread) {
    SmallVector<int64_t, 2> base;
    for (const auto &terms : map.base) {
      base.push_back(0);
      for (const LaneTerm &term : terms)
        base.back() += term.evaluate(thread);
    }
    if (!held.insert(base).second)
      continue;
    owners[thread / arch::waveLanes] |= uint64_t(1)
                                        << (thread % arch::waveLanes);
    ++count;
  }
  if (count == threads)
    return {};
  Value &own = ownerships[owners];
  if (own)
    return own;
  Value lane = getSource(LaneTerm::Lane, loc);
  Value wave = getSource(LaneTerm::Wave, loc);
  OpBuilder builder = atEntry();
  Type i64 = builder.getI64Type();
  auto constant = [&](uint64_t bits) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(bits));
  };
  Value bits = constant(owners.back());
  for (size_t w = owners.size() - 1; w-- > 0;) {
    if (owners[w] == owners[w + 1] &&
        llvm::all_equal(ArrayRef(owners).drop_front(w)))
      continue;
    Value number = arith::ConstantIndexOp::create(builder, loc, w);
    Value is = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                     wave, number);
    bits = arith::SelectOp::create(builder, loc, is, constant(owners[w]), bits);
  }
  Value shift = arith::IndexCastUIOp::create(builder, loc, i64, lane);
  own = arith::TruncIOp::create(
      builder, loc, builder.getI1Type(),
      arith::ShRUIOp::create(builder, loc, bits, shift));
  last = own.getDefiningOp();
  return own;
}
