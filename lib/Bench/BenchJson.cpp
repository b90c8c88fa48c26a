//===- BenchJson.cpp - Mechanisms, predictions and tables for programs ----===//
//
// What the tables for people say, under names.
//
//===----------------------------------------------------------------------===//
#include "fly/Bench/Mechanisms.h"
#include "fly/Bench/Predictions.h"
#include "fly/Bench/TableRun.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::bench;
namespace json = llvm::json;

static const char *verdictKey(MechanismResult::Verdict verdict) {
  switch (verdict) {
  case MechanismResult::Verdict::NotJudged:
    return "not judged";
  case MechanismResult::Verdict::Right:
    return "right";
  case MechanismResult::Verdict::WrongSign:
    return "wrong sign";
  case MechanismResult::Verdict::WrongSize:
    return "wrong size";
  }
  return "";
}

json::Value fly::bench::toJSON(llvm::ArrayRef<MechanismResult> results) {
  json::Array array;
  for (const MechanismResult &result : results) {
    bool isHits = result.measure == Measure::L2Hits;
    json::Object object{{"mechanism", result.name},
                        {"kernel", result.kernel},
                        {"measure", isHits ? "L2 hits, percent" : "cycles"},
                        {"before", result.before},
                        {"after", result.after},
                        {"gain", result.gain()},
                        {"known", result.known.text},
                        {"verdict", verdictKey(result.verdict())},
                        {"detail", result.detail}};
    if (result.known.isSized()) {
      object["known_low"] = result.known.low;
      object["known_high"] = result.known.high;
    }
    array.push_back(std::move(object));
  }
  return array;
}

json::Value fly::bench::toJSON(llvm::ArrayRef<Prediction> rows) {
  json::Array figures, orders;
  for (const Prediction &row : rows) {
    json::Object object{{"product", row.product},
                        {"figure", row.kernel},
                        {"type", row.type},
                        {"published_tera_ops", row.published}};
    if (row.isPredicted()) {
      object["model_tera_ops"] = row.model;
      object["error"] = row.error();
      object["peak_tera_ops"] = row.peak;
      object["mfma_busy_share"] = row.mfmaBusyShare;
      object["extrapolated"] = json::Array(row.extrapolated);
    } else {
      object["unknown"] = row.unknown;
    }
    figures.push_back(std::move(object));
  }
  for (const PredictedPair &pair : pairsOf(rows))
    orders.push_back(json::Object{
        {"faster", pair.faster->product + " " + pair.faster->kernel},
        {"slower", pair.slower->product + " " + pair.slower->kernel},
        {"published", pair.published()},
        {"model", pair.model()},
        {"is_right", pair.isRight()}});
  return json::Object{{"figures", std::move(figures)},
                      {"orders", std::move(orders)}};
}

json::Value fly::bench::toJSON(const Table &table,
                               llvm::ArrayRef<TableResult> results,
                               llvm::StringRef device) {
  json::Array array;
  for (const auto &[row, result] : llvm::zip_equal(table.rows, results)) {
    json::Object names, object;
    for (const auto &[name, cell] : llvm::zip_equal(table.names, row.names))
      names[name] = cell;
    object["line"] = int64_t(row.line);
    object["row"] = std::move(names);
    object["device"] = device;
    object["status"] = result.status;
    if (!result.message.empty())
      object["message"] = result.message;
    // What is not measured is not there.
    for (const auto &[key, value] : {std::pair("time_us", &result.microseconds),
                                     std::pair("cycles", &result.cycles),
                                     std::pair("mfma_util", &result.mfmaUtil),
                                     std::pair("hbm_bytes", &result.hbmBytes)})
      if (*value)
        object[key] = **value;
    for (const auto &[key, value] :
         {std::pair("waves_per_simd", &result.wavesPerSimd),
          std::pair("vgpr", &result.vgpr), std::pair("agpr", &result.agpr),
          std::pair("lds_bytes", &result.ldsBytes)})
      if (*value)
        object[key] = int64_t(**value);
    if (!result.samples.empty())
      object["samples_us"] = json::Array(result.samples);
    array.push_back(std::move(object));
  }
  return array;
}
