//===- Rewrites.cpp - Conversions become accesses of LDS ------------------===//
//
// A conversion that moves elements between lanes stores its tile to its field
// and loads it from there; staged tiles do so apart, at the places where they
// are written and read.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Names.h"

#include "Staging.h"

using namespace mlir;
using namespace fly;
using namespace fly::stage;

/// Why the view of a field has another type: it is that of a tile of other
/// extents in the same bytes.
static constexpr llvm::StringLiteral kReshaped = "reshaped";

namespace {
/// A tile inside of a view.
struct Place {
  Place(OpBuilder &builder, ArrayRef<int64_t> at)
      : coordinates(builder.getI64ArrayAttr(at)),
        inside(
            builder.getDenseBoolArrayAttr(SmallVector<bool>(at.size(), true))) {
  }
  ArrayAttr coordinates;
  DenseBoolArrayAttr inside;
};
} // namespace

static Value loadTile(OpBuilder &builder, Location loc, RankedTensorType type,
                      Value field, ArrayRef<int64_t> at) {
  Place place(builder, at);
  return LoadOp::create(builder, loc, type, field, ValueRange{}, Value(),
                        place.coordinates, Pad::Zero, Cache::Default,
                        StringAttr(), place.inside, IntegerAttr())
      .getResult();
}

static void storeTile(OpBuilder &builder, Location loc, Value tile, Value field,
                      ArrayRef<int64_t> at) {
  Place place(builder, at);
  StoreOp::create(builder, loc, tile, field, ValueRange{}, Value(),
                  place.coordinates, Cache::Default, StringAttr(), place.inside,
                  IntegerAttr());
}

/// The coordinates of a tile that fills its field.
static SmallVector<int64_t, 2> getStart(Type tile) {
  return SmallVector<int64_t, 2>(cast<RankedTensorType>(tile).getRank(), 0);
}

void Staging::rewriteExchanges() {
  unsigned next = slots.size();
  for (const Exchange &exchange : exchanges.moves) {
    Operation *op = exchange.op;
    if (chip)
      remarkExchange(exchange, *chip);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value field = views[next++];
    // Where a tile lies in it, seen as the tile has its extents.
    auto see = [&](const FieldTile &tile) -> Value {
      if (tile.view == exchange.field)
        return field;
      auto as = field.getDefiningOp<LdsFieldOp>();
      OpBuilder beside(as);
      auto view = LdsFieldOp::create(beside, as.getLoc(), tile.view,
                                     as.getLds(), as.getFieldAttr());
      view->setAttr(FlyDialect::getUncheckedAttrName(),
                    builder.getStringAttr(kReshaped));
      return view;
    };
    for (const FieldTile &source : exchange.sources)
      storeTile(builder, loc, op->getOperand(source.operand), see(source),
                source.at);
    op->getResult(0).replaceAllUsesWith(loadTile(
        builder, loc, cast<RankedTensorType>(op->getResult(0).getType()),
        see(exchange.result), exchange.result.at));
    op->erase();
    ++numExchanges;
  }
  for (const ScanExchange &exchange : exchanges.scans) {
    ScanOp op = exchange.op;
    op.getScratchMutable().assign(
        ArrayRef(views).slice(next, exchange.fields.size()));
    next += exchange.fields.size();
    ++numExchanges;
  }
}

void Staging::rewriteConversions() {
  SmallVector<ConvertLayoutOp> writes, reads;
  kernel->walk([&](ConvertLayoutOp op) {
    if (isStaged(op.getSource()))
      reads.push_back(op);
    else if (isStaged(op))
      writes.push_back(op);
  });
  for (ConvertLayoutOp op : reads) {
    OpBuilder builder(op);
    op.replaceAllUsesWith(loadTile(
        builder, op.getLoc(), cast<RankedTensorType>(op.getType()),
        fields[getStaged(op.getSource().getType())], getStart(op.getType())));
    op.erase();
  }
  for (ConvertLayoutOp op : writes) {
    StagedAttr slot = getStaged(op.getType());
    Value field = fields[slot];
    if (asyncLabels.contains(slot.getBuffer()) && turnIntoCopy(op, field)) {
      copied.push_back(op.getSource().getDefiningOp());
      continue;
    }
    OpBuilder builder(op);
    storeTile(builder, op.getLoc(), op.getSource(), field,
              getStart(op.getType()));
  }
}
