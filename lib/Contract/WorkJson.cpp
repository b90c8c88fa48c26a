//===- WorkJson.cpp - A kernel's work as JSON, both ways ------------------===//
//
// `{"a": "bf16", "b": "bf16", "flop": "2 * M * N * K", "at_most": true,
// "over": [{"counter": "tile.0", "from": "0", "to": "M", "by": "128"}]}`: part
// of a contract (ContractJson.cpp), absent where a kernel has no products.
//
//===----------------------------------------------------------------------===//
#include "ContractJson.h"

using namespace fly::contract;
namespace json = llvm::json;

json::Array fly::contract::writeWork(llvm::ArrayRef<DotWork> work) {
  json::Array array;
  for (const DotWork &dots : work) {
    json::Object object{{"a", dots.a}, {"b", dots.b}};
    if (dots.flop)
      object["flop"] = dots.flop->str();
    if (dots.isAtMost)
      object["at_most"] = true;
    json::Array over;
    for (const Counter &counter : dots.over)
      over.push_back(json::Object{{"counter", counter.name},
                                  {"from", counter.from.str()},
                                  {"to", counter.to.str()},
                                  {"by", counter.by.str()}});
    if (!over.empty())
      object["over"] = std::move(over);
    array.push_back(std::move(object));
  }
  return array;
}

namespace fly::contract {

static bool fromJSON(const json::Value &value, Counter &counter,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("counter", counter.name) &&
         map.map("from", counter.from) && map.map("to", counter.to) &&
         map.map("by", counter.by);
}

bool fromJSON(const json::Value &value, DotWork &work, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("a", work.a) && map.map("b", work.b) &&
         map.map("flop", work.flop) &&
         map.mapOptional("at_most", work.isAtMost) &&
         map.mapOptional("over", work.over);
}

} // namespace fly::contract
