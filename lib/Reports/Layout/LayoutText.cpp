//===- LayoutText.cpp - Layout reports for people and programs ------------===//
#include "fly/Reports/Layout/LayoutReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace fly::reports;
namespace json = llvm::json;
namespace arch = fly::arch;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// "0-3", or "5" for one.
static std::string range(int64_t first, int64_t count) {
  std::string text = std::to_string(first);
  return count == 1 ? text : text + "-" + std::to_string(first + count - 1);
}

static void printMap(llvm::raw_ostream &os, const TileReport &tile) {
  bool isRow = tile.map.getShape().size() < 2;
  for (const Run &run : tile.map.runs()) {
    os << "    ";
    if (!isRow)
      os << "row " << run.row << " column";
    else
      os << "element";
    os << ' ' << range(run.column, run.count) << ": wave " << run.first.wave
       << " lane " << run.first.lane << " slot "
       << range(run.first.slot, run.count) << '\n';
  }
}

static void print(llvm::raw_ostream &os, const std::string &name,
                  const TileReport &tile, bool maps) {
  const TileMap &map = tile.map;
  const fly::LaneMap &lanes = map.getLaneMap();
  os << "  " << (name.empty() ? "tile" : name) << ": " << tile.type << '\n';
  size_t slots = lanes.tails.size();
  os << "    a lane holds ";
  llvm::interleave(lanes.registers, os, " x ");
  os << " = " << slots << " elements";
  if (tile.elementBits)
    os << ", " << llvm::divideCeil(slots * tile.elementBits, 32)
       << " registers";
  auto [most, fewest] = map.multiplicity();
  os << "; " << map.getThreads() / arch::waveLanes << " waves, each element ";
  if (most == fewest)
    os << (most == 1 ? "once" : std::to_string(most) + " times");
  else
    os << fewest << " to " << most << " times";
  os << '\n';
  for (unsigned dim = 0; dim < map.getShape().size(); ++dim) {
    llvm::StringRef name = map.getShape().size() < 2 ? "element"
                           : dim == 0                ? "row"
                                                     : "column";
    os << "    " << name << " of slot 0: " << map.formula(dim) << '\n';
  }
  if (maps)
    printMap(os, tile);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The banks of the phases: for each phase and bank, how many different dwords
/// its lanes touch.
static std::vector<std::vector<unsigned>>
countBanks(const AccessReport &access) {
  std::vector<std::vector<unsigned>> counts(
      access.served->phases, std::vector<unsigned>(access.served->banks));
  std::vector<std::vector<uint64_t>> seen(access.served->phases);
  for (unsigned lane = 0; lane < arch::waveLanes; ++lane) {
    if (!(access.exec >> lane & 1))
      continue;
    unsigned phase = access.served->phaseOfLane[lane];
    uint64_t first = access.addresses[lane] / 4;
    uint64_t last = (access.addresses[lane] + access.bytesPerLane - 1) / 4;
    for (uint64_t dword = first; dword <= last; ++dword)
      if (!llvm::is_contained(seen[phase], dword)) {
        seen[phase].push_back(dword);
        ++counts[phase][dword % access.served->banks];
      }
  }
  return counts;
}

static void printBanks(llvm::raw_ostream &os, const AccessReport &access) {
  os << "    dwords on each of the " << access.served->banks
     << " banks, a line for each phase:\n";
  for (const auto &phase : countBanks(access)) {
    os << "      ";
    for (unsigned count : phase)
      os << (count > 9 ? '+' : char(count ? '0' + count : '.'));
    os << '\n';
  }
}

static void print(llvm::raw_ostream &os, const AccessReport &access,
                  bool maps) {
  os << "  ";
  if (access.line)
    os << "line " << access.line << ": ";
  os << access.count << (access.isRead ? " read" : " write")
     << (access.count == 1 ? "" : "s") << " of " << access.view << ", ";
  if (access.pieces > 1)
    os << access.pieces << " times ";
  os << access.bytesPerLane << " bytes a lane";
  if (unsigned active = llvm::popcount(access.exec); active < 64)
    os << ", " << active << " lanes";
  if (!access.inLds) {
    os << ": " << access.segments
       << (access.segments == 1 ? " segment" : " segments") << " of "
       << range(access.shortestSegment,
                access.longestSegment - access.shortestSegment + 1)
       << " bytes, up to " << access.contiguousLanes << " lanes contiguous\n";
    return;
  }
  if (!access.served) {
    os << ": no figures for this width\n";
    return;
  }
  os << ": " << access.served->mnemonic << ", " << access.cost.phases
     << " phases, degree " << access.cost.degree << ", "
     << access.cost.conflictCycles << " conflict cycles\n";
  if (maps)
    printBanks(os, access);
}

void fly::reports::print(llvm::raw_ostream &os, const LayoutReport &report,
                         bool maps) {
  if (!report.kernel.empty())
    os << report.kernel << "  " << report.chip << '\n';
  if (!report.tiles.empty())
    os << "tiles\n";
  // Tiles of one type together, where the first of them stands.
  for (size_t i = 0; i < report.tiles.size(); ++i) {
    const TileReport &tile = report.tiles[i];
    auto isSame = [&](const TileReport &other) {
      return other.type == tile.type;
    };
    llvm::ArrayRef<TileReport> tiles(report.tiles);
    if (llvm::any_of(tiles.take_front(i), isSame))
      continue;
    std::string names = tile.name;
    for (const TileReport &other : tiles.drop_front(i + 1))
      if (isSame(other))
        names += ", " + other.name;
    ::print(os, names, tile, maps);
  }
  for (bool inLds : {true, false}) {
    auto isHere = [&](const AccessReport &access) {
      return access.inLds == inLds;
    };
    if (llvm::any_of(report.accesses, isHere))
      os << (inLds ? "LDS\n" : "global memory\n");
    for (const AccessReport &access : report.accesses)
      if (isHere(access))
        ::print(os, access, maps);
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Value toJSON(const TileReport &tile) {
  const TileMap &map = tile.map;
  json::Array elements;
  for (int64_t row = 0; row < map.getRows(); ++row)
    for (int64_t column = 0; column < map.getColumns(); ++column) {
      json::Array holders;
      for (const Holder &holder : map.holders(row, column))
        holders.push_back(json::Array{holder.wave, holder.lane, holder.slot});
      elements.push_back(std::move(holders));
    }
  json::Array registers;
  for (int64_t extent : map.getLaneMap().registers)
    registers.push_back(extent);
  json::Array shape;
  for (int64_t extent : map.getShape())
    shape.push_back(extent);
  return json::Object{{"name", tile.name},
                      {"type", tile.type},
                      {"layout", tile.layout},
                      {"shape", std::move(shape)},
                      {"element_bits", tile.elementBits},
                      {"waves", map.getThreads() / arch::waveLanes},
                      {"registers", std::move(registers)},
                      {"elements", std::move(elements)}};
}

static json::Value toJSON(const AccessReport &access) {
  json::Array addresses;
  for (auto [lane, address] : llvm::enumerate(access.addresses))
    addresses.push_back(access.exec >> lane & 1 ? json::Value(address)
                                                : json::Value(nullptr));
  json::Object object{{"view", access.view},
                      {"line", access.line},
                      {"access", access.isRead ? "read" : "write"},
                      {"memory", access.inLds ? "lds" : "global"},
                      {"count", access.count},
                      {"pieces", access.pieces},
                      {"bytes_per_lane", access.bytesPerLane},
                      {"addresses", std::move(addresses)}};
  if (!access.inLds) {
    object["segments"] = access.segments;
    object["segment_bytes"] =
        json::Array{access.shortestSegment, access.longestSegment};
    object["contiguous_lanes"] = access.contiguousLanes;
    object["bytes"] = access.bytes;
  } else if (access.served) {
    object["instruction"] = access.served->mnemonic;
    object["phases"] = access.cost.phases;
    object["degree"] = access.cost.degree;
    object["conflict_cycles"] = access.cost.conflictCycles;
    json::Array banks;
    for (const auto &phase : countBanks(access))
      banks.push_back(json::Array(phase));
    object["dwords_per_bank"] = std::move(banks);
  }
  return object;
}

json::Value fly::reports::toJSON(const LayoutReport &report) {
  json::Array tiles, accesses;
  for (const TileReport &tile : report.tiles)
    tiles.push_back(::toJSON(tile));
  for (const AccessReport &access : report.accesses)
    accesses.push_back(::toJSON(access));
  return json::Object{{"kernel", report.kernel},
                      {"chip", report.chip},
                      {"tiles", std::move(tiles)},
                      {"accesses", std::move(accesses)}};
}
