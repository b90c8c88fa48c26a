//===- AccessClauses.cpp - What accesses of tiles say in words ------------===//
//
// Refused: words that a clause does not know, with those that it does.
//
//===----------------------------------------------------------------------===//
#include "AccessClauses.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

template <typename Enum>
static ParseResult parseEnumClause(OpAsmParser &parser, StringRef clause,
                                   std::optional<Enum> (*symbolize)(StringRef),
                                   StringRef known,
                                   std::optional<Enum> &value) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalKeyword(&word))
    return parser.emitError(loc)
           << "expected the word of " << clause << ", one of: " << known;
  value = symbolize(word);
  if (value)
    return success();
  return parser.emitError(loc) << "unknown " << clause << " '" << word
                               << "', expected one of: " << known;
}

ParseResult fly::detail::parseAccessClauses(OpAsmParser &parser, bool isRead,
                                            AccessClauses &clauses) {
  MLIRContext *context = parser.getContext();
  while (true) {
    if (isRead && succeeded(parser.parseOptionalKeyword("pad"))) {
      std::optional<Pad> pad;
      if (parseEnumClause<Pad>(parser, "pad", symbolizePad,
                               "zero, one, neg_inf, pos_inf, lowest", pad))
        return failure();
      clauses.pad = PadAttr::get(context, *pad);
    } else if (succeeded(parser.parseOptionalKeyword("cache"))) {
      std::optional<Cache> cache;
      if (parseEnumClause<Cache>(parser, "cache policy", symbolizeCache,
                                 "default, stream", cache))
        return failure();
      clauses.cache = CacheAttr::get(context, *cache);
    } else if (succeeded(parser.parseOptionalKeyword("label"))) {
      if (parser.parseAttribute(clauses.label,
                                parser.getBuilder().getNoneType()))
        return failure();
    } else if (succeeded(parser.parseOptionalKeyword("mask"))) {
      if (parser.parseOperand(clauses.mask.emplace()))
        return failure();
    } else if (succeeded(parser.parseOptionalKeyword("in_bounds"))) {
      clauses.inBounds = dyn_cast_or_null<DenseBoolArrayAttr>(
          DenseBoolArrayAttr::parse(parser, {}));
      if (!clauses.inBounds)
        return failure();
    } else if (succeeded(parser.parseOptionalKeyword("align"))) {
      int64_t align;
      if (parser.parseInteger(align))
        return failure();
      clauses.align = parser.getBuilder().getI64IntegerAttr(align);
    } else {
      return success();
    }
  }
}
