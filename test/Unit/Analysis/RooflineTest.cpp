// Rooflines with figures worked out by hand.

#include "fly/Analysis/Roofline.h"

#include <gtest/gtest.h>

using namespace fly;
using namespace fly::analysis;

namespace {

Work gemm(int64_t m, int64_t n, int64_t k, const char *type) {
  llvm::Expected<Work> work = makeGemmWork(m, n, k, type);
  EXPECT_TRUE(bool(work));
  return work ? *work : Work();
}

RooflineReport report(const char *product, Work work, double microseconds = 0,
                      std::optional<double> mfmaBusy = {},
                      std::optional<double> bytes = {}) {
  std::optional<Measured> measured;
  if (microseconds)
    measured = Measured{microseconds, "measured", mfmaBusy, {}, bytes};
  llvm::Expected<RooflineReport> result = reportRoofline(
      *arch::lookupProduct(product), std::move(work), std::move(measured));
  EXPECT_TRUE(bool(result));
  return result ? *result : RooflineReport();
}

} // namespace

// T27 (d).
TEST(Roofline, WorkedCase) {
  Work work = gemm(16, 4096, 4096, "fp8");
  EXPECT_EQ(work.flop, 536870912.0);
  EXPECT_EQ(work.bytes, 16990272.0);
  RooflineReport result = report("MI300X", work);
  EXPECT_NEAR(result.intensity(), 31.60, 0.005);
  EXPECT_EQ(result.regime, Regime::Memory);
}

TEST(Roofline, FormulasOfTypes) {
  // 64 x 32 of A and 128 x 32 of B, 64 x 128 of C in two bytes.
  double a = 64 * 32, b = 128 * 32, c = 64 * 128 * 2;
  EXPECT_EQ(gemm(64, 128, 32, "bf16").bytes, 2 * a + 2 * b + c);
  EXPECT_EQ(gemm(64, 128, 32, "i8").bytes, a + b + c + (64 + 128) * 4);
  EXPECT_EQ(gemm(64, 128, 32, "i4").bytes, a + b / 2 + c + (64 + 128) * 4);
  // One group of 128 for each row of B.
  EXPECT_EQ(gemm(64, 128, 32, "bf16_i4").bytes, 2 * a + b / 2 + c + 128 * 2);
  EXPECT_EQ(gemm(64, 128, 32, "mxfp4").bytes,
            a / 2 + b / 2 + c + (64 + 128) * 1);
  EXPECT_EQ(gemm(64, 128, 32, "mxfp6").bytes,
            a * 6 / 8 + b * 6 / 8 + c + (64 + 128) * 1);
  // 33 elements of K have two blocks.
  EXPECT_EQ(gemm(1, 1, 33, "mxfp8").bytes, 33 + 33 + 2 + 2 * 2);
}

TEST(Roofline, RegimesByTime) {
  // 4096^3 of bf16: 137.4 GFLOP, 100.7 MB; 105 us at 1307 TFLOPS, 19 us of
  // memory.
  Work work = gemm(4096, 4096, 4096, "bf16");
  EXPECT_EQ(report("MI300X", work).regime, Regime::Compute);
  RooflineReport fast = report("MI300X", work, 120);
  EXPECT_EQ(fast.regime, Regime::Compute);
  EXPECT_NEAR(fast.computeShare(), 137.438953472e9 / 1307.4e12 / 120e-6, 1e-3);
  EXPECT_EQ(report("MI300X", work, 1000).regime, Regime::Latency);
  // Memory that reaches what reads reach is busy at less than its peak.
  Work narrow = gemm(16, 4096, 4096, "fp8");
  double ideal = narrow.bytes / 5300e3;
  EXPECT_EQ(report("MI300X", narrow, ideal / 0.6).regime, Regime::Memory);
  EXPECT_EQ(report("MI300X", narrow, ideal / 0.5).regime, Regime::Latency);
  // On a product without that figure, by the data sheet alone.
  double other = narrow.bytes / 8000e3;
  EXPECT_EQ(report("MI355X", narrow, other / 0.6).regime, Regime::Latency);
  EXPECT_EQ(report("MI355X", narrow, other / 0.75).regime, Regime::Memory);
  // What is counted goes before what is computed.
  EXPECT_EQ(report("MI300X", narrow, ideal / 0.3, 0.8).regime, Regime::Compute);
  EXPECT_EQ(
      report("MI300X", narrow, ideal / 0.3, 0.1, 2.5 * narrow.bytes).regime,
      Regime::Memory);
}

// A grid for one of 304 compute units: they are idle, whatever that one does.
TEST(Roofline, IdleUnitsAreNoFaultOfTheKernel) {
  Work work = gemm(128, 128, 8192, "bf16");
  auto regimeOf = [&](uint64_t workgroups, unsigned units, double busy) {
    Measured measured{
        110, "simulated", busy, Measured::Grid{workgroups, units}, {}};
    return llvm::cantFail(
        reportRoofline(*arch::lookupProduct("MI300X"), work, measured));
  };
  RooflineReport one = regimeOf(1, 1, 0.57 / 304);
  EXPECT_EQ(one.regime, Regime::Idle);
  EXPECT_NE(one.reason.find("grid of 1 workgroup gives work to 1 of 304"),
            std::string::npos)
      << one.reason;
  // 70 % of the units could reach 70 % of the peak; then waves only wait.
  EXPECT_EQ(regimeOf(212, 212, 0.3).regime, Regime::Idle);
  EXPECT_EQ(regimeOf(213, 213, 0.3).regime, Regime::Latency);
  EXPECT_EQ(regimeOf(304, 304, 0.71).regime, Regime::Compute);
}

TEST(Roofline, ImpossibleIsFlaggedNotClamped) {
  Work work = gemm(4096, 4096, 4096, "bf16");
  RooflineReport result = report("MI300X", work, 50);
  EXPECT_TRUE(result.isImpossible());
  EXPECT_GT(result.computeShare(), 2.0);
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, result);
  EXPECT_NE(text.find("IMPOSSIBLE"), std::string::npos);
  EXPECT_NE(text.find("210."), std::string::npos) << text;
  EXPECT_FALSE(report("MI300X", work, 120).isImpossible());
}

TEST(Roofline, UnknownPeaksAreErrors) {
  // gfx942 has no matrix instruction for 4-bit floats.
  auto result = reportRoofline(*arch::lookupProduct("MI300X"),
                               gemm(64, 64, 64, "mxfp4"), std::nullopt);
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            "MI300X has no matrix instruction for fp4 and fp4, so that there "
            "is no peak to compare with");
  EXPECT_NEAR(*report("MI355X", gemm(64, 64, 64, "mxfp4")).peak, 10066, 1);
  for (auto [m, type] : {std::pair(0, "fp8"), std::pair(1, "fp7")}) {
    auto bad = makeGemmWork(m, 1, 1, type);
    EXPECT_FALSE(bool(bad));
    llvm::consumeError(bad.takeError());
  }
}

TEST(Roofline, PictureHasRoofAndPoints) {
  RooflineReport reports[] = {report("MI300X", gemm(16, 4096, 4096, "fp8"), 10),
                              report("MI300X", gemm(4096, 4096, 4096, "bf16"))};
  reports[1].work.name = "a<b";
  std::string text;
  llvm::raw_string_ostream os(text);
  printSvg(os, reports);
  size_t circles = 0;
  for (size_t at = text.find("<circle"); at != std::string::npos;
       at = text.find("<circle", at + 1))
    ++circles;
  EXPECT_EQ(circles, 3u); // Two roofs, one reached.
  EXPECT_NE(text.find("a&lt;b"), std::string::npos);
  EXPECT_EQ(text.find("nan"), std::string::npos);
}
