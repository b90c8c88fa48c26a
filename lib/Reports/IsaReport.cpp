//===- IsaReport.cpp - What a code object is made of ----------------------===//
#include "fly/Reports/IsaReport.h"

#include "fly/Arch/Wave.h"
#include "fly/Isa/KernelResources.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

#include "LineReport.h"
#include "LoopReport.h"

using namespace fly;
using namespace fly::reports;

static KernelReport
reportKernel(const isa::Kernel &kernel, const isa::CodeObject &object,
             const isa::Program &program, const arch::ArchInfo &arch,
             const isa::LineTable &lines, const LaunchResources &launch) {
  KernelReport report;
  report.name = kernel.name;
  arch::KernelResources resources = resourcesOf(kernel, object);
  report.vgpr = resources.archVgprs;
  report.agpr = resources.accVgprs;
  report.allottedVgprs = resources.allottedVgprs;
  report.sgpr = resources.sgprs;
  report.ldsBytes = resources.ldsBytes;
  report.scratchBytes = kernel.privateSegmentFixedSize;
  report.vgprSpills = kernel.vgprSpillCount;
  report.sgprSpills = kernel.sgprSpillCount;
  report.codeBytes = unsigned(kernel.codeSize);
  report.workgroupSize = kernel.requiredWorkgroupSize;
  report.dynamicLdsBytes = launch.dynamicLdsBytes;
  resources.ldsBytes += launch.dynamicLdsBytes;
  if (!resources.workgroupThreads)
    resources.workgroupThreads = launch.workgroupThreads;
  report.resources = resources;
  llvm::Expected<arch::Occupancy> occupancy =
      arch::computeOccupancy(arch, resources);
  if (occupancy) {
    report.wavesPerSimd = occupancy->wavesPerSimd;
    report.workgroupsPerCu = occupancy->workgroupsPerCu;
    report.occupancyLimiter = arch::limiterName(occupancy->limiter);
    report.hasPadding = occupancy->allocatedVgprs != occupancy->neededVgprs;
    report.isPadded = occupancy->isLimitedByPadding;
  } else {
    // Not launchable, or figures unknown: no occupancy to speak of.
    llvm::consumeError(occupancy.takeError());
  }
  unsigned waves =
      llvm::divideCeil(resources.workgroupThreads, arch::waveLanes);
  report.hotLoop = findHotLoop(
      program.instructionsOf(kernel), arch,
      llvm::divideCeil(waves, arch.simdsPerCu ? *arch.simdsPerCu : 1));
  report.lines = countLines(kernel, program.instructionsOf(kernel), lines);
  return report;
}

llvm::Expected<ObjectReport>
fly::reports::reportObject(llvm::StringRef elf, const LaunchResources &launch) {
  llvm::Expected<isa::CodeObject> object = isa::CodeObject::load(elf);
  if (!object)
    return object.takeError();
  const arch::ArchInfo *arch = arch::ArchInfo::lookup(object->chip());
  if (!arch)
    return llvm::createStringError(
        "chip '" + object->chip() +
        "' of the object is unknown, known are: " + arch::knownChipNames());
  auto program = isa::Program::decode(*object);
  if (!program)
    return program.takeError();
  ObjectReport report;
  report.chip = object->chip();
  isa::LineTable lines = isa::LineTable::read(elf);
  for (const isa::Kernel &kernel : object->kernels())
    report.kernels.push_back(
        reportKernel(kernel, *object, **program, *arch, lines, launch));
  return report;
}

void fly::reports::setKTiles(KernelReport &kernel, uint64_t macsPerWave) {
  if (kernel.hotLoop && macsPerWave)
    kernel.hotLoop->kTiles = double(kernel.hotLoop->macs) / double(macsPerWave);
}

std::string fly::reports::describeProofs(const CodegenFigures &form) {
  std::string text;
  if (form.refused)
    text += llvm::formatv("refused for {0} faults, ", form.refused);
  if (form.races)
    text += llvm::formatv("{0} races in LDS, ", form.races);
  return text;
}

void fly::reports::setCodegen(KernelReport &kernel, std::string chosen,
                              std::vector<CodegenFigures> tried) {
  kernel.codegen = std::move(chosen);
  kernel.tried = std::move(tried);
}

/// Two decimals are what the static model is worth.
static double rounded(double value) { return int64_t(value * 1e4 + 0.5) / 1e4; }

static llvm::json::Value roundedOrNull(std::optional<double> value) {
  return value ? llvm::json::Value(rounded(*value)) : nullptr;
}

std::string fly::reports::describeCovers(const CodegenFigures &form) {
  std::string text =
      llvm::formatv("pipe cover {0} %", std::lround(form.pipeCover * 100));
  if (form.walkedCover)
    text +=
        llvm::formatv(", {0} % walked", std::lround(*form.walkedCover * 100));
  return text;
}

static llvm::json::Value toJSON(const Distance &distance) {
  if (!distance.accesses)
    return nullptr;
  return llvm::json::Object{{"accesses", distance.accesses},
                            {"least", distance.least},
                            {"mean", rounded(distance.mean)}};
}

static llvm::json::Value toJSON(const LoopReport &loop) {
  return llvm::json::Object{
      {"instructions", loop.instructions},
      {"mfma", loop.mfma},
      {"ds_read", loop.dsRead},
      {"ds_write", loop.dsWrite},
      {"vmem_load", loop.vmemLoad},
      {"vmem_store", loop.vmemStore},
      {"lds_dma", loop.ldsDma},
      {"valu", loop.valu},
      {"salu", loop.salu},
      {"wait", loop.wait},
      {"barrier", loop.barrier},
      {"nop", loop.nop},
      {"acc_move", loop.accMove},
      {"lane_loops", loop.laneLoops},
      {"access_bytes", loop.accessBytes},
      {"k_tiles", loop.kTiles ? llvm::json::Value(*loop.kTiles)
                              : llvm::json::Value(nullptr)},
      {"pipe_cover", rounded(loop.pipeCover)},
      {"walked_cover", roundedOrNull(loop.walkedCover)},
      {"mfma_share_ceiling", rounded(loop.mfmaShareCeiling)},
      {"mfma_to_wait",
       llvm::json::Object{
           {"lds_read", ::toJSON(loop.distances.ldsRead)},
           {"lds_write", ::toJSON(loop.distances.ldsWrite)},
           {"global", ::toJSON(loop.distances.global)},
       }},
  };
}

static llvm::json::Value toJSON(const LineReport &lines) {
  auto pair = [](const PlacedCount &count) {
    return llvm::json::Array{count.placed, count.all};
  };
  return llvm::json::Object{{"instructions", pair(lines.all)},
                            {"mfma", pair(lines.mfma)},
                            {"memory", pair(lines.memory)},
                            {"lds", pair(lines.lds)}};
}

/// The form that was taken and the figures of all that were tried.
static llvm::json::Value codegenJSON(const KernelReport &kernel) {
  llvm::json::Array tried;
  for (const CodegenFigures &form : kernel.tried)
    tried.push_back(llvm::json::Object{
        {"form", form.form},
        {"compiled", !form.failed},
        {"proved", form.proved},
        {"refused", form.refused},
        {"lds_races", form.races},
        {"spills", form.spills},
        {"acc_move", form.accMoves},
        {"lane_loops", form.laneLoops},
        {"instructions", form.instructions},
        {"waves_per_simd", form.wavesPerSimd},
        {"pipe_cover", rounded(form.pipeCover)},
        {"walked_cover", roundedOrNull(form.walkedCover)},
    });
  return llvm::json::Object{{"form", kernel.codegen},
                            {"tried", std::move(tried)}};
}

llvm::json::Value fly::reports::toJSON(const ObjectReport &report) {
  llvm::json::Array kernels;
  for (const KernelReport &kernel : report.kernels) {
    llvm::json::Object object{
        {"name", kernel.name},
        {"vgpr", kernel.vgpr},
        {"agpr", kernel.agpr},
        {"allotted_vgpr", kernel.allottedVgprs},
        {"sgpr", kernel.sgpr},
        {"lds_bytes", kernel.ldsBytes},
        {"scratch_bytes", kernel.scratchBytes},
        {"vgpr_spills", kernel.vgprSpills},
        {"sgpr_spills", kernel.sgprSpills},
        {"code_bytes", kernel.codeBytes},
        {"waves_per_simd", kernel.wavesPerSimd},
        {"occupancy",
         llvm::json::Object{{"limiter", kernel.occupancyLimiter},
                            {"limited_by_padding", kernel.isPadded}}},
        {"workgroup_size",
         llvm::json::Array{kernel.workgroupSize[0], kernel.workgroupSize[1],
                           kernel.workgroupSize[2]}},
        {"hot_loop", kernel.hotLoop ? ::toJSON(*kernel.hotLoop)
                                    : llvm::json::Value(nullptr)},
        {"lines",
         kernel.lines ? ::toJSON(*kernel.lines) : llvm::json::Value(nullptr)},
    };
    if (kernel.tried.size() > 1)
      object["codegen"] = codegenJSON(kernel);
    if (!kernel.order.empty())
      object["order"] = kernel.order;
    kernels.push_back(std::move(object));
  }
  return llvm::json::Object{{"chip", report.chip},
                            {"kernels", std::move(kernels)}};
}

void fly::reports::print(llvm::raw_ostream &os, const KernelReport &kernel) {
  os << llvm::formatv("  VGPR {0} + AGPR {1}", kernel.vgpr, kernel.agpr);
  if (kernel.hasPadding)
    os << llvm::formatv(" ({0} allotted)", kernel.allottedVgprs);
  os << llvm::formatv(", SGPR {0}, LDS {1}", kernel.sgpr, kernel.ldsBytes);
  if (kernel.dynamicLdsBytes)
    os << " + " << kernel.dynamicLdsBytes << " dynamic";
  os << ", spills " << kernel.vgprSpills + kernel.sgprSpills;
  if (kernel.scratchBytes)
    os << ", scratch " << kernel.scratchBytes;
  if (kernel.wavesPerSimd)
    os << llvm::formatv(", {0} waves/SIMD ({1}{2})", kernel.wavesPerSimd,
                        kernel.occupancyLimiter,
                        kernel.isPadded ? ", padded" : "");
  os << ", code " << kernel.codeBytes << " bytes\n";
  if (kernel.tried.size() > 1) {
    os << "  code generation: " << kernel.codegen << " of";
    for (const CodegenFigures &form : kernel.tried) {
      os << (&form == &kernel.tried.front() ? " " : "; ") << form.form;
      if (form.failed)
        os << " (not compiled)";
      else
        os << llvm::formatv(" ({0}{1} spills, {2} acc moves, {3} instructions, "
                            "{4})",
                            describeProofs(form), form.spills, form.accMoves,
                            form.instructions, describeCovers(form));
    }
    os << "\n";
  }
  if (!kernel.order.empty())
    os << "  order of the hot loop: " << kernel.order << "\n";
  if (!kernel.hotLoop)
    return;
  const LoopReport &loop = *kernel.hotLoop;
  os << llvm::formatv(
      "  hot loop: {0} MFMA of {1} ({2} %), {3} LDS reads, {4} loads, {5} LDS "
      "writes, {6} barriers, {7} acc moves; narrowest access {8} bytes",
      loop.mfma, loop.instructions,
      (200 * loop.mfma + loop.instructions) / (2 * loop.instructions),
      loop.dsRead, loop.vmemLoad + loop.ldsDma, loop.dsWrite, loop.barrier,
      loop.accMove, loop.accessBytes);
  if (loop.laneLoops)
    os << "; " << loop.laneLoops << " loops over lanes";
  os << "\n";
}

static void print(llvm::raw_ostream &os, const LineReport &lines) {
  os << llvm::formatv("  source lines: {0:f1} % of {1} instructions are not on "
                      "the kernel's first line",
                      100.0 * lines.all.placed / std::max(1u, lines.all.all),
                      lines.all.all);
  auto add = [&](llvm::StringRef what, const PlacedCount &count) {
    if (count.all)
      os << llvm::formatv(", {0} {1} of {2}", what, count.placed, count.all);
  };
  add("MFMA", lines.mfma);
  add("memory", lines.memory);
  add("LDS", lines.lds);
  os << "\n";
}

void fly::reports::print(llvm::raw_ostream &os, const ObjectReport &report) {
  for (const KernelReport &kernel : report.kernels) {
    os << kernel.name << "  " << report.chip << "\n";
    print(os, kernel);
    if (kernel.lines)
      ::print(os, *kernel.lines);
  }
}
