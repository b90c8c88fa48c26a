//===- CaptureConfig.cpp - Input files for rocprofv3 ----------------------===//
//
// rocprofv3 takes a regular expression for the kernel; the name is escaped, so
// that templates and overloads mean themselves. YAML's single quotes take any
// text with quotes doubled.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/CaptureConfig.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace fly::analysis;
using llvm::StringRef;

/// The counters that fly-report counters and the checklist ask for. Those of
/// the L2 are sums over its channels; the ratio of the channels needs each.
static constexpr StringRef l2Counters[] = {
    "TCC_HIT_sum",       "TCC_MISS_sum",          "TCC_REQ_sum",
    "TCC_EA0_RDREQ_sum", "TCC_EA0_RDREQ_32B_sum", "TCC_EA0_RDREQ_DRAM_sum",
    "TCC_EA0_WRREQ_sum", "TCC_EA0_WRREQ_64B_sum",
};
static constexpr StringRef otherCounters[] = {
    "SQ_WAVES",
    "SQ_BUSY_CYCLES",
    "SQ_WAVE_CYCLES",
    "SQ_WAIT_ANY",
    "SQ_WAIT_INST_ANY",
    "SQ_WAIT_INST_LDS",
    "SQ_LDS_BANK_CONFLICT",
    "SQ_LDS_IDX_ACTIVE",
    "SQ_INSTS_VALU",
    "SQ_INSTS_SALU",
    "SQ_INSTS_VMEM",
    "SQ_INSTS_LDS",
    "SQ_INSTS_MFMA",
    "SQ_VALU_MFMA_BUSY_CYCLES",
    "GRBM_GUI_ACTIVE",
    "TCP_TCC_READ_REQ_sum",
};
/// Of the L2's counters in one pass (it has four a channel), and of the
/// shader's (eight).
static constexpr size_t l2PerJob = 4, shaderPerJob = 8;

std::vector<std::vector<std::string>> fly::analysis::counterJobs() {
  std::vector<std::vector<std::string>> jobs;
  auto split = [&](llvm::ArrayRef<StringRef> counters, size_t most) {
    for (; !counters.empty();
         counters = counters.drop_front(std::min(most, counters.size()))) {
      std::vector<std::string> &job = jobs.emplace_back();
      for (StringRef counter : counters.take_front(most))
        job.push_back(counter.str());
    }
  };
  split(l2Counters, l2PerJob);
  split(otherCounters, shaderPerJob);
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
  std::string text = "# rocprofv3 -i <this file> -- <program>\n"
                     "# then: fly-report counters " +
                     options.outputFolder +
                     "/counters_*/out_counter_collection.csv\n"
                     "jobs:\n";
  for (auto [index, job] : llvm::enumerate(counterJobs())) {
    llvm::Expected<std::string> begin =
        beginJob(options, "counters_" + std::to_string(index + 1));
    if (!begin)
      return begin;
    text += *begin + "    pmc: [" + llvm::join(job, ", ") + "]\n";
  }
  return text;
}
