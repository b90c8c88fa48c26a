//===- Measure.cpp - Errors and instructions of math functions ------------===//
#include "Measure.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

#include "ConversionRun.h"
#include "Samples.h"

using namespace fly;
using namespace fly::mathtable;

static std::string replaceAll(std::string text, llvm::StringRef what,
                              llvm::StringRef with) {
  for (size_t at = 0; (at = text.find(what.str(), at)) != std::string::npos;
       at += with.size())
    text.replace(at, what.size(), with.str());
  return text;
}

/// A kernel that applies `operation` (of %v and %w to the result's name %r) to
/// `width` elements a lane.
static std::string kernel(llvm::StringRef name, llvm::StringRef operation,
                          llvm::StringRef type, unsigned width) {
  std::string value =
      width == 1 ? type.str()
                 : "vector<" + std::to_string(width) + "x" + type.str() + ">";
  std::string text = R"mlir(
  gpu.func @$NAME(%X: !fly.ptr<$T>, %Y: !fly.ptr<$T>, %Z: !fly.ptr<$T>, %n: i32) kernel
      attributes {fly.waves = 4 : i32} {
    %x = fly.view %X[%n] : !fly.view<?x$T>
    %y = fly.view %Y[%n] : !fly.view<?x$T>
    %z = fly.view %Z[%n] : !fly.view<?x$T>
    %width = arith.constant $W : index
    %group = arith.constant $G : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %b0 = arith.muli %b, %group : index
    %t0 = arith.muli %t, %width : index
    %i = arith.addi %b0, %t0 : index
    %v = fly.read %x[%i] in_bounds [true] align $W : !fly.view<?x$T> -> $V
    %w = fly.read %y[%i] in_bounds [true] align $W : !fly.view<?x$T> -> $V
    %r = $OP : $V
    fly.write %r, %z[%i] in_bounds [true] align $W : $V, !fly.view<?x$T>
    gpu.return
  })mlir";
  text = replaceAll(text, "$NAME", name);
  text = replaceAll(text, "$OP", operation);
  text = replaceAll(text, "$V", value);
  text = replaceAll(text, "$T", type);
  text = replaceAll(text, "$W", std::to_string(width));
  return replaceAll(text, "$G", std::to_string(256 * width));
}

static std::string operationOf(const Function &function, bool isApproximate) {
  llvm::StringRef flags = !isApproximate            ? ""
                          : function.name == "divf" ? "fastmath<arcp, afn>"
                                                    : "fastmath<afn>";
  return replaceAll(function.operation.str(), "$F", flags);
}

/// Vector instructions of a kernel in assembly text.
static unsigned countVector(llvm::StringRef assembly, const std::string &name) {
  llvm::StringRef body = assembly.split("\n" + name + ":").second;
  body = body.split("s_endpgm").first;
  unsigned count = 0;
  llvm::SmallVector<llvm::StringRef> lines;
  body.split(lines, '\n');
  for (llvm::StringRef line : lines)
    count += line.trim().starts_with("v_");
  return count;
}

/// A float type's numbers as bits that kernels read.
static std::vector<uint8_t> pack(ElementType type,
                                 llvm::ArrayRef<uint64_t> codes) {
  std::vector<uint8_t> bytes(type.bytesFor(codes.size()));
  for (size_t i = 0; i < codes.size(); ++i)
    type.storeBits(bytes.data(), i, codes[i]);
  return bytes;
}

namespace {
/// The error of results of one type.
class ErrorOf {
public:
  explicit ErrorOf(ElementType type)
      : precision(int(llvm::APFloat::semanticsPrecision(type.semantics()))),
        minExponent(llvm::APFloat::semanticsMinExponent(type.semantics())),
        maxExponent(llvm::APFloat::semanticsMaxExponent(type.semantics())) {}

  /// |got - exact| in units in the last place at `exact`; infinite where one is
  /// no number, or has the wrong sign of zero or infinity, and the other not.
  /// Rounding past the largest number gives infinity, which counts as the next
  /// power of two.
  double ulps(double got, long double exact) const {
    if (std::isnan(got) || std::isnan(exact))
      return std::isnan(got) == std::isnan(exact) ? 0 : INFINITY;
    if (std::signbit(got) != std::signbit(exact) && (got == 0 || exact == 0))
      return INFINITY;
    long double next = ldexpl(1, maxExponent + 1);
    if (std::isinf(got) && std::isinf(exact))
      return got == exact ? 0 : INFINITY;
    if (std::isinf(exact))
      return INFINITY;
    if (std::isinf(got) || fabsl(exact) > next) {
      long double g = std::isinf(got) ? copysignl(next, got) : got;
      long double e = fabsl(exact) > next ? copysignl(next, exact) : exact;
      return double(fabsl(g - e) / ldexpl(1, maxExponent - precision + 1));
    }
    int exponent = exact == 0 ? minExponent : ilogbl(exact);
    exponent = std::max(exponent, minExponent);
    return double(fabsl(got - exact) / ldexpl(1, exponent - precision + 1));
  }
  bool isNormal(long double value) const {
    return std::isfinite(value) && fabsl(value) < ldexpl(1, maxExponent) &&
           fabsl(value) >= ldexpl(1, minExponent);
  }

private:
  int precision, minExponent, maxExponent;
};
} // namespace

/// Whether an `afn` form promises anything at these arguments.
static bool isInDomain(const Function &function, const ErrorOf &error, double x,
                       double y, long double exact) {
  auto fits = [&](double v) {
    return std::abs(v) >= function.lowApproximate &&
           std::abs(v) <= function.highApproximate;
  };
  if (!fits(x) || (function.arguments == 2 && !fits(y)))
    return false;
  // The bare instructions know no negative base.
  if (function.name == "powf" && x < 0)
    return false;
  return error.isNormal(exact) || exact == 0 || std::isnan(exact);
}

static llvm::Error measureErrors(test::ConversionRun &run, ElementType type,
                                 const std::string &kernelName, size_t count,
                                 Measured &measured) {
  const Function &function = *measured.function;
  std::vector<std::vector<uint64_t>> samples =
      makeSamples(function, type, count);
  const std::vector<uint64_t> &xs = samples.front(), &ys = samples.back();
  size_t bytes = type.bytesFor(xs.size());
  uint64_t px = run.buffer(pack(type, xs)), py = run.buffer(pack(type, ys));
  uint64_t pz = run.buffer(std::vector<uint8_t>(bytes));
  std::string failure = run.launch(
      {px, py, pz, xs.size()}, xs.size() / kElementsOfWorkgroup, kernelName);
  if (!failure.empty())
    return llvm::createStringError(kernelName + ": " + failure);
  std::vector<uint8_t> results = run.read<uint8_t>(pz, bytes);
  ErrorOf error(type);
  double largest = -1;
  for (size_t i = 0; i < xs.size(); ++i) {
    double x = type.decode(xs[i]), y = type.decode(ys[i]);
    double got = type.decode(type.loadBits(results.data(), i));
    long double exact = function.exact(x, y);
    if (measured.isApproximate && !isInDomain(function, error, x, y, exact))
      continue;
    double off = error.ulps(got, exact);
    bool isAbsolute = measured.isApproximate && function.isAbsolute;
    if (isAbsolute && std::isfinite(got) && std::isfinite(exact))
      off = double(fabsl(got - exact) /
                   std::max({1.0L, fabsl(exact), (long double)fabs(x)}));
    if (off <= largest)
      continue;
    largest = off;
    (isAbsolute ? measured.absolute : measured.ulp) = off;
    measured.worst = x;
    measured.worstSecond = function.arguments == 2 ? y : 0;
    measured.got = got;
    measured.exact = double(exact);
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<Measured>>
fly::mathtable::measure(llvm::StringRef chip, llvm::StringRef typeName,
                        llvm::StringRef name, size_t samples) {
  llvm::Expected<ElementType> type = ElementType::parse(typeName);
  if (!type)
    return type.takeError();
  std::vector<Measured> rows;
  // Kernels that only copy are taken off the counts.
  std::string body = kernel("copy1", "arith.select %true, %v, %v", typeName, 1);
  body = replaceAll(body, "%r = arith",
                    "%true = arith.constant true\n    "
                    "%r = arith");
  std::string names;
  for (const Function &function : getFunctions())
    for (bool isApproximate : {false, true}) {
      if ((!name.empty() && name != function.name) ||
          (isApproximate && !function.hasApproximation))
        continue;
      Measured &row = rows.emplace_back();
      row.function = &function;
      row.isApproximate = isApproximate;
      row.type = typeName.str();
      std::string operation = operationOf(function, isApproximate);
      std::string id = "f" + std::to_string(rows.size());
      body += kernel(id + "one", operation, typeName, 1);
      body += kernel(id, operation, typeName, 4);
    }
  test::ConversionRun run(test::moduleOf(chip, body));
  if (!run.errors.empty())
    return llvm::createStringError(run.errors);
  unsigned copy = countVector(run.assembly, "copy1");
  for (auto [index, row] : llvm::enumerate(rows)) {
    std::string id = "f" + std::to_string(index + 1);
    row.instructions = countVector(run.assembly, id + "one") - copy;
    if (llvm::Error error = measureErrors(run, *type, id, samples, row))
      return std::move(error);
  }
  return rows;
}
