//===- Verdict.cpp - What a launch showed, printed ------------------------===//
#include "Verdict.h"

#include "fly/Arch/Products.h"
#include "fly/Reports/Timing/TimingReport.h"
#include "fly/Support/Samples.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <map>

using namespace fly;
using namespace fly::tools;

/// "grid 40x20 = 800 workgroups of 256; 608 at a time on MI300X: 1.32 rounds,
/// the last one 32 % full".
static void printGrid(llvm::raw_ostream &os, const LoadedKernel &kernel,
                      const LaunchRecord &record) {
  const launch::LaunchSize &size = record.size;
  uint64_t count = 1, threads = 1;
  std::string shape;
  for (unsigned dim = 0; dim < 3; ++dim) {
    count *= size.workgroups[dim];
    threads *= size.workgroupSize[dim];
    if (dim == 0 || size.workgroups[dim] != 1)
      shape += (dim ? "x" : "") + std::to_string(size.workgroups[dim]);
  }
  os << "  grid " << shape;
  if (shape != std::to_string(count))
    os << " = " << count;
  os << (count == 1 ? " workgroup" : " workgroups");
  const reports::KernelReport *report = kernel.report(record);
  if (!report) {
    os << '\n';
    return;
  }
  os << " of " << threads;
  const arch::ArchInfo *arch = arch::ArchInfo::lookup(kernel.chip());
  const arch::Product *product =
      arch ? arch::defaultProduct(arch->chip) : nullptr;
  if (product && product->computeUnits && report->workgroupsPerCu && count) {
    uint64_t atOnce =
        uint64_t(*product->computeUnits) * report->workgroupsPerCu;
    if (count <= atOnce) {
      os << llvm::formatv("; all at once, {0} would fit on {1}", atOnce,
                          product->name);
    } else {
      uint64_t last = count % atOnce ? count % atOnce : atOnce;
      os << llvm::formatv("; {0} at a time on {1}: {2:f2} rounds, the last one "
                          "{3} % full",
                          atOnce, product->name, double(count) / double(atOnce),
                          (last * 100 + atOnce / 2) / atOnce);
    }
  }
  os << '\n';
}

/// What the simulator counted, and what it looked for.
static void printSimulated(llvm::raw_ostream &os, const sim::Result &result) {
  os << "  simulated " << result.instructions << " instructions of "
     << result.waves << " waves\n";
  if (result.bufferReadsOutOfRange || result.bufferWritesDropped)
    os << "  outside of buffers: " << result.bufferReadsOutOfRange
       << " elements read as 0, " << result.bufferWritesDropped
       << " not written\n";
  if (!result.checked.empty())
    os << "  checked: " << result.checked.names() << '\n';
}

/// What a GPU took.
static void printMeasured(llvm::raw_ostream &os, const launch::GpuRun &run,
                          const launch::GpuOptions &options) {
  os << "  on " << run.device;
  if (!run.microseconds.empty()) {
    auto [least, most] =
        std::minmax_element(run.microseconds.begin(), run.microseconds.end());
    os << llvm::formatv(": {0:f2} us, the median of {1} launches ({2:f2} to "
                        "{3:f2}) after {4}, on {5} {6} of the buffers in turn",
                        getMedian(run.microseconds), run.microseconds.size(),
                        *least, *most, options.warmup, run.copies,
                        run.copies == 1 ? "copy" : "copies");
  }
  os << '\n';
}

/// Launches of one kernel in one size are told once, with what they did
/// together: a loop of a program may have thousands.
static std::vector<std::pair<LaunchRecord, unsigned>>
countLaunches(llvm::ArrayRef<LaunchRecord> records) {
  std::vector<std::pair<LaunchRecord, unsigned>> counted;
  std::map<std::tuple<std::string, std::array<uint32_t, 3>, uint64_t>, size_t>
      places;
  for (const LaunchRecord &record : records) {
    auto [place, isNew] = places.try_emplace(
        {record.kernel, record.size.workgroups, record.size.dynamicLdsBytes},
        counted.size());
    if (isNew) {
      counted.emplace_back(record, 1);
      continue;
    }
    auto &[first, times] = counted[place->second];
    ++times;
    if (first.result && record.result)
      *first.result += *record.result;
  }
  return counted;
}

void fly::tools::printText(llvm::raw_ostream &os, const LoadedKernel &kernel,
                           const RunRequest &request, const Verdict &verdict) {
  os << kernel.name() << "  " << kernel.chip() << "  ";
  if (verdict.isWrong())
    os << "wrong";
  else if (!verdict.isRight())
    os << "not judged";
  else if (verdict.comparisons.empty())
    os << (kernel.isExplicitIr() && request.checkReference
               ? "ran (no reference for explicit kernels: compare by --expect "
                 "or --against)"
               : "ran (nothing to compare with)");
  else
    os << "right";
  if (!verdict.isWrong() && verdict.comparisons.size() == 1) {
    const ComparedBuffer &only = verdict.comparisons.front();
    os << " (" << launch::summarize(only.comparison, only.tolerance) << ')';
  }
  os << '\n';
  if (verdict.isWrong() || verdict.comparisons.size() > 1)
    for (const ComparedBuffer &compared : verdict.comparisons)
      os << "  "
         << launch::describe(compared.comparison, compared.name,
                             compared.tolerance)
         << " (against " << compared.with
         << (compared.isExactExpectation && !compared.comparison.isRight()
                 ? ", exactly; append ,atol=NUMBER or ,rtol=NUMBER to --expect "
                   "to allow a difference)\n"
                 : ")\n");
  for (const ComparedBuffer &compared : verdict.comparisons)
    if (compared.neverWritten)
      os << "  " << compared.name << ": " << compared.neverWritten << " of "
         << compared.comparison.total << " elements were never written\n";
  for (const ComparedBuffer &compared : verdict.comparisons)
    for (const std::string &line :
         launch::describeWeakness(compared.comparison, compared.name))
      os << "  " << line << '\n';
  for (const std::string &error :
       {verdict.guardError, verdict.workspaceError, verdict.assertError})
    if (!error.empty())
      os << "  " << error << '\n';
  for (const sim::Finding &finding : verdict.findings) {
    os << "  " << finding.message;
    if (finding.count > 1)
      os << "; " << finding.count << " times";
    os << '\n';
  }
  for (const auto &[record, times] : countLaunches(kernel.launches())) {
    if (kernel.isProgram())
      os << record.kernel;
    if (times > 1)
      os << ", " << times << " launches";
    if (kernel.isProgram())
      os << ":\n";
    printGrid(os, kernel, record);
    if (const reports::KernelReport *report = kernel.report(record))
      reports::print(os, *report);
    if (record.gpu)
      printMeasured(os, *record.gpu, request.gpu);
    if (record.result)
      printSimulated(os, *record.result);
    if (record.result && record.result->timing) {
      if (times > 1)
        os << "  time of the first of these launches:\n";
      reports::print(os, *record.result->timing);
    }
  }
}

static llvm::json::Value toJSON(const launch::Difference &difference) {
  llvm::json::Array coordinates;
  for (int64_t coordinate : difference.coordinates)
    coordinates.push_back(coordinate);
  // JSON has no NaN: numbers that are none travel as text.
  auto number = [](double value) -> llvm::json::Value {
    if (std::isfinite(value))
      return value;
    return llvm::formatv("{0}", value).str();
  };
  return llvm::json::Object{{"at", std::move(coordinates)},
                            {"got", number(difference.got)},
                            {"expected", number(difference.expected)}};
}

static llvm::json::Value toJSON(const sim::Finding &finding) {
  llvm::json::Object entry{{"check", sim::checkName(finding.check)},
                           {"workgroup", llvm::json::Array(finding.workgroup)},
                           {"wave", finding.wave},
                           {"pc", finding.pc},
                           {"instruction", finding.instruction},
                           {"count", finding.count},
                           {"message", finding.message}};
  if (!finding.source.empty())
    entry["source"] = finding.source;
  if (finding.lane >= 0)
    entry["lane"] = finding.lane;
  if (finding.otherPc) {
    entry["other_pc"] = *finding.otherPc;
    entry["other_instruction"] = finding.otherInstruction;
  }
  return entry;
}

/// What a GPU took; null times where nothing was timed.
static llvm::json::Value toJSON(const launch::GpuRun &run,
                                const launch::GpuOptions &options) {
  llvm::json::Object object{
      {"device_name", llvm::json::fixUTF8(run.device)},
      {"microseconds", nullptr},
      {"samples_us", llvm::json::Array(run.microseconds)}};
  // "AMD Instinct MI300X": what the machine's peaks are found by.
  for (const arch::Product &product : arch::products())
    if (llvm::StringRef(run.device).contains(product.name))
      object["product"] = product.name;
  if (!run.microseconds.empty()) {
    object["microseconds"] = getMedian(run.microseconds);
    object["warmup"] = options.warmup;
    object["rotate"] = run.copies;
  }
  return object;
}

/// Grid, resources and counts of one launch.
static void addLaunch(llvm::json::Object &object, const LoadedKernel &kernel,
                      const LaunchRecord &record,
                      const launch::GpuOptions &options) {
  auto extents = [](const std::array<uint32_t, 3> &e) {
    return llvm::json::Array{e[0], e[1], e[2]};
  };
  object["grid"] = extents(record.size.workgroups);
  if (const reports::KernelReport *report = kernel.report(record)) {
    reports::ObjectReport only{kernel.chip(), {*report}};
    object["resources"] =
        std::move(*reports::toJSON(only).getAsObject()->getArray("kernels"))[0];
  }
  if (!record.result && !record.gpu)
    return; // The reference, which has no work items.
  object["workgroup_size"] = extents(record.size.workgroupSize);
  if (record.gpu) {
    object["timing"] = toJSON(*record.gpu, options);
    return;
  }
  object["simulated"] = llvm::json::Object{
      {"instructions", record.result->instructions},
      {"waves", record.result->waves},
      {"barriers", record.result->barriers},
      {"buffer_reads_outside", record.result->bufferReadsOutOfRange},
      {"buffer_writes_dropped", record.result->bufferWritesDropped}};
  llvm::json::Array checked, findings;
  for (unsigned i = 0; i != sim::checkCount; ++i)
    if (record.result->checked.has(sim::Check(i)))
      checked.push_back(sim::checkName(sim::Check(i)));
  for (const sim::Finding &finding : record.result->findings)
    findings.push_back(toJSON(finding));
  object["checked"] = std::move(checked);
  object["findings"] = std::move(findings);
  if (record.result->timing)
    object["timing"] = reports::toJSON(*record.result->timing);
}

/// "sim", "hsa", "hsa:1": what --device says.
static std::string nameOf(const RunRequest &request) {
  switch (request.device) {
  case Device::Reference:
    return "reference";
  case Device::Simulator:
    return "sim";
  case Device::Gpu:
    break;
  }
  unsigned number = request.gpu.device;
  return number ? "hsa:" + std::to_string(number) : "hsa";
}

void fly::tools::printJson(llvm::raw_ostream &os, const LoadedKernel &kernel,
                           const RunRequest &request, const Verdict &verdict) {
  llvm::json::Array comparisons;
  for (const ComparedBuffer &compared : verdict.comparisons) {
    llvm::json::Object entry{
        {"name", compared.name},
        {"with", compared.with},
        {"right", compared.comparison.isRight()},
        {"total", compared.comparison.total},
        {"wrong", compared.comparison.wrong},
        {"never_written", compared.neverWritten},
        {"atol", compared.tolerance.absolute},
        {"rtol", compared.tolerance.relative},
        {"bounded", compared.comparison.bounded},
        {"unbounded", compared.comparison.unbounded},
        {"judged", compared.comparison.judged()},
        {"largest_share", compared.comparison.largestShare},
        {"bound_width", compared.comparison.relativeWidth}};
    if (compared.comparison.wrong) {
      entry["first"] = toJSON(compared.comparison.first);
      entry["worst"] = toJSON(compared.comparison.worst);
      entry["pattern"] = compared.comparison.pattern;
    }
    if (compared.comparison.gapElements)
      entry["changed_between_rows"] = compared.comparison.gapElements;
    comparisons.push_back(std::move(entry));
  }
  bool hasCode = request.device != Device::Reference;
  llvm::json::Object result{
      {"device", nameOf(request)},
      {"chip",
       hasCode ? llvm::json::Value(kernel.chip()) : llvm::json::Value(nullptr)},
      {"kernel", kernel.name()},
      {"verdict", verdict.isWrong()             ? "wrong"
                  : !verdict.isRight()          ? "not judged"
                  : verdict.comparisons.empty() ? "ran"
                                                : "right"},
      {"expectations", std::move(comparisons)},
      {"guards",
       verdict.guardError.empty()
           ? llvm::json::Value(request.checkGuards ? "whole" : "not checked")
           : llvm::json::Value(verdict.guardError)},
  };
  if (!verdict.assertError.empty())
    result["asserts"] = verdict.assertError;
  if (!verdict.workspaceError.empty())
    result["workspaces"] = verdict.workspaceError;
  if (kernel.isProgram()) {
    llvm::json::Array launches;
    for (const LaunchRecord &record : kernel.launches()) {
      llvm::json::Object launch{{"kernel", record.kernel}};
      addLaunch(launch, kernel, record, request.gpu);
      launches.push_back(std::move(launch));
    }
    result["launches"] = std::move(launches);
  } else {
    addLaunch(result, kernel, kernel.launches().front(), request.gpu);
  }
  os << llvm::formatv("{0:2}", llvm::json::Value(std::move(result))) << '\n';
}
