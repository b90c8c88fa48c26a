//===- HotspotJson.cpp - Hotspots for programs ----------------------------===//
//
// What is not known is null, never 0.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/STLExtras.h"

#include "HotspotParts.h"

using namespace fly;
using namespace fly::analysis;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using profile::TracedInstruction;

/// Text of a file, which may hold anything, as JSON may hold it.
static std::string text(StringRef bytes) { return llvm::json::fixUTF8(bytes); }
static Value optional(std::optional<double> value) {
  return value ? Value(*value) : Value(nullptr);
}
static Value share(uint64_t part, uint64_t whole) {
  return whole ? Value(double(part) / double(whole)) : Value(nullptr);
}

static Object sharesJSON(const HotspotReport &report, StringRef name,
                         const Share &row) {
  return Object{{"name", name},
                {"instructions", row.instructions},
                {"hits", row.hits},
                {"latency", row.latency},
                {"stall", row.stall},
                {"stall_share", share(row.stall, report.stall)},
                {"hit_share", share(row.hits, report.hits)}};
}

static Array instructionsJSON(const HotspotReport &report, size_t top) {
  Array rows;
  for (size_t index : llvm::ArrayRef(report.ranked).take_front(top)) {
    const TracedInstruction &row = report.trace.instructions[index];
    const TypedInstruction &type = report.types[index];
    rows.push_back(Object{{"text", text(row.text)},
                          {"line", row.line},
                          {"code_object", row.codeObject},
                          {"address", row.address},
                          {"source", text(row.source)},
                          {"hits", row.hits},
                          {"latency", row.latency},
                          {"stall", row.stall},
                          {"idle", row.idle},
                          {"stall_share", share(row.stall, report.stall)},
                          {"kind", isa::name(type.kind)},
                          {"type", name(type.type)},
                          {"compiler_made", type.isCompilerMade}});
  }
  return rows;
}

static Array linesJSON(const HotspotReport &report, bool compilerMade,
                       size_t top) {
  Array rows;
  for (const HotLine &line : report.lines)
    if (line.isCompilerMade == compilerMade && rows.size() < top)
      rows.push_back(Object{{"source", text(line.place)},
                            {"instructions", line.instructions},
                            {"latency", line.latency},
                            {"stall", line.stall},
                            {"stall_share", share(line.stall, report.stall)}});
  return rows;
}

static Value occupancyJSON(const HotspotReport &report) {
  if (!report.occupancy)
    return nullptr;
  Array chips;
  for (const TracedOccupancy::OnChip &chip : report.occupancy->chips) {
    Object row{{"chip", chip.chip}};
    if (chip.occupancy) {
      row["waves_per_simd"] = chip.occupancy->wavesPerSimd;
      row["workgroups_per_cu"] = chip.occupancy->workgroupsPerCu;
      row["limiter"] = arch::limiterName(chip.occupancy->limiter);
      row["next"] = chip.next;
    } else {
      row["problem"] = chip.problem;
    }
    chips.push_back(std::move(row));
  }
  const profile::DispatchResources &held = report.occupancy->resources;
  const arch::KernelResources &kernel = report.occupancy->kernel;
  Object object{{"source", text(report.occupancy->source)},
                {"vgpr", *held.archVgprs},
                {"agpr", *held.accumVgprs},
                {"named_vgpr", nullptr},
                {"named_agpr", nullptr},
                {"sgpr", *held.sgprs},
                {"lds_bytes", *held.ldsBytes},
                {"chips", std::move(chips)}};
  if (!kernel.isAllotment) {
    object["named_vgpr"] = kernel.archVgprs;
    object["named_agpr"] = kernel.accVgprs;
  }
  return object;
}

Value fly::analysis::toJSON(const HotspotReport &report,
                            const HotspotView &view) {
  Array types, mix, distances, symptoms, kernels;
  for (unsigned i = 0; i < stallTypeCount; ++i)
    if (report.byType[i].instructions)
      types.push_back(sharesJSON(report, name(StallType(i)), report.byType[i]));
  for (unsigned i = 0; i < isa::instructionKindCount; ++i)
    if (report.byKind[i].instructions)
      mix.push_back(sharesJSON(report, isa::name(isa::InstructionKind(i)),
                               report.byKind[i]));
  for (const WaitDistance &row : report.distances)
    distances.push_back(Object{{"wait", row.wait},
                               {"access", row.access},
                               {"count", row.count},
                               {"cycles", row.cycles},
                               {"least_cycles", row.leastCycles},
                               {"instructions", row.instructions},
                               {"mfma", row.mfma},
                               {"stall", row.stall}});
  for (const Symptom &row : report.symptoms)
    symptoms.push_back(Object{{"symptom", row.symptom},
                              {"bottleneck", row.bottleneck},
                              {"action", row.action},
                              {"evidence", text(row.evidence)},
                              {"share", row.share},
                              {"time_share", row.timeShare}});
  for (const std::string &kernel : report.trace.kernels)
    kernels.push_back(text(kernel));
  const MatrixUse &matrix = report.matrix;
  Object object{
      {"kernels", std::move(kernels)},
      {"writer", text(report.trace.writer)},
      {"simulated", report.trace.isSimulated()},
      {"agent", report.trace.agent},
      {"dispatch", report.trace.dispatch},
      {"totals", Object{{"instructions", report.instructions},
                        {"hits", report.hits},
                        {"latency", report.latency},
                        {"stall", report.stall},
                        {"idle", report.idle}}},
      {"types", std::move(types)},
      {"mix", std::move(mix)},
      {"mfma", Object{{"hits", matrix.hits},
                      {"share_of_instructions", matrix.shareOfInstructions},
                      {"share_of_loop", optional(matrix.shareOfLoop)},
                      {"share_of_wave", optional(matrix.shareOfWave)},
                      {"busy", optional(matrix.busy)}}},
      {"distances", std::move(distances)},
      {"occupancy", occupancyJSON(report)},
      {"symptoms", std::move(symptoms)}};
  if (view.byInstruction)
    object["instructions"] = instructionsJSON(report, view.top);
  if (view.bySource) {
    object["lines"] = linesJSON(report, /*compilerMade=*/false, view.top);
    object["compiler_made"] =
        linesJSON(report, /*compilerMade=*/true, report.lines.size());
  }
  Object notTold;
  if (report.distances.empty())
    notTold["distances"] = report.distancesNotTold;
  if (!report.occupancy)
    notTold["occupancy"] = text(report.occupancyNotTold);
  object["not_told"] = std::move(notTold);
  return object;
}
