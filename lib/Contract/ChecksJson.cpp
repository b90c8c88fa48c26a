//===- ChecksJson.cpp - Sites of checks as JSON, both ways ----------------===//
//
// `{"kind": "assert", "location": .., "text": .., "workgroup_rank": 2,
// "values": [{"type": "i1", "extents": [4, 8]}, ..]}`: part of a contract
// (ContractJson.cpp), absent where a kernel has no channel.
//
//===----------------------------------------------------------------------===//
#include "ContractJson.h"

using namespace fly::contract;
namespace json = llvm::json;

json::Array fly::contract::writeChecks(llvm::ArrayRef<CheckSite> sites) {
  json::Array array;
  for (const CheckSite &site : sites) {
    json::Array values;
    for (const CheckedValue &value : site.values) {
      json::Object entry{{"type", value.type}};
      if (value.extents)
        entry["extents"] = json::Array(*value.extents);
      values.push_back(std::move(entry));
    }
    array.push_back(json::Object{{"kind", site.isAssert ? "assert" : "print"},
                                 {"location", site.location},
                                 {"text", site.text},
                                 {"workgroup_rank", site.workgroupRank},
                                 {"values", std::move(values)}});
  }
  return array;
}

namespace fly::contract {

static bool fromJSON(const json::Value &value, CheckedValue &checked,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("type", checked.type) &&
         map.map("extents", checked.extents);
}

bool fromJSON(const json::Value &value, CheckSite &site, json::Path path) {
  json::ObjectMapper map(value, path);
  std::string kind;
  Word rank;
  if (!map || !map.map("kind", kind) || !map.map("location", site.location) ||
      !map.map("text", site.text) || !map.map("workgroup_rank", rank) ||
      !map.map("values", site.values))
    return false;
  if (kind != "assert" && kind != "print") {
    path.field("kind").report("expected assert or print");
    return false;
  }
  site.isAssert = kind == "assert";
  site.workgroupRank = rank.value;
  // An assert has its condition first.
  if (site.isAssert && site.values.empty()) {
    path.field("values").report("expected the condition of the assert");
    return false;
  }
  return true;
}

} // namespace fly::contract

json::Value fly::contract::toJSON(llvm::ArrayRef<CheckSite> sites) {
  return writeChecks(sites);
}

llvm::Expected<std::vector<CheckSite>>
fly::contract::checksFromJSON(const json::Value &value) {
  std::vector<CheckSite> sites;
  json::Path::Root root("checks");
  if (json::fromJSON(value, sites, root))
    return sites;
  return root.getError();
}
