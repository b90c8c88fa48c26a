//===- fly-run.cpp - Runs kernels -----------------------------------------===//
//
// The command line of the launcher; Run.cpp does the work.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Threading.h"

#include <functional>

#include "../Options/GpuFlags.h"
#include "../Options/KernelOptions.h"
#include "../Options/Outputs.h"
#include "RunRequest.h"

namespace cl = llvm::cl;
using namespace fly;
using namespace fly::tools;

static cl::OptionCategory category("fly-run options");
static KernelOptions kernelOptions(category);
static cl::list<std::string> positional(cl::Positional,
                                        cl::desc("<k.mlir|k.hsaco> "
                                                 "[NAME=SPEC ...]"),
                                        cl::cat(category));
static cl::opt<std::string>
    device("device", cl::init("sim"), cl::cat(category),
           cl::desc("sim (default), reference, or hsa: a GPU, hsa:1 the "
                    "second one"));
static GpuFlags gpuFlags(category);
static cl::opt<std::string>
    grid("grid", cl::value_desc("X,Y,Z"), cl::cat(category),
         cl::desc("Workgroups, for objects without a contract"));
static cl::opt<std::string> block("block", cl::value_desc("X,Y,Z"),
                                  cl::cat(category),
                                  cl::desc("Work items of a workgroup"));
static cl::opt<std::string> dynamicLds("dynamic-lds", cl::value_desc("bytes"),
                                       cl::cat(category),
                                       cl::desc("Dynamic LDS"));
static cl::list<std::string>
    args("arg", cl::value_desc("SPEC"), cl::cat(category),
         cl::desc("Arguments in order, for objects without a contract"));
static cl::list<std::string> outs("out", cl::value_desc("NAME=@c.npy"),
                                  cl::cat(category),
                                  cl::desc("Write a buffer after the launch"));
static cl::list<std::string>
    expects("expect", cl::value_desc("NAME=SPEC[,atol=..,rtol=..]"),
            cl::cat(category), cl::desc("What a buffer must hold afterwards"));
static cl::opt<std::string>
    against("against", cl::value_desc("file"), cl::cat(category),
            cl::desc("Compare with another kernel instead of the reference"));
static cl::opt<std::string>
    check("check", cl::init("all"), cl::value_desc("all|none|list"),
          cl::cat(category),
          cl::desc("reference, guards, asserts, bounds, init, races, delivery, "
                   "hazards, visibility, barriers"));
static cl::opt<bool> json("json", cl::cat(category), cl::desc("Print JSON"));
static cl::opt<std::string> seed("seed", cl::init("0"),
                                 cl::value_desc("number"), cl::cat(category),
                                 cl::desc("Seed of inputs that are not given"));
static cl::opt<std::string> interleave(
    "interleave", cl::init("0"), cl::value_desc("seed"), cl::cat(category),
    cl::desc("Draw the order of waves and workgroups, and when results of "
             "memory arrive, by a seed (0: the simulator's own order)"));
static cl::opt<std::string> dispatchSeed(
    "dispatch-seed", cl::init("0"), cl::value_desc("number"), cl::cat(category),
    cl::desc("Run workgroups in another order than the grid's (0)"));
static cl::opt<std::string>
    threads("jobs", cl::init("0"), cl::value_desc("number"), cl::cat(category),
            cl::desc("Host threads (default: all cores)"));
static cl::opt<bool>
    timing("timing", cl::cat(category),
           cl::desc("Time the launch on the model of the chip (docs/Simulator/"
                    "Timing.md): cycles, what waves wait for, what-if"));
static cl::opt<bool> noWhatIf(
    "no-what-if", cl::cat(category),
    cl::desc("Do not time the launch with one resource free after the other, "
             "nor\nwith edits of the schedule"));
static cl::opt<bool> timeOnly(
    "time-only", cl::cat(category),
    cl::desc("Time the launch and do no more: execute what its time depends "
             "on,\ncheck nothing, leave the outputs as they were"));
static cl::opt<std::string>
    att("att", cl::value_desc("folder"), cl::cat(category),
        cl::desc("Write the timed launch as rocprofv3 writes a thread trace: "
                 "ui_output_agent_*_dispatch_*"));
static cl::opt<std::string>
    kernelTrace("kernel-trace", cl::value_desc("file.csv"), cl::cat(category),
                cl::desc("Write launches as rocprofv3's kernel_trace"));
static cl::opt<std::string>
    counters("counters", cl::value_desc("file.csv"), cl::cat(category),
             cl::desc("Write counters as rocprofv3's counter_collection"));
static cl::opt<std::string>
    perfetto("perfetto", cl::value_desc("file.json"), cl::cat(category),
             cl::desc("Write what waves did for Perfetto or Chrome"));
static cl::opt<std::string>
    html("html", cl::value_desc("file.html"), cl::cat(category),
         cl::desc("Write a report that a browser shows (docs/Simulator/"
                  "Views.md)"));
static cl::list<std::string>
    watches("watch", cl::value_desc("NAME[I,J]|0xADDRESS[:BYTES]"),
            cl::cat(category),
            cl::desc("Tell who reads and writes an element, or bytes"));
static cl::list<std::string>
    breaks("break", cl::value_desc("LINE|FILE:LINE|0xPC"), cl::cat(category),
           cl::desc("Tell what waves hold when they come to a line of the\n"
                    "source, or an instruction"));
static cl::opt<bool>
    firstNan("first-nan", cl::cat(category),
             cl::desc("Tell which instruction gives the first NaN"));
static cl::opt<std::string>
    dumpLds("dump-lds", cl::ValueOptional, cl::value_desc("workgroup"),
            cl::cat(category),
            cl::desc("Print what LDS of a workgroup holds at its end (default "
                     "0)"));
static cl::opt<bool>
    diffPhases("diff-phases", cl::cat(category),
               cl::desc("Run the kernel behind each pass of the compiler, and "
                        "name the\nfirst one that makes it wrong"));
static cl::opt<bool>
    shrink("shrink", cl::cat(category),
           cl::desc("Print the smallest command line found that ends as this "
                    "one"));
static cl::opt<std::string> baseline("baseline", cl::cat(category), cl::Hidden);

static llvm::Error fillNumbers(RunRequest &request) {
  auto seedNumber = parseNumber("seed", seed, UINT64_MAX);
  if (!seedNumber)
    return seedNumber.takeError();
  request.seed = *seedNumber;
  auto interleaveSeed = parseNumber("interleave", interleave, UINT32_MAX);
  if (!interleaveSeed)
    return interleaveSeed.takeError();
  request.interleaveSeed = uint32_t(*interleaveSeed);
  auto order = parseNumber("dispatch-seed", dispatchSeed, UINT32_MAX);
  if (!order)
    return order.takeError();
  request.dispatchSeed = uint32_t(*order);
  auto jobs = parseNumber("jobs", threads, 1024);
  if (!jobs)
    return jobs.takeError();
  request.threads = *jobs ? unsigned(*jobs)
                          : llvm::hardware_concurrency().compute_thread_count();
  if (!dynamicLds.getNumOccurrences())
    return llvm::Error::success();
  auto bytes = parseNumber("dynamic-lds", dynamicLds, UINT32_MAX);
  if (!bytes)
    return bytes.takeError();
  request.dynamicLdsBytes = uint32_t(*bytes);
  return llvm::Error::success();
}

/// What a GPU is asked for, and what it cannot give.
static llvm::Error fillGpu(RunRequest &request) {
  if (request.device != Device::Gpu)
    return gpuFlags.refuseWithoutGpu();
  for (auto [option, isGiven] :
       {std::pair("views", request.views.any()),
        std::pair("--watch", !request.watches.empty()),
        std::pair("--break", !request.breaks.empty()),
        std::pair("--first-nan", request.firstNan),
        std::pair("--dump-lds", request.dumpLds.has_value()),
        std::pair("--diff-phases", request.diffPhases),
        std::pair("--interleave", request.interleaveSeed != 0),
        std::pair("--dispatch-seed", request.dispatchSeed != 0)})
    if (isGiven)
      return llvm::createStringError(llvm::Twine(option) +
                                     ": the simulator can tell this, a GPU "
                                     "cannot (leave --device out)");
  request.timing |= !gpuFlags.given().empty();
  if (request.timing)
    request.gpu.repeat = defaultRepeat;
  return gpuFlags.read(request.gpu);
}

/// Phases are run on the reference executor and the simulator, and compared
/// with each other: what asks for something else is refused.
static llvm::Error checkDiffPhases() {
  // Lists give a pointer to what they hold for `&`.
  const std::reference_wrapper<cl::Option> ignored[] = {
      device,   grid,   block,    dynamicLds, args,     outs,        expects,
      against,  timing, timeOnly, noWhatIf,   att,      kernelTrace, counters,
      perfetto, html,   watches,  breaks,     firstNan, dumpLds};
  std::string names;
  for (const cl::Option &option : ignored)
    if (option.getNumOccurrences())
      names += (names.empty() ? "--" : ", --") + option.ArgStr.str();
  if (names.empty())
    return llvm::Error::success();
  return llvm::createStringError(
      "--diff-phases compares the reference executor with the simulator behind "
      "each pass, and makes no use of " +
      names + ": leave it out");
}

/// With --time-only there are no values: what asks for some is refused.
static llvm::Error fillTimeOnly(RunRequest &request) {
  const std::reference_wrapper<cl::Option> asking[] = {
      outs, expects, against, check, watches, breaks, firstNan, dumpLds};
  for (const cl::Option &option : asking)
    if (option.getNumOccurrences() && (&option != &check || check != "none"))
      return llvm::createStringError(
          "--time-only computes no values, which --" + option.ArgStr +
          " asks for: leave one of them out");
  if (request.device != Device::Simulator)
    return llvm::createStringError(
        "--time-only: the simulator can leave values "
        "out, nothing else can (leave --device out)");
  request.timing = request.timeOnly = true;
  return parseChecks("none", request);
}

/// An error where two results go to one place. The verdict is printed.
static llvm::Error checkPlaces(const RunRequest &request) {
  std::vector<NamedOutput> outputs{
      {request.json ? "--json" : "the verdict", "-"}};
  for (const cl::opt<std::string> *option :
       {&att, &kernelTrace, &counters, &perfetto, &html})
    outputs.push_back({("--" + option->ArgStr + "=" + *option).str(), *option});
  for (const auto &[name, path] : request.outputs)
    outputs.push_back({"--out " + name + "=@" + path, path});
  return checkOutputs(outputs);
}

/// Fills the request from the options.
static llvm::Error fill(RunRequest &request) {
  if (positional.empty())
    return llvm::createStringError("name a kernel: fly-run gemm.mlir M=512 "
                                   "N=512 K=512 (fly-run --help shows more)");
  if (diffPhases)
    if (llvm::Error error = checkDiffPhases())
      return error;
  if (!baseline.empty())
    return llvm::createStringError(
        "--baseline: does not exist in this version");
  auto gpu = readGpuNumber(device);
  if (!gpu)
    return gpu.takeError();
  if (device != "sim" && device != "reference" && !*gpu)
    return llvm::createStringError(
        "--device=" + device +
        ": unknown, expected sim, reference, hsa or hsa:NUMBER");
  request.device = *gpu              ? Device::Gpu
                   : device == "sim" ? Device::Simulator
                                     : Device::Reference;
  request.gpu.device = gpu->value_or(0);
  for (auto [option, value, place] :
       {std::tuple("att", &att, &request.views.threadTrace),
        std::tuple("kernel-trace", &kernelTrace, &request.views.kernelTrace),
        std::tuple("counters", &counters, &request.views.counters),
        std::tuple("perfetto", &perfetto, &request.views.perfetto),
        std::tuple("html", &html, &request.views.html)}) {
    *place = *value;
    if (value->getNumOccurrences() && value->empty())
      return llvm::createStringError("--" + llvm::Twine(option) +
                                     ": names no file");
  }
  // Views are of a timed launch.
  request.timing = timing || request.views.any();
  request.whatIf = !noWhatIf;
  if (request.timing && request.device == Device::Reference)
    return llvm::createStringError(
        llvm::Twine(timing ? "--timing needs" : "views need") +
        " machine code; the reference executor runs tile IR (use "
        "--device=sim)");
  request.input = positional.front();
  for (llvm::StringRef text : llvm::drop_begin(positional)) {
    auto spec = launch::parseNamedSpec(text);
    if (!spec)
      return spec.takeError();
    request.specs.push_back(*spec);
  }
  for (auto [index, text] : llvm::enumerate(args)) {
    auto spec = launch::parseNamedSpec(std::to_string(index) + "=" + text);
    if (!spec)
      return spec.takeError();
    request.specs.push_back(*spec);
  }
  for (llvm::StringRef text : outs) {
    auto [name, path] = text.split('=');
    if (!path.consume_front("@") || path.empty() || name.empty())
      return llvm::createStringError("--out=" + text +
                                     ": expected NAME=@file.npy");
    request.outputs.emplace_back(name.str(), path.str());
  }
  for (llvm::StringRef text : expects) {
    auto expectation = parseExpectation(text);
    if (!expectation)
      return expectation.takeError();
    request.expectations.push_back(*expectation);
  }
  for (auto [option, value, extents] :
       {std::tuple("grid", &grid, &request.grid),
        std::tuple("block", &block, &request.block)}) {
    if (!value->getNumOccurrences())
      continue;
    auto parsed = parseExtents(option, *value);
    if (!parsed)
      return parsed.takeError();
    *extents = *parsed;
  }
  if (llvm::Error error = fillNumbers(request))
    return error;
  if (kernelOptions.chips.size() > 1)
    return llvm::createStringError(
        "--chip=" + llvm::join(kernelOptions.chips, ",") +
        ": a launch has one chip, choose one");
  if (!kernelOptions.chips.empty()) {
    request.chip = kernelOptions.chips.front();
    if (llvm::Error error = checkChip(request.chip))
      return error;
  }
  request.kernel = kernelOptions.kernel;
  request.overrides = kernelOptions.overrides();
  request.against = against;
  request.watches.assign(watches.begin(), watches.end());
  request.breaks.assign(breaks.begin(), breaks.end());
  request.firstNan = firstNan;
  request.diffPhases = diffPhases;
  if (dumpLds.getNumOccurrences()) {
    auto workgroup = parseNumber("dump-lds",
                                 dumpLds.empty() ? llvm::StringRef("0")
                                                 : llvm::StringRef(dumpLds),
                                 UINT32_MAX);
    if (!workgroup)
      return workgroup.takeError();
    request.dumpLds = *workgroup;
  }
  request.json = json;
  if (llvm::Error error = checkPlaces(request))
    return error;
  if (llvm::Error error = fillGpu(request))
    return error;
  return timeOnly ? fillTimeOnly(request) : parseChecks(check, request);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  setVersion("fly-run");
  cl::ParseCommandLineOptions(
      argc, argv,
      "Runs a kernel and says whether it is right\n\n"
      "  fly-run gemm.mlir M=512 N=512 K=512\n"
      "  fly-run gemm.mlir M=64 N=64 K=64 A=@a.npy B=rand:7 --out C=@c.npy\n"
      "  fly-run gemm.mlir M=17 N=64 K=96 --device=reference\n"
      "  fly-run gemm.mlir M=64 N=64 K=64 --against hand.mlir\n"
      "  fly-run gemm.mlir M=512 N=512 K=512 --timing --html=gemm.html\n"
      "  fly-run gemm.mlir M=512 N=512 K=512 --device=hsa --repeat=21\n"
      "  fly-run other.hsaco --grid=16 --block=256 --dynamic-lds=65536 "
      "--arg='bf16[64x128]=rand:1' --arg=i32:64 --out 0=@a.npy\n\n"
      "SPEC says what an argument holds:\n"
      "  17, i32:17, f32:1.5         a scalar, with or without its type\n"
      "  [TYPE[D0xD1...]=]CONTENTS   a buffer; TYPE and extents where the "
      "kernel does not say them\n"
      "CONTENTS:\n"
      "  zeros                       all 0\n"
      "  fill:V                      all V\n"
      "  iota                        0, 1, 2, ...\n"
      "  rand:SEED                   integers of -4 to 4, the same on every "
      "machine\n"
      "  normal:SEED                 mean 0, deviation 1\n"
      "  bytes:0x38                  all bytes 0x38\n"
      "  pattern:a, pattern:b        integers by row and column\n"
      "  @file.npy                   a file of NumPy's\n"
      "  shuffle:CONTENTS            the same, as #fly.preshuffle<16, 64> has "
      "it\n");
  RunRequest request;
  if (llvm::Error error = fill(request))
    return fail("fly-run", llvm::toString(std::move(error)));
  if (shrink)
    return shrinkRequest(request, llvm::ArrayRef(argv, size_t(argc)));
  return runRequest(request);
}
