//===- CaptureConfig.cpp - Input files for rocprofv3 ----------------------===//
//
// rocprofv3 takes a regular expression for the kernel; the name is escaped, so
// that templates and overloads mean themselves. YAML's single quotes take any
// text with quotes doubled.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/CaptureConfig.h"

#include "fly/Arch/ArchInfo.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace fly;
using namespace fly::analysis;
using llvm::StringRef;

/// What each pass counts. The counters of one figure are in one pass: a program
/// need not do the same twice. A pass has four counters of the L2 (and what
/// TCP counts of it), and seven of the shader beside the device's cycles.
static constexpr StringRef hits[] = {
    "TCC_HIT_sum",
    "TCC_MISS_sum",
    "TCC_REQ_sum",
    "TCP_TCC_READ_REQ_sum",
    "SQ_VALU_MFMA_BUSY_CYCLES",
    "SQ_LDS_BANK_CONFLICT",
    "SQ_LDS_IDX_ACTIVE",
    "SQ_BUSY_CYCLES",
    "SQ_INSTS_MFMA",
    "SQ_INSTS_VALU",
    "SQ_WAVES",
    "GRBM_GUI_ACTIVE",
};
static constexpr StringRef reads[] = {
    "TCC_EA0_RDREQ_sum", "TCC_EA0_RDREQ_32B_sum", "TCC_EA0_RDREQ_DRAM_sum",
    "TCC_BUBBLE_sum", // Reads of 128 bytes.
    "SQ_WAVE_CYCLES",    "SQ_WAIT_ANY",           "SQ_WAIT_INST_ANY",
    "SQ_WAIT_INST_LDS",  "SQ_INSTS_SALU",         "SQ_INSTS_VMEM",
    "SQ_INSTS_LDS",
};
static constexpr StringRef writes[] = {
    "TCC_EA0_WRREQ_sum",
    "TCC_EA0_WRREQ_64B_sum",
};
/// Of the L2's counters in one pass.
static constexpr unsigned l2PerJob = 4;

/// Most channels of an XCD's L2 of the chips that are profiled.
static unsigned channelCount() {
  unsigned count = 0;
  for (const arch::ArchInfo *chip : arch::allChips())
    if (chip->canCompile && chip->l2Channels)
      count = std::max(count, *chip->l2Channels);
  return count;
}

static std::string channelName(unsigned channel) {
  return "TCC_REQ[" + std::to_string(channel) + "]";
}

std::vector<std::vector<std::string>> fly::analysis::counterJobs() {
  std::vector<std::vector<std::string>> jobs;
  for (llvm::ArrayRef<StringRef> counters :
       {llvm::ArrayRef(hits), llvm::ArrayRef(reads), llvm::ArrayRef(writes)}) {
    std::vector<std::string> &job = jobs.emplace_back();
    for (StringRef counter : counters)
      job.push_back(counter.str());
  }
  for (unsigned channel = 0, count = channelCount(); channel < count;
       ++channel) {
    if (channel % l2PerJob == 0)
      jobs.emplace_back();
    jobs.back().push_back(channelName(channel));
  }
  return jobs;
}

static std::string quoted(StringRef text) {
  return "'" + llvm::join(llvm::split(text, "'"), "''") + "'";
}

/// The lines that both kinds of job begin with.
static llvm::Expected<std::string> beginJob(const CaptureOptions &options,
                                            StringRef folder) {
  if (options.kernel.empty() ||
      options.kernel.find_first_of(StringRef("\n\r\0", 3).str()) !=
          std::string::npos)
    return llvm::createStringError(
        "expected the name of a kernel on one line, as fly-report kernels "
        "prints it");
  if (options.firstIteration > options.lastIteration)
    return llvm::createStringError(
        "the first iteration, " + llvm::Twine(options.firstIteration) +
        ", is behind the last, " + llvm::Twine(options.lastIteration));
  return llvm::formatv("  - kernel_include_regex: {0}\n"
                       "    kernel_iteration_range: \"[{1}-{2}]\"\n"
                       "    output_directory: {3}\n"
                       "    output_file: out\n"
                       "    output_format: [csv]\n"
                       "    truncate_kernels: false\n",
                       quoted("^" + llvm::Regex::escape(options.kernel) + "$"),
                       options.firstIteration, options.lastIteration,
                       quoted((options.outputFolder + "/" + folder).str()))
      .str();
}

llvm::Expected<std::string>
fly::analysis::traceConfig(const CaptureOptions &options) {
  llvm::Expected<std::string> begin = beginJob(options, "trace");
  if (!begin)
    return begin;
  return "# rocprofv3 -i <this file> -- <program>\n"
         "# then: fly-report hotspots " +
         options.outputFolder +
         "/trace/ui_output_agent_*_dispatch_*\n"
         "jobs:\n" +
         *begin +
         llvm::formatv("    kernel_trace: true\n"
                       "    advanced_thread_trace: true\n"
                       "    att_target_cu: {0}\n"
                       "    att_shader_engine_mask: \"0xf\"\n"
                       "    att_simd_select: \"0xf\"\n"
                       "    att_buffer_size: \"0x{1:x-}\"\n",
                       options.targetUnit, options.bufferBytes)
             .str();
}

llvm::Expected<std::string>
fly::analysis::counterConfig(const CaptureOptions &options) {
  std::string text =
      "# rocprofv3 -E channels.yaml -i <this file> -- <program>\n"
      "# then: fly-report counters " +
      options.outputFolder +
      "\n"
      "# Without -E leave out the jobs that count TCC_REQ[...].\n"
      "jobs:\n";
  for (auto [index, job] : llvm::enumerate(counterJobs())) {
    llvm::Expected<std::string> begin =
        beginJob(options, "counters_" + std::to_string(index + 1));
    if (!begin)
      return begin;
    text += *begin + "    pmc: [";
    for (auto [position, counter] : llvm::enumerate(job)) {
      text += position ? ", " : "";
      text += StringRef(counter).contains('[') ? quoted(counter) : counter;
    }
    text += "]\n";
  }
  return text;
}

std::string fly::analysis::channelDefinitions() {
  std::string chips;
  for (const arch::ArchInfo *chip : arch::allChips())
    if (chip->canCompile && chip->l2Channels)
      chips += (chips.empty() ? "" : ", ") + std::string(chip->name);
  std::string text = "# For -E of rocprofv3: the requests to each channel of "
                     "the L2, of all XCDs.\n"
                     "rocprofiler-sdk:\n"
                     "  counters-schema-version: 1\n"
                     "  counters:\n";
  for (unsigned channel = 0, count = channelCount(); channel < count; ++channel)
    text += llvm::formatv(
        "    - name: {0}\n"
        "      description: 'requests to channel {1} of the L2'\n"
        "      properties: []\n"
        "      definitions:\n"
        "        - architectures: [{2}]\n"
        "          expression: "
        "'reduce(select(TCC_REQ,[DIMENSION_INSTANCE=[{1}]]),sum)'\n",
        quoted(channelName(channel)), channel, chips);
  return text;
}
