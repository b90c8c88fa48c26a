//===- GemmSplit.cpp - GEMMs whose workgroups share K ---------------------===//
//
// Deterministic forms store their parts and add them up in a fixed order: by
// the last workgroup of a tile to arrive, which a counter tells, or by a second
// kernel. Coordinates come of maxima and remainders, so that the compiler sees
// that none is negative.
//
//===----------------------------------------------------------------------===//
#include "GemmSplit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace fly::gen;
using llvm::StringRef;

/// Most parts or workers: far beyond the compute units of any device.
static constexpr int64_t kMostParts = 4096;

static llvm::Expected<int64_t> parseParts(StringRef option, StringRef text) {
  int64_t number;
  if (!text.getAsInteger(10, number) && number >= 1 && number <= kMostParts)
    return number;
  return llvm::createStringError("--" + option + "=" + text +
                                 ": expected a number from 1 to " +
                                 llvm::Twine(kMostParts));
}

llvm::Expected<GemmSplit> GemmSplit::parse(StringRef split, StringRef stream,
                                           StringRef type) {
  GemmSplit result;
  result.type = type.str();
  if (!stream.empty()) {
    if (!split.empty())
      return llvm::createStringError(
          "--stream-k and --split-k are two ways to share K: give one");
    auto workers = parseParts("stream-k", stream);
    if (!workers)
      return workers.takeError();
    result.form = Form::Stream;
    result.parts = *workers;
    return result;
  }
  if (split.empty() || split == "1")
    return result;
  auto [number, form] = split.split(':');
  auto parts = parseParts("split-k", number);
  if (!parts)
    return parts.takeError();
  result.parts = *parts;
  if (form.empty() || form == "last")
    result.form = Form::Last;
  else if (form == "two-kernel")
    result.form = Form::TwoKernel;
  else if (form == "atomic")
    result.form = Form::Atomic;
  else
    return llvm::createStringError(
        "--split-k=" + split +
        ": known ways to add up: last, two-kernel, atomic");
  return result;
}

std::string GemmSplit::size() const {
  if (form == Form::None)
    return {};
  return (form == Form::Stream ? "WORKERS = " : "SPLIT = ") +
         std::to_string(parts);
}

StringRef GemmSplit::promise() const {
  switch (form) {
  case Form::None:
    return {};
  case Form::Last:
  case Form::TwoKernel:
  case Form::Stream:
    return "Parts are added in the order of K: the same bits in every run.";
  case Form::Atomic:
    return type == "i32"
               ? "C holds zeros before; integers are the same in every order."
               : "C holds zeros before; parts are added as they come, so sums "
                 "that round\n// may differ from run to run.";
  }
  return {};
}

std::string GemmSplit::instantiate(StringRef text) const {
  std::string result;
  bool isInteger = type == "i32";
  for (auto [before, rest] = text.split('$');;
       std::tie(before, rest) = rest.split('$')) {
    result += before;
    if (rest.consume_front("type"))
      result += type;
    else if (rest.consume_front("zero"))
      result += isInteger ? "0" : "0.0";
    else if (rest.consume_front("add"))
      result += isInteger ? "addi" : "addf";
    else if (rest.consume_front("rank"))
      result += isBatched ? "?x" : "";
    else if (rest.consume_front("batch"))
      result += isBatched ? "%batch, " : "";
    else if (rest.consume_front("at"))
      result += isBatched ? "%z, " : "";
    if (rest.empty())
      return result;
  }
}

std::string GemmSplit::types() const {
  switch (form) {
  case Form::None:
  case Form::Atomic:
    return {};
  case Form::TwoKernel:
    return instantiate("!VP  = !fly.view<$rank?x?x?x$type>\n");
  case Form::Last:
    return instantiate("!VP  = !fly.view<$rank?x?x?x$type>\n"
                       "!VI  = !fly.view<$rank?x?xi32>\n");
  case Form::Stream:
    return instantiate("!VP  = !fly.view<?x?x?x?x$type>\n"
                       "!VI  = !fly.view<?xi32>\n");
  }
  return {};
}

std::string GemmSplit::arguments() const {
  if (form == Form::TwoKernel)
    return instantiate(",\n                 %Part: !fly.ptr<$type>");
  if (form != Form::Last && form != Form::Stream)
    return {};
  return instantiate(
      ",\n                 %Part: !fly.ptr<$type> {fly.workspace}, "
      "%Count: !fly.ptr<i32> {fly.workspace = \"zeroed\"}");
}

static constexpr StringRef kStreamBefore = R"(
    %workers = fly.size WORKERS
    %tiles = arith.muli %gm, %gn : i32
    %part = fly.view %Part[WORKERS, 2, BM, BN] : !VP
    %cnt = fly.view %Count[%tiles] : !VI
    %worker = fly.grid to (WORKERS) step (1)

    // The iterations of all tiles in a row, at least one a tile; each worker
    // has a contiguous part of them.
    %k0 = arith.maxsi %K, %c1 : i32
    %kt = arith.ceildivui %k0, %bk : i32
    %tiles64 = arith.extui %tiles : i32 to i64
    %kt64 = arith.extui %kt : i32 to i64
    %all64 = arith.muli %tiles64, %kt64 : i64
    %most = arith.constant 2147000000 : i64
    %fits = arith.cmpi sle, %all64, %most : i64
    fly.require %fits, "tiles of C times tiles of K must be at most 2147000000"
    %all = arith.muli %tiles, %kt : i32
    %each = arith.ceildivui %all, %workers : i32
    %begin = arith.muli %worker, %each : i32
    %end = arith.addi %begin, %each : i32
    %stop = arith.minui %end, %all : i32
    %t0 = arith.divui %begin, %kt : i32
    %t1 = arith.ceildivui %stop, %kt : i32
    scf.for %t = %t0 to %t1 step %c1 : i32 {
      %row = arith.divui %t, %gn : i32
      %im = arith.remui %row, %gm : i32
      %in = arith.remui %t, %gn : i32
      %m = arith.muli %im, %bm : i32
      %n = arith.muli %in, %bn : i32
      // This worker's iterations of the tile, and the workers that have some.
      %first = arith.muli %t, %kt : i32
      %past = arith.addi %first, %kt : i32
      %from = arith.maxui %begin, %first : i32
      %to = arith.minui %stop, %past : i32
      %i0 = arith.subi %from, %first : i32
      %i1 = arith.subi %to, %first : i32
      %i2 = arith.remui %i0, %kt : i32
      %lo = arith.muli %i2, %bk : i32
      %i3 = arith.muli %i1, %bk : i32
      %hi = arith.minsi %i3, %K : i32
      %w0 = arith.divui %first, %each : i32
      %final = arith.subi %past, %c1 : i32
      %w1 = arith.divui %final, %each : i32
      %others = arith.subi %w1, %w0 : i32
)";

static constexpr StringRef kStreamAfter = R"(
      %alone = arith.cmpi eq, %others, %c0 : i32
      %sum, %done = scf.if %alone -> (!Acc, i1) {
        scf.yield %acc, %alone : !Acc, i1
      } else {
        // A worker shares its first tile, and its last one if that is another.
        %isOther = arith.cmpi ne, %t, %t0 : i32
        %slot = arith.extui %isOther : i1 to i32
        fly.store %acc, %part[%worker, %slot, 0, 0] : !Acc, !VP
        %old = fly.atomic_rmw add %c1, %cnt[%t] acq_rel agent : !VI
        %last = arith.cmpi eq, %old, %others : i32
        %total = scf.if %last -> (!Acc) {
          %r = fly.atomic_rmw xchg %c0, %cnt[%t] relaxed agent : !VI
          %w2 = arith.addi %w1, %c1 : i32
          // In the order of workers: the same in every run.
          %adding = scf.for %i = %w0 to %w2 step %c1 iter_args(%x = %zero) -> (!Acc) : i32 {
            %its = arith.muli %i, %each : i32
            %at = arith.divui %its, %kt : i32
            %isLater = arith.cmpi ne, %at, %t : i32
            %in1 = arith.extui %isLater : i1 to i32
            %p = fly.load %part[%i, %in1, 0, 0] : !VP -> !Acc
            %y = arith.$add %x, %p : !Acc
            scf.yield %y : !Acc
          }
          scf.yield %adding : !Acc
        } else {
          scf.yield %zero : !Acc
        }
        scf.yield %total, %last : !Acc, i1
      }
      scf.if %done {
)";

/// A workgroup for each tile of C.
static StringRef getTileGrid(bool isBatched) {
  return isBatched ? "    %z, %m, %n = fly.grid to (%batch, %M, %N) step (1, "
                     "BM, BN)\n"
                   : "    %m, %n = fly.grid to (%M, %N) step (BM, BN)\n";
}

static constexpr StringRef kGrid = R"(
    %m, %n, %share = fly.grid to (%M, %N, SPLIT) step (BM, BN, 1)
)";

/// A grid has three dimensions, so the parts of all products are one of them.
static constexpr StringRef kBatchedGrid = R"(
    %batch64 = arith.extsi %batch : i32 to i64
    %split64 = arith.extui %split : i32 to i64
    %all64 = arith.muli %batch64, %split64 : i64
    %most = arith.constant 2147483647 : i64
    %fits = arith.cmpi sle, %all64, %most : i64
    fly.require %fits, "products of the batch times parts of K must be at most 2147483647"
    %shares = arith.muli %batch, %split : i32
    %g, %m, %n = fly.grid to (%shares, %M, %N) step (1, BM, BN)
    %z = arith.divui %g, %split : i32
    %share = arith.remui %g, %split : i32
)";

std::string GemmSplit::before() const {
  if (form == Form::None)
    return instantiate(getTileGrid(isBatched).str() +
                       "\n    %zero = fly.constant $zero : !Acc\n");
  std::string text = R"(    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %bm = fly.size BM
    %bn = fly.size BN
    %bk = fly.size BK
    %zero = fly.constant $zero : !Acc
    %gm0 = arith.ceildivui %M, %bm : i32
    %gn0 = arith.ceildivui %N, %bn : i32
    %gm = arith.maxsi %gm0, %c1 : i32
    %gn = arith.maxsi %gn0, %c1 : i32)";
  if (form == Form::Stream)
    return instantiate(text + kStreamBefore.str());
  text += "\n    %split = fly.size SPLIT";
  if (form == Form::Last || form == Form::TwoKernel)
    text += "\n    %part = fly.view %Part[$batchSPLIT, %M, %N] : !VP";
  if (form == Form::Last)
    text += "\n    %cnt = fly.view %Count[$batch%gm, %gn] : !VI";
  text += isBatched ? kBatchedGrid : kGrid;
  text += R"(
    // Whole tiles of K for each workgroup, none where there are fewer of them.
    %k0 = arith.maxsi %K, %c0 : i32
    %kt = arith.ceildivui %k0, %bk : i32
    %each = arith.ceildivui %kt, %split : i32
    %from = arith.muli %share, %each : i32
    %i0 = arith.minsi %from, %kt : i32
    %to = arith.addi %i0, %each : i32
    %i1 = arith.minsi %to, %kt : i32
    %lo = arith.muli %i0, %bk : i32
    %end = arith.muli %i1, %bk : i32
    %hi = arith.minsi %end, %K : i32
)";
  return instantiate(text);
}

std::string GemmSplit::bounds() const {
  return form == Form::None ? "0 to %K" : "%lo to %hi";
}

std::string GemmSplit::after() const {
  switch (form) {
  case Form::None:
    return {};
  case Form::Atomic:
    return instantiate(
        "    fly.atomic add %acc, %c[$at%m, %n] relaxed agent : !Acc, !VC\n");
  case Form::TwoKernel:
    return instantiate(
        "    fly.store %acc, %part[$at%share, %m, %n] : !Acc, !VP\n");
  case Form::Stream:
    return instantiate(kStreamAfter.substr(1));
  case Form::Last:
    return instantiate(
        R"(    fly.store %acc, %part[$at%share, %m, %n] : !Acc, !VP
    %im = arith.divui %m, %bm : i32
    %in = arith.divui %n, %bn : i32
    %old = fly.atomic_rmw add %c1, %cnt[$at%im, %in] acq_rel agent : !VI
    %others = arith.subi %split, %c1 : i32
    %last = arith.cmpi eq, %old, %others : i32
    scf.if %last {
      // In the order of parts: the same in every run.
      %sum = scf.for %i = %c0 to %split step %c1 iter_args(%x = %zero) -> (!Acc) : i32 {
        %p = fly.load %part[$at%i, %m, %n] : !VP -> !Acc
        %y = arith.$add %x, %p : !Acc
        scf.yield %y : !Acc
      }
      %r = fly.atomic_rmw xchg %c0, %cnt[$at%im, %in] relaxed agent : !VI
)");
  }
  return {};
}

std::string GemmSplit::close() const {
  if (form == Form::Last)
    return "    }\n";
  return form == Form::Stream ? "      }\n    }\n" : "";
}

unsigned GemmSplit::epilogueIndent() const {
  return form == Form::Last ? 2 : form == Form::Stream ? 4 : 0;
}

StringRef GemmSplit::result() const {
  switch (form) {
  case Form::None:
    return "%acc";
  case Form::Last:
  case Form::Stream:
    return "%sum";
  case Form::TwoKernel:
  case Form::Atomic:
    return {};
  }
  return {};
}

std::string GemmSplit::sum() const {
  return instantiate(R"(    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %split = fly.size SPLIT
    %part = fly.view %Part[$batchSPLIT, %M, %N] : !VP
)" + getTileGrid(isBatched).str() +
                     R"(    %zero = fly.constant $zero : !Acc
    // In the order of parts: the same in every run.
    %sum = scf.for %i = %c0 to %split step %c1 iter_args(%x = %zero) -> (!Acc) : i32 {
      %p = fly.load %part[$at%i, %m, %n] : !VP -> !Acc
      %y = arith.$add %x, %p : !Acc
      scf.yield %y : !Acc
    }
)");
}
