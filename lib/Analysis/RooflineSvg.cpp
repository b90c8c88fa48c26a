//===- RooflineSvg.cpp - Rooflines as a picture ---------------------------===//
//
// Work a second over work a byte, both logarithmic: the slope of memory, the
// roofs of the types, for each kernel the point that it may reach and, with a
// time, the one that it does. Every mark has a title, which a browser shows
// under the mouse.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/Roofline.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace fly;
using namespace fly::analysis;
using llvm::formatv;

namespace {
/// Pixels.
constexpr double kWidth = 720, kHeight = 440, kLeft = 70, kTop = 30,
                 kBottom = 50, kRight = 20;

/// A range of powers of ten on an axis.
struct Axis {
  double least, most; ///< Exponents.
  double from, to;    ///< Pixels.
  double at(double value) const {
    double share = (std::log10(value) - least) / (most - least);
    return from + std::clamp(share, 0.0, 1.0) * (to - from);
  }
};

class Plot {
public:
  Plot(llvm::raw_ostream &os, llvm::ArrayRef<RooflineReport> reports)
      : os(os), reports(reports) {
    double least = 1, most = 1, fast = 1, slow = 1;
    for (const RooflineReport &report : reports) {
      double reach = roofAt(report, report.intensity());
      double crossover = report.crossover().value_or(1);
      least = std::min({least, positive(report.intensity()), crossover});
      most = std::max({most, report.intensity(), crossover * 10});
      fast = std::max(fast, report.peak ? *report.peak : reach);
      slow = std::min({slow, positive(reach), positive(speedOf(report))});
    }
    x = {std::floor(std::log10(least)), std::ceil(std::log10(most)), kLeft,
         kWidth - kRight};
    y = {std::floor(std::log10(slow)), std::ceil(std::log10(fast) + 0.1),
         kHeight - kBottom, kTop};
  }

  void print() {
    os << formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
                  "height=\"{1}\" font-family=\"sans-serif\" "
                  "font-size=\"11\">\n",
                  kWidth, kHeight)
       << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    grid();
    roofs();
    for (const RooflineReport &report : reports)
      points(report);
    os << "</svg>\n";
  }

private:
  static double positive(double value) { return value > 0 ? value : 1e-3; }
  static double roofAt(const RooflineReport &report, double intensity) {
    double memory = positive(intensity) * *report.bandwidth / 1e3;
    return report.peak ? std::min(memory, *report.peak) : memory;
  }
  /// Reached, in 10^12 operations a second; the roof where nothing is measured.
  static double speedOf(const RooflineReport &report) {
    return report.measured
               ? report.work.flop / report.measured->microseconds / 1e6
               : roofAt(report, report.intensity());
  }
  void text(double left, double top, llvm::StringRef anchor,
            llvm::StringRef content) {
    os << formatv("<text x=\"{0:f1}\" y=\"{1:f1}\" text-anchor=\"{2}\">", left,
                  top, anchor);
    llvm::printHTMLEscaped(content, os);
    os << "</text>\n";
  }
  void line(double x1, double y1, double x2, double y2, llvm::StringRef style) {
    os << formatv("<line x1=\"{0:f1}\" y1=\"{1:f1}\" x2=\"{2:f1}\" "
                  "y2=\"{3:f1}\" {4}/>\n",
                  x1, y1, x2, y2, style);
  }
  void grid() {
    for (double power = x.least; power <= x.most; ++power) {
      double at = x.at(std::pow(10, power));
      line(at, y.from, at, y.to, "stroke=\"#ddd\"");
      text(at, kHeight - kBottom + 15, "middle", label(power));
    }
    for (double power = y.least; power <= y.most; ++power) {
      double at = y.at(std::pow(10, power));
      line(x.from, at, x.to, at, "stroke=\"#ddd\"");
      text(kLeft - 6, at + 4, "end", label(power));
    }
    text((x.from + x.to) / 2, kHeight - 12, "middle", "FLOP a byte");
    text(kLeft - 6, kTop - 12, "middle", "TFLOPS");
  }
  static std::string label(double power) {
    if (power >= 0)
      return formatv("{0:f0}", std::pow(10, power));
    return "0." + std::string(size_t(-power) - 1, '0') + "1";
  }
  void roofs() {
    std::set<double> drawn;
    for (const RooflineReport &report : reports) {
      double slope = *report.bandwidth / 1e3;
      double peak = report.peak ? *report.peak : std::pow(10, y.most);
      if (!drawn.insert(peak).second)
        continue;
      double corner = peak / slope, begin = std::pow(10, x.least);
      if (begin * slope < std::pow(10, y.least))
        begin = std::pow(10, y.least) / slope;
      line(x.at(begin), y.at(begin * slope), x.at(corner), y.at(peak),
           "stroke=\"#06c\" stroke-width=\"2\"");
      if (!report.peak)
        continue;
      line(x.at(corner), y.at(peak), x.to, y.at(peak),
           "stroke=\"#06c\" stroke-width=\"2\"");
      text(x.to, y.at(peak) - 5, "end",
           formatv("{0:f0} TFLOPS {1} ({2})", peak,
                   arch::elementTypeName(report.work.types->first),
                   report.product->name)
               .str());
    }
    if (!reports.empty())
      text(kLeft + 6, kTop + 12, "start",
           formatv("{0} GB/s", *reports.front().bandwidth).str());
  }
  void points(const RooflineReport &report) {
    double left = x.at(positive(report.intensity()));
    double roof = roofAt(report, report.intensity()), speed = speedOf(report);
    if (report.measured) {
      line(left, y.at(positive(roof)), left, y.at(positive(speed)),
           "stroke=\"#999\" stroke-dasharray=\"3\"");
      mark(left, y.at(positive(speed)), report.isImpossible() ? "#d00" : "#080",
           formatv("{0}: {1:f2} TFLOPS {2}", report.work.name, speed,
                   report.measured->source)
               .str());
    }
    mark(left, y.at(positive(roof)), "none",
         formatv("{0}: at most {1:f2} TFLOPS, {2}-bound", report.work.name,
                 roof, getName(report.regime))
             .str());
    text(left + 8, y.at(positive(speed)) + 14, "start", report.work.name);
  }
  void mark(double left, double top, llvm::StringRef fill,
            llvm::StringRef title) {
    os << formatv("<circle cx=\"{0:f1}\" cy=\"{1:f1}\" r=\"4\" fill=\"{2}\" "
                  "stroke=\"black\"><title>",
                  left, top, fill);
    llvm::printHTMLEscaped(title, os);
    os << "</title></circle>\n";
  }

  llvm::raw_ostream &os;
  llvm::ArrayRef<RooflineReport> reports;
  Axis x, y;
};
} // namespace

void fly::analysis::printSvg(llvm::raw_ostream &os,
                             llvm::ArrayRef<RooflineReport> reports) {
  Plot(os, reports).print();
}
