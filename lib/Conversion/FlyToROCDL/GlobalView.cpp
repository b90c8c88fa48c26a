//===- GlobalView.cpp - A view as a buffer resource -----------------------===//
//
// What the accesses of a view share, made once where the fly.view stands: base
// pointer, extents and strides in 32 bits, and the resource whose range is the
// bytes of the view. A resource lies in scalar registers: a view whose extents,
// strides or offset differ between lanes has none. Strides must not be
// negative.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"

#include "Accesses.h"

using namespace mlir;
using namespace fly;

/// Ranges are cut here, a whole number of dwords below the offset that stands
/// for outside. A tile's offsets stay below 2^31 (a requirement of the launch
/// contract).
static constexpr uint32_t maxRecordsBytes = 0x7ffffffc;

FailureOr<GlobalAccessLowering::View *>
GlobalAccessLowering::resolve(Operation *access, Value value) {
  auto op = value.getDefiningOp<ViewOp>();
  if (!op)
    return access->emitOpError()
           << "needs a view made by fly.view or fly.lds.field, got one that "
              "control flow hands on";
  ViewType type = op.getType();
  bool isPreshuffled = isa_and_nonnull<PreshuffleAttr>(type.getLayout());
  if (isPreshuffled && (type.getRank() != 2 || !isa<ReadOp, WriteOp>(access)))
    return access->emitOpError()
           << "cannot be compiled for " << type
           << ": preshuffled views of rank 2 are, for reads and writes of "
              "lanes";
  std::unique_ptr<View> &view = views[op];
  if (view)
    return view.get();

  OpBuilder builder(op);
  Location loc = op.getLoc();
  I32Builder i32(builder, loc);
  unsigned elementBytes = getElementBytes(type.getElementType());
  view = std::make_unique<View>();
  view->op = op;
  for (Value operand : op->getOperands())
    view->isPerLane |=
        !isa<PtrType>(operand.getType()) && !uniformity.isUniform(operand);
  if (isPreshuffled && view->isPerLane)
    return op.emitOpError() << "has an extent or offset that differs between "
                               "lanes, which preshuffled views must not";
  for (OpFoldResult extent : op.getMixedExtents())
    view->extents.push_back(i32.get(extent));
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  view->strides.resize(type.getRank());
  for (unsigned dim = type.getRank(); dim-- > 0;) {
    if (!strides.empty())
      view->strides[dim] = i32.get(strides[dim]);
    else if (dim + 1 == type.getRank())
      view->strides[dim] = i32.constant(1);
    else
      view->strides[dim] =
          i32.mul(view->strides[dim + 1], view->extents[dim + 1]);
    APInt number;
    if (matchPattern(view->strides[dim], m_ConstantInt(&number)) &&
        number.isNegative())
      return op.emitOpError()
             << "has the stride " << number.getSExtValue() << " in dimension "
             << dim << "; strides must not be negative";
  }

  auto pointerType = LLVM::LLVMPointerType::get(op.getContext(), 1);
  view->base =
      UnrealizedConversionCastOp::create(builder, loc, pointerType, op.getPtr())
          .getResult(0);
  if (op.getOffset()) {
    Value scale = arith::ConstantIntOp::create(
        builder, loc, builder.getI64Type(), elementBytes);
    Value bytes =
        builder.createOrFold<arith::MulIOp>(loc, op.getOffset(), scale);
    view->base =
        LLVM::GEPOp::create(builder, loc, pointerType, builder.getI8Type(),
                            view->base, ArrayRef<LLVM::GEPArg>{bytes});
  }
  if (!view->isPerLane)
    view->recordsBytes = buildRecords(*view, i32);
  return view.get();
}

/// The bytes from a view's first to behind its last element, in 32 bits: 0 for
/// empty views, cut at maxRecordsBytes.
Value GlobalAccessLowering::buildRecords(View &view, I32Builder &i32) {
  OpBuilder &builder = i32.builder;
  Location loc = i32.loc;
  Type i64 = builder.getI64Type();
  auto wide = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, i64, value);
  };
  auto extend = [&](Value value) {
    return builder.createOrFold<arith::ExtSIOp>(loc, i64, value);
  };
  Value last = wide(0);
  for (auto [extent, stride] : llvm::zip_equal(view.extents, view.strides)) {
    Value steps =
        builder.createOrFold<arith::SubIOp>(loc, extend(extent), wide(1));
    Value product =
        builder.createOrFold<arith::MulIOp>(loc, steps, extend(stride));
    last = builder.createOrFold<arith::AddIOp>(loc, last, product);
  }
  unsigned elementBytes = getElementBytes(view.op.getType().getElementType());
  Value elements = builder.createOrFold<arith::AddIOp>(loc, last, wide(1));
  Value bytes =
      builder.createOrFold<arith::MulIOp>(loc, elements, wide(elementBytes));
  // Clamped with 32-bit comparisons: scalar units have no 64-bit ones.
  Type i32Type = builder.getI32Type();
  Value low = builder.createOrFold<arith::TruncIOp>(loc, i32Type, bytes);
  Value high = builder.createOrFold<arith::TruncIOp>(
      loc, i32Type, builder.createOrFold<arith::ShRUIOp>(loc, bytes, wide(32)));
  Value top = builder.createOrFold<arith::ShRUIOp>(loc, low, i32.constant(31));
  Value excess = builder.createOrFold<arith::OrIOp>(loc, high, top);
  Value tooLarge = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ne, excess, i32.constant(0));
  Value empty = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::slt, high, i32.constant(0));
  Value cut = builder.createOrFold<arith::SelectOp>(
      loc, tooLarge, i32.constant(maxRecordsBytes), low);
  return builder.createOrFold<arith::SelectOp>(loc, empty, i32.constant(0),
                                               cut);
}

Value GlobalAccessLowering::getResource(View &view, unsigned granule) {
  Value &resource = view.resources[granule];
  if (resource)
    return resource;
  OpBuilder builder(view.op);
  Location loc = view.op.getLoc();
  I32Builder i32(builder, loc);
  Value records = view.recordsBytes;
  if (granule > 1) {
    // What holds the view's last element would count as outside. Not more than
    // that: the next row begins at the next granule.
    records = builder.createOrFold<arith::AndIOp>(
        loc, i32.add(records, i32.constant(granule - 1)),
        i32.constant(~int64_t(granule - 1)));
    // 0x7ffffffd and up were cut before, so the sum does not wrap.
  }
  Value stride =
      arith::ConstantIntOp::create(builder, loc, builder.getIntegerType(16), 0);
  Value range =
      builder.createOrFold<arith::ExtUIOp>(loc, builder.getI64Type(), records);
  resource = ROCDL::MakeBufferRsrcOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), 8),
      view.base, stride, range, i32.constant(*arch.buffer.word3));
  return resource;
}

/// Whether coordinates at or beyond the extent of `dim` have offsets at or
/// beyond the resource's range, for any inside coordinates elsewhere.
bool GlobalAccessLowering::coversByRange(View &view, unsigned dim) {
  ViewType type = view.op.getType();
  bool rowMajor = view.op.getMixedStrides().empty();
  if (rowMajor)
    return dim == 0;
  APInt stride;
  auto constantOf = [](Value value) -> std::optional<int64_t> {
    APInt number;
    if (matchPattern(value, m_ConstantInt(&number)))
      return number.getSExtValue();
    return std::nullopt;
  };
  std::optional<int64_t> own = constantOf(view.strides[dim]);
  if (type.getRank() == 1)
    return own && *own >= 1;
  if (type.getRank() != 2)
    return false;
  unsigned other = 1 - dim;
  if (constantOf(view.strides[other]) != 1)
    return false;
  // A row must be at least as long as its extent, or rows overlap.
  if (view.strides[dim] == view.extents[other])
    return true;
  std::optional<int64_t> extent = constantOf(view.extents[other]);
  return own && extent && *own >= *extent;
}

/// Whether the view's range is known to be whole dwords.
bool GlobalAccessLowering::endsAtDword(View &view) {
  ViewType type = view.op.getType();
  uint64_t elementBytes = getElementBytes(type.getElementType());
  std::optional<unsigned> contiguous = type.getContiguousDim();
  for (auto [dim, pair] :
       llvm::enumerate(llvm::zip_equal(view.extents, view.strides))) {
    auto [extent, stride] = pair;
    uint64_t divisor =
        dim == contiguous ? knownDivisor(extent) : knownDivisor(stride);
    if (divisor * elementBytes % 4 != 0)
      return false;
  }
  return contiguous || elementBytes % 4 == 0;
}
