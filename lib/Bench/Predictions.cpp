//===- Predictions.cpp - published GEMMs on the timing model --------------===//
#include "fly/Bench/Predictions.h"

#include "fly/Arch/Products.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "MechanismPairs.h"

using namespace fly;
using namespace fly::bench;
using gen::GemmOptions;

namespace {

/// A published figure; without a tile it is not predicted.
struct Published {
  const char *author;
  const char *in;
  GemmShape shape;
  const char *tile;
  bool isAsync;
  const char *product;
  double teraOps;
  const char *unknown;
};

} // namespace

constexpr GemmShape cube{8192, 8192, 8192};
constexpr GemmShape flat{5120, 5120, 8320};
constexpr GemmShape wide{9728, 8192, 8320};

/// Of FlyDSL, B preshuffled, 1x4 waves, two buffers of A in LDS; the others'
/// tables say types and sizes.
static constexpr Published figures[] = {
    {"FlyDSL", "fp8", flat, "64x256x128", false, "MI325X", 1259, ""},
    {"FlyDSL", "fp8", flat, "64x256x128", false, "MI355X", 1686, ""},
    {"FlyDSL", "fp8", flat, "128x256x128", true, "MI355X", 2122, ""},
    {"FlyDSL", "fp8", cube, "128x256x128", false, "MI325X", 1406, ""},
    {"FlyDSL", "fp8", cube, "128x256x128", false, "MI355X", 2275, ""},
    {"FlyDSL", "fp8", cube, "128x256x128", true, "MI355X", 2599, ""},
    {"FlyDSL", "i8", wide, "64x256x128", false, "MI325X", 1353, ""},
    {"FlyDSL", "i8", wide, "64x256x128", false, "MI355X", 1667, ""},
    {"FlyDSL", "i8", wide, "64x256x128", true, "MI355X", 1767, ""},
    {"FlyDSL", "bf16", flat, "64x256x128", false, "MI325X", 680, ""},
    {"FlyDSL", "bf16", flat, "64x256x128", false, "MI355X", 929, ""},
    {"FlyDSL, 8 waves", "fp8", cube, "", false, "MI355X", 3060,
     "its tile and the loop of its wave groups are not in the table"},
    {"FlyDSL, 4 waves", "fp8", cube, "", false, "MI355X", 2907,
     "its tile and loop are not in the table"},
    {"FlyDSL, 4 waves", "fp4", cube, "", false, "MI355X", 4942,
     "its tile and loop are not in the table"},
    {"HipKittens", "bf16", cube, "", false, "MI325X", 749,
     "its tile and loop are not in the table"},
    {"hipBLASLt", "bf16", cube, "", false, "MI325X", 785,
     "which kernel its tuning takes is not published"},
    {"HipKittens", "bf16", cube, "", false, "MI355X", 1611,
     "its tile and loop are not in the table"},
    {"hipBLASLt", "bf16", cube, "", false, "MI355X", 1575,
     "which kernel its tuning takes is not published"},
    {"AITER", "bf16", cube, "", false, "MI355X", 1591,
     "its assembly's tile and loop are not in the table"},
    {"Triton", "bf16", cube, "", false, "MI355X", 1091,
     "its tile and loop are not in the table"},
    {"HipKittens", "fp8", cube, "", false, "MI355X", 3328,
     "its tile and loop are not in the table"},
    {"hipBLASLt", "fp8", cube, "", false, "MI355X", 3233,
     "which kernel its tuning takes is not published"},
};

static std::string describe(const Published &figure) {
  const GemmShape &shape = figure.shape;
  std::string text = llvm::formatv("{0} {1} {2} x {3} x {4}", figure.author,
                                   figure.in, shape.m, shape.n, shape.k)
                         .str();
  if (*figure.tile)
    text += llvm::formatv(", {0}, {1}", figure.tile,
                          figure.isAsync ? "async" : "sync")
                .str();
  return text;
}

/// The published form of the kernel: 16-bit results, of 8-bit inputs scaled by
/// row and column.
static GemmVariant variantOf(const Published &figure, arch::Chip chip) {
  GemmOptions options = makePreshuffled(makeGemm(chip, figure.in, figure.tile));
  options.out = "bf16";
  if (llvm::StringRef(figure.in) != "bf16")
    options.scales = "row_col";
  return withSchedule(
      options, {std::string("a.copy=") + (figure.isAsync ? "async" : "sync")});
}

static std::optional<arch::ElementType> typeOf(llvm::StringRef in) {
  return llvm::StringSwitch<std::optional<arch::ElementType>>(in)
      .Case("fp8", arch::ElementType::Fp8)
      .Case("i8", arch::ElementType::I8)
      .Case("bf16", arch::ElementType::Bf16)
      .Case("fp4", arch::ElementType::Fp4)
      .Default(std::nullopt);
}

static llvm::Error predict(mlir::MLIRContext &context, const Published &figure,
                           const arch::Product &product, Prediction &row) {
  auto timing = timeGemm(context, variantOf(figure, product.chip), figure.shape,
                         {/*rounds=*/2, product.name});
  if (!timing)
    return timing.takeError();
  const GemmShape &shape = figure.shape;
  double operations = 2.0 * double(shape.m) * double(shape.n) * double(shape.k);
  row.model = operations / ((*timing)->microseconds() * 1e6);
  row.mfmaBusyShare = (*timing)->mfmaBusyShare;
  row.extrapolated = (*timing)->extrapolated;
  return llvm::Error::success();
}

llvm::Expected<std::vector<Prediction>>
fly::bench::predictPublished(mlir::MLIRContext &context,
                             llvm::StringRef match) {
  std::vector<Prediction> rows;
  for (const Published &figure : figures) {
    Prediction row;
    row.kernel = describe(figure);
    row.product = figure.product;
    row.type = figure.in;
    row.published = figure.teraOps;
    row.unknown = figure.unknown;
    if (!llvm::StringRef(row.product + " " + row.kernel).contains(match))
      continue;
    const arch::Product *product = arch::lookupProduct(row.product);
    auto type = typeOf(figure.in);
    if (!product || !type)
      return llvm::createStringError("no product '" + row.product +
                                     "' or type '" + figure.in + "'");
    if (arch::Fact<double> peak = arch::peakTeraOps(*product, *type, *type))
      row.peak = *peak;
    if (row.isPredicted())
      if (llvm::Error error = predict(context, figure, *product, row))
        return std::move(error);
    rows.push_back(row);
  }
  if (rows.empty())
    return llvm::createStringError("no published figure has '" + match +
                                   "' in it");
  return rows;
}

std::vector<PredictedPair>
fly::bench::pairsOf(llvm::ArrayRef<Prediction> rows) {
  std::vector<PredictedPair> pairs;
  for (size_t i = 0; i != rows.size(); ++i)
    for (size_t j = i + 1; j != rows.size(); ++j) {
      const Prediction &a = rows[i], &b = rows[j];
      if (!a.isPredicted() || !b.isPredicted() || a.product != b.product ||
          a.type != b.type || a.published == b.published)
        continue;
      bool isFirst = a.published < b.published;
      pairs.push_back({isFirst ? &a : &b, isFirst ? &b : &a});
    }
  return pairs;
}

static void printPairs(llvm::raw_ostream &os,
                       llvm::ArrayRef<PredictedPair> pairs) {
  if (pairs.empty())
    return;
  os << "which kernel of one product and type is faster\n";
  for (const PredictedPair &pair : pairs)
    os << llvm::formatv("  {0} {1} over {2}: published {3:f1} %, model {4:f1} "
                        "%: {5}\n",
                        pair.faster->product, pair.faster->kernel,
                        pair.slower->kernel, 100 * pair.published(),
                        100 * pair.model(),
                        pair.isRight() ? "right" : "WRONG ORDER");
}

void fly::bench::print(llvm::raw_ostream &os, llvm::ArrayRef<Prediction> rows) {
  unsigned predicted = 0;
  double sum = 0, most = 0;
  os << "10^12 operations a second; the model runs at the peak clock\n";
  for (const Prediction &row : rows) {
    if (!row.isPredicted())
      continue;
    os << llvm::formatv("  {0} {1,-52} published {2,5:f0}  model {3,5:f0}  "
                        "{4,6:f1} %  MFMA busy {5:f0} %\n",
                        row.product, row.kernel, row.published, row.model,
                        100 * row.error(), 100 * row.mfmaBusyShare);
    for (const std::string &line : row.extrapolated)
      os << "           " << line << '\n';
    ++predicted;
    sum += std::abs(row.error());
    most = std::max(most, std::abs(row.error()));
  }
  std::vector<PredictedPair> pairs = pairsOf(rows);
  printPairs(os, pairs);
  os << "not predicted\n";
  for (const Prediction &row : rows)
    if (!row.isPredicted())
      os << llvm::formatv("  {0} {1,-52} published {2,5:f0}  {3}\n",
                          row.product, row.kernel, row.published, row.unknown);
  os << llvm::formatv("\n{0} figures, {1} predicted", rows.size(), predicted);
  if (predicted)
    os << llvm::formatv(", mean error {0:f1} %, largest {1:f1} %",
                        100 * sum / predicted, 100 * most);
  if (!pairs.empty())
    os << llvm::formatv("; {0} orders, {1} right", pairs.size(),
                        llvm::count_if(pairs, [](const PredictedPair &pair) {
                          return pair.isRight();
                        }));
  os << '\n';
}
