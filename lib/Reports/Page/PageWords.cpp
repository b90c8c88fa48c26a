//===- PageWords.cpp - What keys of reports are called on pages -----------===//
//
// JSON has no order, so one is given here: the order of this table. A key that
// is not in it stands between its two halves.
//
//===----------------------------------------------------------------------===//
#include "PageWords.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <tuple>

using namespace fly;
using namespace fly::reports;
using llvm::StringRef;

namespace {
struct Place {
  StringRef key;
  Show show = Show::Plain;
};
/// What names a row, and what is asked first.
constexpr Place first[] = {
    {"holds", Show::Verdict},
    {"legal", Show::Verdict},
    {"stage"},
    {"check"},
    {"name"},
    {"key"},
    {"kernel"},
    {"resource"},
    {"symptom"},
    {"bottleneck"},
    {"what"},
    {"label"},
    {"text", Show::Code},
    {"address", Show::Address},
    {"source", Show::Code},
    {"product"},
    {"chip"},
    {"metric"},
    {"before"},
    {"after"},
    {"value"},
    {"unit"},
    {"change", Show::Change},
    {"ratio"},
    {"delta"},
    {"worse_percent", Show::Percent},
    {"noise_percent", Show::Percent},
    {"share", Show::Share},
    {"stall_share", Show::Share},
    {"edit_gain", Show::Share},
    {"gain", Show::Share},
    {"calls"},
    {"total_ns"},
    {"regime"},
    {"reason"},
    {"intensity"},
    {"crossover"},
    {"limiter"},
    {"waves_per_simd"},
    {"workgroups_per_cu"},
    {"stall"},
    {"latency"},
    {"hits"},
    {"type"},
    {"kind"},
    // Sections.
    {"measured"},
    {"limits"},
    {"together"},
    {"rows"},
    {"kernels"},
    {"figures"},
    {"totals"},
    {"symptoms"},
    {"instructions"},
    {"lines"},
    {"types"},
    {"mix"},
    {"dots", Show::Blocks},
};
/// What explains.
constexpr Place last[] = {
    {"used"},      {"allocated"}, {"granule"},      {"capacity"},
    {"next"},      {"action"},    {"evidence"},     {"fix"},
    {"told_by"},   {"not_told"},  {"impossible"},   {"rules"},
    {"decisions"}, {"problems"},  {"counters"},     {"notes"},
    {"missing"},   {"added"},     {"not_compared"}, {"warnings"},
    {"unknown"},
};
/// How others are shown.
constexpr Place others[] = {
    {"mfma_share_ceiling", Show::Share}, {"mfma_util", Show::Percent},
    {"compute_share", Show::Share},      {"memory_share", Show::Share},
    {"hit_share", Show::Share},          {"share_of_instructions", Show::Share},
    {"share_of_wave", Show::Share},      {"busy", Show::Share},
    {"instruction", Show::Code},
};
} // namespace

static const Place *findPlace(llvm::ArrayRef<Place> places, StringRef key) {
  const Place *found = llvm::find_if(
      places, [&](const Place &place) { return place.key == key; });
  return found == places.end() ? nullptr : found;
}

Show reports::getShow(StringRef key) {
  for (llvm::ArrayRef<Place> places :
       {llvm::ArrayRef(first), llvm::ArrayRef(last), llvm::ArrayRef(others)})
    if (const Place *found = findPlace(places, key))
      return found->show;
  return Show::Plain;
}

std::vector<StringRef> reports::sortKeys(std::vector<StringRef> keys) {
  auto rank = [](StringRef key) {
    if (const Place *found = findPlace(first, key))
      return std::tuple(0, found - first, StringRef());
    if (const Place *found = findPlace(last, key))
      return std::tuple(2, found - last, StringRef());
    return std::tuple(1, ptrdiff_t(0), key);
  };
  llvm::sort(keys, [&](StringRef a, StringRef b) { return rank(a) < rank(b); });
  return keys;
}

/// A word of a key as people write it.
static StringRef toWord(StringRef word) {
  return llvm::StringSwitch<StringRef>(word)
      .Case("vgpr", "VGPR")
      .Case("agpr", "AGPR")
      .Case("sgpr", "SGPR")
      .Case("vgprs", "VGPRs")
      .Case("sgprs", "SGPRs")
      .Case("lds", "LDS")
      .Case("mfma", "MFMA")
      .Case("valu", "VALU")
      .Case("salu", "SALU")
      .Case("vmem", "VMEM")
      .Case("hbm", "HBM")
      .Case("simd", "SIMD")
      .Case("cu", "compute unit")
      .Case("us", "µs")
      .Case("gbs", "GB/s")
      .Case("flop", "FLOP")
      .Case("tera", "10¹²")
      .Case("ops", "operations a second")
      .Case("percent", "%")
      .Default(word);
}

std::string reports::toWords(StringRef key) {
  llvm::SmallVector<StringRef> words;
  key.split(words, '_');
  std::string result;
  for (StringRef word : words)
    result += (result.empty() ? "" : " ") + toWord(word).str();
  return result;
}
