//===- CountersTest.cpp - Counters of several files -----------------------===//
//
// What capture-config asks for must give every figure that the report has; a
// file may not make the collector's memory grow beyond its limit.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/CaptureConfig.h"
#include "fly/Analysis/CounterReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "../Profile/ScratchFolder.h"
#include "gtest/gtest.h"

using namespace fly::analysis;
using llvm::StringRef;

namespace {
constexpr const char *header =
    "Dispatch_Id,Kernel_Name,Counter_Name,Counter_Value\n";

/// A pass that counted \p counters in dispatches 2 to 4, each 100.
std::string passText(const std::vector<std::string> &counters) {
  std::string text = header;
  for (unsigned dispatch = 2; dispatch <= 4; ++dispatch)
    for (const std::string &counter : counters)
      text += llvm::formatv("{0},\"gemm\",\"{1}\",100\n", dispatch, counter);
  return text;
}
} // namespace

TEST(Counters, TellAllFiguresOfWhatCaptureConfigAsksFor) {
  ScratchFolder scratch;
  for (auto [index, job] : llvm::enumerate(counterJobs())) {
    unsigned ofL2 = 0;
    for (StringRef counter : job)
      ofL2 += counter.starts_with("TCC_");
    EXPECT_LE(ofL2, 4u);
    // As rocprofv3 lays the passes of one input out.
    std::string folder = "counters_" + std::to_string(index + 1);
    ASSERT_FALSE(llvm::sys::fs::create_directory(scratch.path(folder)));
    scratch.write(folder + "/out_counter_collection.csv", passText(job));
    // Other formats of a pass hold the same again.
    scratch.write(folder + "/out_results.db", "no database");
  }
  CounterOptions options;
  options.chip = "gfx942";
  options.idealBytes = 100;
  llvm::Expected<CounterReport> report =
      reportCounters({scratch.path()}, options);
  ASSERT_TRUE(bool(report)) << message(report.takeError());
  ASSERT_EQ(report->kernels.size(), 1u);
  EXPECT_TRUE(report->unknown.empty());
  for (const CounterFigure &figure : report->kernels.front().figures) {
    EXPECT_TRUE(figure.value.has_value())
        << figure.name << " is not told without " << figure.notTold;
    EXPECT_FALSE(StringRef(figure.evidence).contains("different runs"))
        << figure.name;
    // 100 of 100 requests; each channel has as many.
    if (figure.name == "fullest channel of the L2") {
      EXPECT_EQ(figure.value, 1.0);
    }
    if (figure.name == "reads from HBM") {
      EXPECT_EQ(figure.value, 100.0);
    }
  }
}

TEST(Counters, AreTakenTogetherWithinARun) {
  ScratchFolder scratch;
  // The device's cycles are in both passes; the busy ones in the second alone,
  // which was slower.
  std::string first =
      scratch.write("a.csv", std::string(header) + "1,k,GRBM_GUI_ACTIVE,1000\n"
                                                   "1,k,TCC_HIT_sum,3\n");
  std::string second = scratch.write(
      "b.csv", std::string(header) + "1,k,GRBM_GUI_ACTIVE,2000\n"
                                     "1,k,SQ_LDS_BANK_CONFLICT,304000\n"
                                     "1,k,TCC_MISS_sum,1\n");
  CounterOptions options;
  options.product = "MI300X"; // 304 units.
  llvm::Expected<CounterReport> report =
      reportCounters({first, second, first}, options);
  ASSERT_TRUE(bool(report)) << message(report.takeError());
  for (const CounterFigure &figure : report->kernels.front().figures) {
    if (figure.name == "LDSBankConflict") {
      EXPECT_EQ(figure.value, 50.0); // 304000 / 2000 / 304
    }
    if (figure.name == "L2 hit rate") {
      EXPECT_EQ(figure.value, 75.0);
      EXPECT_TRUE(contains(figure.evidence, "of different runs"));
    }
  }
}

TEST(Counters, OfProcessesAndDevicesStayApart) {
  ScratchFolder scratch;
  std::string path = scratch.write(
      "c.csv", "Process_Id,Agent_Id,Dispatch_Id,Kernel_Name,Counter_Name,"
               "Counter_Value\n"
               "7,Agent 1,1,k,GRBM_GUI_ACTIVE,100\n"
               "7,Agent 2,1,k,GRBM_GUI_ACTIVE,300\n"
               "8,Agent 1,1,k,GRBM_GUI_ACTIVE,500\n"
               "8,Agent 1,1,k,GRBM_GUI_ACTIVE,400\n");
  llvm::Expected<CounterReport> report = reportCounters({path}, {});
  ASSERT_TRUE(bool(report)) << message(report.takeError());
  // Three dispatches; of the last one's dies the longer.
  const CounterTotal &total =
      report->kernels.front().counters.at("GRBM_GUI_ACTIVE");
  EXPECT_EQ(total.dispatches, 3u);
  EXPECT_EQ(total.value, 900.0);
}

TEST(Counters, NeedBoundedMemory) {
  ScratchFolder scratch;
  // Far instances of many counters cost what their rows do.
  std::string text = header;
  for (unsigned i = 0; i < 2000; ++i)
    text += llvm::formatv("1,k,X{0}[4095],1\n", i);
  llvm::Expected<CounterReport> report =
      reportCounters({scratch.write("far.csv", text)}, {});
  ASSERT_TRUE(bool(report)) << message(report.takeError());
  EXPECT_EQ(report->kernels.front().counters.at("X7").instances,
            (std::vector<std::pair<unsigned, double>>{{4095, 1.0}}));
  // Long names are charged as well.
  std::string longNames = header, name(size_t(3) << 20, 'x');
  for (unsigned i = 0; i < 50; ++i)
    longNames += llvm::formatv("1,{0}{1},A,1\n", name, i);
  EXPECT_TRUE(contains(
      message(reportCounters({scratch.write("long.csv", longNames)}, {})
                  .takeError()),
      "long.csv': its counters, with those of the files before it, need more "
      "than 256 MiB"));
}
