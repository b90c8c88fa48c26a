//===- LayoutSvg.cpp - Layout reports as a picture ------------------------===//
//
// Sections from the top to the bottom. Colours are those of waves for tiles,
// from green to red with the degree of conflicts for banks; every shape has a
// title, which a browser shows under the mouse.
//
//===----------------------------------------------------------------------===//
#include "fly/Reports/Layout/LayoutReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace fly::reports;
namespace arch = fly::arch;

namespace {
/// Pixels.
constexpr unsigned kCell = 12, kMargin = 8, kLine = 18;

class Picture {
public:
  void add(const TileReport &tile);
  void add(const AccessReport &access);
  void write(llvm::raw_ostream &os) const {
    os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""
       << width + kMargin << "\" height=\"" << y + kMargin
       << "\" font-family=\"monospace\" font-size=\"9\">\n"
       << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
       << body << "</svg>\n";
  }

private:
  /// Text may hold what XML reserves.
  static std::string escape(llvm::StringRef text) {
    std::string result;
    llvm::raw_string_ostream os(result);
    llvm::printHTMLEscaped(text, os);
    return result;
  }
  void heading(const std::string &text) {
    y += kLine;
    body += "<text x=\"" + std::to_string(kMargin) + "\" y=\"" +
            std::to_string(y) + "\" font-size=\"12\">" + escape(text) +
            "</text>\n";
    width = std::max<uint64_t>(width, kMargin + 8 * text.size());
    y += kMargin;
  }
  void box(uint64_t left, uint64_t top, uint64_t wide, const std::string &fill,
           const std::string &title, const std::string &label = "") {
    std::string at = "x=\"" + std::to_string(kMargin + left) + "\" y=\"" +
                     std::to_string(y + top) + "\"";
    body += "<rect " + at + " width=\"" + std::to_string(wide) +
            "\" height=\"" + std::to_string(kCell) + "\" fill=\"" + fill +
            "\" stroke=\"#888\" stroke-width=\"0.5\"><title>" + escape(title) +
            "</title></rect>\n";
    if (!label.empty())
      body += "<text x=\"" + std::to_string(kMargin + left + 1) + "\" y=\"" +
              std::to_string(y + top + kCell - 3) + "\">" + label + "</text>\n";
    width = std::max(width, kMargin + left + wide);
  }

  std::string body;
  uint64_t width = 0, y = 0;
};
} // namespace

/// A light colour for a number, others for its neighbours.
static std::string waveColour(unsigned wave) {
  return "hsl(" + std::to_string(wave * 137 % 360) + ",60%,80%)";
}

void Picture::add(const TileReport &tile) {
  heading(tile.name + ": " + tile.type);
  for (const Run &run : tile.map.runs()) {
    const Holder &holder = run.first;
    std::string slots = std::to_string(holder.slot);
    if (run.count > 1)
      slots += "-" + std::to_string(holder.slot + run.count - 1);
    box(run.column * kCell, run.row * kCell, run.count * kCell,
        waveColour(holder.wave),
        "row " + std::to_string(run.row) + " column " +
            std::to_string(run.column) + ": wave " +
            std::to_string(holder.wave) + " lane " +
            std::to_string(holder.lane) + " slot " + slots,
        std::to_string(holder.lane));
  }
  y += tile.map.getRows() * kCell;
}

void Picture::add(const AccessReport &access) {
  std::string what = std::string(access.isRead ? "read of " : "write of ") +
                     access.view + ", " + std::to_string(access.bytesPerLane) +
                     " bytes a lane";
  auto lanes = [&](llvm::function_ref<void(unsigned, uint64_t)> visit) {
    for (auto [lane, address] : llvm::enumerate(access.addresses))
      if (access.exec >> lane & 1)
        visit(lane, address);
  };
  if (access.inLds) {
    if (!access.served)
      return;
    heading(what + ": banks across, phases down, degree " +
            std::to_string(access.cost.degree));
    unsigned banks = access.served->banks;
    std::vector<std::string> cells(size_t(access.served->phases) * banks);
    std::vector<unsigned> counts(cells.size());
    lanes([&](unsigned lane, uint64_t address) {
      for (uint64_t byte = 0; byte < access.bytesPerLane; byte += 4) {
        size_t cell = access.served->phaseOfLane[lane] * size_t(banks) +
                      (address + byte) / 4 % banks;
        cells[cell] += " " + std::to_string(lane);
        ++counts[cell];
      }
    });
    for (auto [cell, text] : llvm::enumerate(cells))
      box(cell % banks * kCell, cell / banks * kCell, kCell,
          counts[cell] == 0 ? "#f4f4f4"
                            : "hsl(" +
                                  std::to_string(std::max(
                                      0, 120 - 30 * int(counts[cell] - 1))) +
                                  ",60%,75%)",
          "bank " + std::to_string(cell % banks) + ", lanes" + text,
          counts[cell] > 1 ? std::to_string(counts[cell]) : "");
    y += access.served->phases * kCell;
    return;
  }
  heading(what + ": " + std::to_string(access.segments) +
          " segments, memory across");
  // A line a segment, in the order of addresses.
  std::vector<std::pair<uint64_t, unsigned>> starts;
  lanes([&](unsigned lane, uint64_t address) {
    starts.emplace_back(address, lane);
  });
  llvm::sort(starts);
  uint64_t begin = 0, end = 0;
  unsigned line = 0;
  bool isFirst = true;
  for (auto [address, lane] : starts) {
    if (isFirst || address > end) {
      line += !isFirst;
      begin = address;
    }
    isFirst = false;
    end = std::max(end, address + access.bytesPerLane);
    // Two pixels a byte, so that the widest access has room for its lane.
    box((address - begin) * 2, line * kCell, access.bytesPerLane * 2,
        waveColour(lane), "lane " + std::to_string(lane),
        access.bytesPerLane >= 8 ? std::to_string(lane) : "");
  }
  y += (line + 1) * kCell;
}

void fly::reports::printSvg(llvm::raw_ostream &os, const LayoutReport &report) {
  Picture picture;
  for (const TileReport &tile : report.tiles)
    picture.add(tile);
  for (const AccessReport &access : report.accesses)
    picture.add(access);
  picture.write(os);
}
