//===- TimingJson.cpp - the timing of a launch as JSON --------------------===//
#include "fly/Reports/Timing/TimingReport.h"

#include <algorithm>

using namespace fly;
using namespace fly::reports;
using namespace fly::sim;

static llvm::json::Object stallsJSON(const StallCycles &stalls) {
  llvm::json::Object object;
  for (unsigned i = 0; i != stallReasonCount; ++i)
    if (stalls[i])
      object[stallReasonName(StallReason(i))] = stalls[i];
  return object;
}

/// Bytes that each level of the memory system gave to loads of the launch, and
/// those that it writes to memory.
static llvm::json::Object bytesJSON(const TimingResult &timing) {
  constexpr uint64_t block = 64;
  const TimingCounters &c = timing.launchCounters;
  const CacheTraffic &traffic = timing.launchTraffic;
  uint64_t behind = std::min(c.memoryReads, c.l2ReadRequests);
  return llvm::json::Object{
      {"l1", c.l1Hits * block},
      {"l2", (c.l2ReadRequests - behind) * block},
      {"mall", traffic.mallBytes()},
      {"hbm", traffic.loadedBytes()},
      {"written", traffic.storedBytes()},
      {"fraction_32b",
       c.memoryReads ? double(c.memoryReads32) / double(c.memoryReads) : 0.0}};
}

/// What a launch of which only some workgroups are in detail was replayed with.
static llvm::json::Object detailJSON(const TimingResult &timing) {
  llvm::json::Array instructions;
  for (const InstructionTiming &row : timing.instructions) {
    if (!row.hits)
      continue;
    llvm::json::Object instruction{{"pc", row.pc},
                                   {"text", row.text},
                                   {"hits", row.hits},
                                   {"issue", row.issueCycles},
                                   {"stalls", stallsJSON(row.stalls)}};
    if (!row.source.empty())
      instruction["source"] = llvm::json::fixUTF8(row.source);
    if (row.ldsCycles) {
      instruction["lds_cycles"] = row.ldsCycles;
      instruction["lds_conflict_cycles"] = row.ldsConflictCycles;
    }
    instructions.push_back(std::move(instruction));
  }
  return llvm::json::Object{{"cycles", timing.detailCycles},
                            {"workgroups", timing.detailWorkgroups},
                            {"compute_units", timing.detailCus},
                            {"instructions", timing.instructionsReplayed},
                            {"mfma_busy_share", timing.mfmaBusyShare},
                            {"issue_cycles", timing.issueCycles},
                            {"stall_cycles", stallsJSON(timing.stalls)},
                            {"hotspots", std::move(instructions)}};
}

static llvm::json::Object trafficJSON(const CacheTraffic &traffic) {
  return llvm::json::Object{{"workgroups", traffic.workgroups},
                            {"l2_requests", traffic.requests},
                            {"l2_hits", traffic.l2Hits},
                            {"mall_hits", traffic.mallHits}};
}

llvm::json::Object fly::reports::toJSON(const TimingResult &timing) {
  llvm::json::Object counters;
  forEachCounter(timing.launchCounters,
                 [&](llvm::StringRef name, uint64_t value) {
                   counters[name.str()] = value;
                 });
  const TimingCounters &c = timing.launchCounters;
  llvm::json::Array whatIf;
  for (const WhatIf &entry : timing.whatIf) {
    llvm::json::Object row{
        {"free", freeResourceName(entry.resource)},
        {"cycles", entry.cycles},
        {"saved", int64_t(timing.cycles) - int64_t(entry.cycles)}};
    if (!entry.edit.empty()) {
      row["edit"] = entry.edit;
      row["edit_cycles"] = entry.editCycles;
    }
    whatIf.push_back(std::move(row));
  }
  return llvm::json::Object{
      {"cycles", timing.cycles},
      {"microseconds", timing.microseconds()},
      {"clock_mhz", timing.clockMhz},
      {"product", timing.product},
      {"instructions_by_class", llvm::json::Object{{"valu", c.valu - c.mfma},
                                                   {"mfma", c.mfma},
                                                   {"salu", c.salu},
                                                   {"smem", c.smem},
                                                   {"vmem", c.vmem},
                                                   {"lds", c.lds},
                                                   {"branch", c.branch}}},
      {"mfma_util", timing.mfmaUtil()},
      {"lds_conflict_cycles", c.ldsBankConflict},
      {"bytes", bytesJSON(timing)},
      {"recorded_traffic", trafficJSON(timing.traffic)},
      {"workgroups", timing.workgroups},
      {"occupancy",
       llvm::json::Object{
           {"workgroups_per_cu", timing.workgroupsPerCu},
           {"waves_per_simd", timing.wavesPerSimd},
           {"limiter", timing.occupancyLimiter},
           {"limited_by_padding", timing.occupancy.isLimitedByPadding},
           {"active_cus", timing.activeCus},
           {"compute_units", timing.computeUnits}}},
      {"detail", detailJSON(timing)},
      {"extrapolated", llvm::json::Array(timing.extrapolated)},
      {"counters", std::move(counters)},
      {"what_if", std::move(whatIf)},
      {"assumptions", llvm::json::Array(timing.assumptions)}};
}
