//===- TraceRows.cpp - distances of single instructions -------------------===//
//
// What a public instruction trace of an MI350X shows of one wave, caches cold.
//
//===----------------------------------------------------------------------===//
#include "HardwareRows.h"

using namespace fly;
using namespace fly::bench;

/// The events of the trace, in one wave.
static const char *const traceBody = R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx4 s[8:11], s[0:1], 0x10
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s20, s4
  s_add_u32 s20, s20, 1
  s_add_u32 s20, s20, 1
  v_mov_b32 v20, 1.0
  v_add_f32 v20, v20, v20
  v_add_f32 v20, v20, v20
  v_add_f32 v20, v20, v20
  .rept 4
  v_lshl_add_u64 v[22:23], v[20:21], 0, 0
  v_pk_mul_f32 v[22:23], v[22:23], v[22:23]
  v_mov_b32 v24, 1.0
  .endr
  s_cmp_lg_u32 s20, s20
  s_cbranch_scc1 finish
  s_nop 5
  v_lshlrev_b32 v1, 4, v0
  global_load_dwordx4 v[4:7], v1, s[6:7]
  global_load_dwordx4 v[8:11], v1, s[6:7] offset:1024
  global_load_dwordx4 v[12:15], v1, s[6:7] offset:2048
  s_waitcnt vmcnt(0)
  v_max_f32 v16, v4, v8
  v_lshlrev_b32 v2, 2, v0
  ds_write_b32 v2, v16
  s_waitcnt lgkmcnt(0)
  s_mov_b64 exec, 1
  v_mov_b32 v3, 0
  ds_read_b128 v[24:27], v3
  ds_read_b128 v[28:31], v3 offset:64
  s_waitcnt lgkmcnt(1)
  v_min_f32 v17, v24, v24
  global_store_dword v2, v17, s[6:7]
finish:
)";

namespace {

/// Where instructions of the one wave issued.
class Issues {
public:
  explicit Issues(const sim::TimingResult &timing) : timing(timing) {}

  const sim::WaveTiming &wave() const { return timing.waves.front(); }
  /// Issue of the n-th executed instruction whose text starts so.
  double operator()(llvm::StringRef text, unsigned n = 0) const {
    for (const sim::IssueEvent &event : wave().events)
      if (llvm::StringRef(timing.instructions[event.instruction].text)
              .starts_with(text) &&
          n-- == 0)
        return double(event.time + event.stall);
    return -1;
  }

  /// Least distance of two instructions that follow each other: without the
  /// bubbles of fetching.
  double least(llvm::StringRef first, llvm::StringRef second) const {
    double distance = -1;
    for (unsigned n = 0; (*this)(second, n) >= 0 && (*this)(first, n) >= 0; ++n)
      if (double d = (*this)(second, n) - (*this)(first, n);
          distance < 0 || d < distance)
        distance = d;
    return distance;
  }

private:
  const sim::TimingResult &timing;
};

} // namespace

static llvm::Expected<std::shared_ptr<const sim::TimingResult>>
runTrace(arch::Chip chip, llvm::StringRef body) {
  MicroShape shape;
  shape.ldsBytes = 4096;
  auto kernel = MicroKernel::create(chip, body, shape);
  if (!kernel)
    return kernel.takeError();
  auto buffer = (*kernel)->allocate(4096);
  if (!buffer)
    return buffer.takeError();
  MicroKernel::Launch launch;
  launch.arguments = {0, *buffer};
  return (*kernel)->run(launch);
}

llvm::Expected<std::vector<TraceDistance>>
fly::bench::traceDistances(arch::Chip chip) {
  auto timing = runTrace(chip, traceBody);
  if (!timing)
    return timing.takeError();
  auto empty = runTrace(chip, "");
  if (!empty)
    return empty.takeError();
  Issues at(**timing), nothing(**empty);
  std::vector<TraceDistance> distances;
  auto add = [&](const char *what, double low, double high, double model,
                 const char *source = "[HW] MI350X instruction trace") {
    distances.push_back({what, low, high, model, source, /*isInput=*/false});
  };
  // coldStart, scalarLoadCold, coldMiss and storeToEnd are such figures.
  auto addInput = [&](const char *what, double low, double high, double model) {
    add(what, low, high, model);
    distances.back().isInput = true;
  };
  addInput("wave start to first issue", 360, 756,
           at("s_load") - double(at.wave().begin));
  add("life of a wave of an empty kernel", 1036, 1036,
      double(nothing.wave().end - nothing.wave().begin));
  add("consecutive s_load", 4, 4, at("s_load", 1) - at("s_load"));
  add("scalar chain", 4, 4, at("s_add_u32", 1) - at("s_add_u32"));
  addInput("s_load to use, cold", 740, 780,
           at("s_mov_b32 s20") - at("s_load", 1));
  add("dependent v_add_f32", 4, 4, at("v_add_f32", 1) - at("v_add_f32"));
  add("v_lshl_add_u64 to next vector instruction", 4, 4,
      at.least("v_lshl_add_u64", "v_pk_mul_f32"));
  add("v_pk_mul_f32 to next vector instruction", 4, 4,
      at.least("v_pk_mul_f32", "v_mov_b32_e32 v24"));
  add("branch not taken", 4, 4, at("s_nop") - at("s_cbranch"));
  add("s_nop 5", 24, 24, at("v_lshlrev_b32_e32 v1") - at("s_nop"),
      "[HW] MI308X study");
  add("vector instruction to dependent global_load", 8, 16,
      at("global_load") - at("v_lshlrev_b32_e32 v1"));
  add("consecutive global_load", 4, 4,
      at("global_load", 1) - at("global_load"));
  addInput("three global_load to use, cold", 1800, 1912,
           at("v_max_f32") - at("global_load"));
  add("vector instruction to dependent ds_write", 8, 16,
      at("ds_write") - at("v_lshlrev_b32_e32 v2"));
  add("ds_write_b32 to lgkmcnt(0)", 40, 52,
      at("s_waitcnt", 2) - at("ds_write"));
  add("v_mov to dependent ds_read", 8, 12,
      at("ds_read") - at("v_mov_b32_e32 v3"));
  add("consecutive ds_read", 4, 4, at("ds_read", 1) - at("ds_read"));
  add("ds_read_b128 of one lane to use", 32, 60,
      at("v_min_f32") - at("ds_read"));
  addInput("store to end of wave", 184, 280,
           double(at.wave().end) - at("global_store"));
  return distances;
}

llvm::Error fly::bench::addTraceRows(Rows &rows) {
  auto distances = traceDistances(arch::Chip::Gfx950);
  if (!distances)
    return distances.takeError();
  for (const TraceDistance &distance : *distances) {
    HardwareRow row;
    row.chip = arch::Chip::Gfx950;
    row.group = "distances of instructions";
    row.what = distance.what;
    row.unit = "cycles";
    row.low = distance.low;
    row.high = distance.high;
    row.model = distance.model;
    row.source = distance.source;
    row.isInput = distance.isInput;
    rows.push_back(row);
  }
  return llvm::Error::success();
}
