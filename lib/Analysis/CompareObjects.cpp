//===- CompareObjects.cpp - Two versions of the same kernels --------------===//
#include "fly/Analysis/CompareObjects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

#include "JsonTexts.h"

using namespace fly;
using namespace fly::analysis;
using llvm::formatv;

double ComparedFigure::worsePercent() const {
  double worse = lessIsWorse ? before - after : after - before;
  if (worse == 0)
    return 0;
  return before == 0
             ? std::copysign(std::numeric_limits<double>::infinity(), worse)
             : 100 * worse / std::abs(before);
}

unsigned ObjectComparison::countRegressions() const {
  unsigned count = 0;
  for (const ComparedKernel &kernel : kernels)
    count += unsigned(
        llvm::count_if(kernel.figures, [](const ComparedFigure &figure) {
          return figure.isWorse();
        }));
  return count;
}

bool ObjectComparison::hasFailed() const {
  if (!failAbove)
    return kernels.empty();
  return kernels.empty() || !missing.empty() ||
         llvm::any_of(kernels, [&](const ComparedKernel &kernel) {
           return !kernel.lost.empty() ||
                  llvm::any_of(kernel.figures,
                               [&](const ComparedFigure &figure) {
                                 return figure.isWorse() &&
                                        figure.worsePercent() > *failAbove;
                               });
         });
}

/// Code of a few instructions more runs no slower; from this share on it may
/// be an unrolling or spills that nobody wanted. Our threshold.
static constexpr double codeFloorPercent = 5;

namespace {
/// Builds the figures of one kernel.
class KernelComparer {
public:
  KernelComparer(const IsaFigures &before, const IsaFigures &after)
      : before(before), after(after) {
    result.name = before.kernel;
  }

  ComparedKernel compare() {
    if (before.kernel != after.kernel)
      result.notes.push_back("named '" + after.kernel + "' after");
    if (before.chip != after.chip)
      result.notes.push_back("for " + before.chip + " before, for " +
                             after.chip + " after");
    addRegisters();
    add("SGPR", "sgpr");
    add("VGPR spills", "vgpr_spills");
    add("SGPR spills", "sgpr_spills");
    add("scratch bytes a lane", "scratch_bytes");
    add("LDS bytes", "lds_bytes");
    add("waves a SIMD", "waves_per_simd", /*lessIsWorse=*/true);
    add("code bytes", "code_bytes");
    if (!result.figures.empty() && result.figures.back().name == "code bytes")
      result.figures.back().floorPercent = codeFloorPercent;
    addLoop();
    return std::move(result);
  }

private:
  static std::optional<double> find(const IsaFigures &figures,
                                    const std::string &name) {
    auto found = figures.numbers.find(name);
    return found == figures.numbers.end() ? std::nullopt
                                          : std::optional(found->second);
  }
  void add(std::string title, std::optional<double> from,
           std::optional<double> to, bool lessIsWorse = false) {
    if (from && to)
      result.figures.push_back({std::move(title), *from, *to, lessIsWorse});
    else if (from)
      result.lost.push_back(
          formatv("{0}: {1} before", title, llvm::format("%.4g", *from)));
    else if (to)
      result.gained.push_back(
          formatv("{0}: {1} after", title, llvm::format("%.4g", *to)));
  }
  void add(std::string title, const std::string &name,
           bool lessIsWorse = false) {
    add(std::move(title), find(before, name), find(after, name), lessIsWorse);
  }
  void addRegisters() {
    auto total = [](const IsaFigures &figures) -> std::optional<double> {
      auto arch = find(figures, "vgpr"), acc = find(figures, "agpr");
      if (!arch || !acc)
        return std::nullopt;
      return *arch + *acc;
    };
    std::optional<double> from = total(before), to = total(after);
    add("registers, arch + acc", from, to);
    auto moved = [&](const char *name) {
      return find(before, name).value_or(0) != find(after, name).value_or(0);
    };
    if (from && to && *from == *to && moved("agpr"))
      result.notes.push_back(formatv(
          "accumulators moved: {0:f0} + {1:f0} registers before, {2:f0} + "
          "{3:f0} "
          "after",
          *find(before, "vgpr"), *find(before, "agpr"), *find(after, "vgpr"),
          *find(after, "agpr")));
  }
  void addLoop() {
    auto from = find(before, "hot_loop.mfma"),
         to = find(after, "hot_loop.mfma");
    // A kernel without a loop has no matrix instruction in one.
    bool had = from.value_or(0) > 0, has = to.value_or(0) > 0;
    if (had || has)
      add("hot loops with MFMAs", double(had), double(has),
          /*lessIsWorse=*/true);
    if (from.has_value() != to.has_value())
      result.notes.push_back(from ? "a hot loop before, none after"
                                  : "no hot loop before, one after");
    if (!had || !has)
      return;
    if (*from != *to)
      result.notes.push_back(formatv("matrix instructions in a round of the "
                                     "hot loop: {0:f0} before, {1:f0} "
                                     "after",
                                     *from, *to));
    for (auto [title, name] : {std::pair("instructions", "instructions"),
                               {"LDS reads", "ds_read"},
                               {"LDS writes", "ds_write"},
                               {"loads", "vmem_load"},
                               {"stores", "vmem_store"},
                               {"copies to LDS", "lds_dma"},
                               {"vector instructions", "valu"},
                               {"scalar instructions", "salu"},
                               {"waits", "wait"},
                               {"barriers", "barrier"},
                               {"nops", "nop"},
                               {"accumulator moves", "acc_move"}}) {
      std::string key = std::string("hot_loop.") + name;
      auto share = [&](const IsaFigures &figures, double mfma) {
        std::optional<double> count = find(figures, key);
        return count ? std::optional(*count / mfma) : std::nullopt;
      };
      add(std::string(title) + " a MFMA in the hot loop", share(before, *from),
          share(after, *to));
    }
    add("narrowest access of the hot loop, bytes", "hot_loop.access_bytes",
        /*lessIsWorse=*/true);
    add("pipe cover", "hot_loop.pipe_cover", /*lessIsWorse=*/true);
  }

  const IsaFigures &before, &after;
  ComparedKernel result;
};
} // namespace

llvm::Expected<ObjectComparison>
fly::analysis::compareObjects(llvm::StringRef before, llvm::StringRef after,
                              std::optional<double> failAbove) {
  auto first = readIsaFigures(before);
  if (!first)
    return first.takeError();
  auto second = readIsaFigures(after);
  if (!second)
    return second.takeError();
  ObjectComparison result;
  result.before = before.str();
  result.after = after.str();
  result.failAbove = failAbove;
  // One kernel each: the same one, whatever it is called.
  if (first->size() == 1 && second->size() == 1) {
    result.kernels.push_back(
        KernelComparer(first->front(), second->front()).compare());
    return result;
  }
  auto find = [](const std::vector<IsaFigures> &kernels,
                 const std::string &name) {
    return llvm::find_if(kernels, [&](const IsaFigures &kernel) {
      return kernel.kernel == name;
    });
  };
  for (const IsaFigures &kernel : *first) {
    auto other = find(*second, kernel.kernel);
    if (other == second->end())
      result.missing.push_back(kernel.kernel);
    else
      result.kernels.push_back(KernelComparer(kernel, *other).compare());
  }
  for (const IsaFigures &kernel : *second)
    if (find(*first, kernel.kernel) == first->end())
      result.added.push_back(kernel.kernel);
  return result;
}

static void printFigure(llvm::raw_ostream &os, const ComparedFigure &figure) {
  os << (figure.isWorse() ? "  worse   " : "  better  ") << figure.name << ": "
     << llvm::format("%.4g -> %.4g", figure.before, figure.after);
  if (figure.before != 0)
    os << llvm::format(" (%+.1f %%)", 100 * (figure.after - figure.before) /
                                          std::abs(figure.before));
  os << '\n';
}

void fly::analysis::print(llvm::raw_ostream &os,
                          const ObjectComparison &comparison) {
  os << comparison.before << " -> " << comparison.after << '\n';
  for (const ComparedKernel &kernel : comparison.kernels) {
    os << kernel.name << '\n';
    for (bool isWorse : {true, false})
      for (const ComparedFigure &figure : kernel.figures)
        if (isWorse ? figure.isWorse() : figure.isBetter())
          printFigure(os, figure);
    for (const std::string &figure : kernel.lost)
      os << "  lost    " << figure << ", not told after\n";
    for (const std::string &figure : kernel.gained)
      os << "  new     " << figure << ", not told before\n";
    for (const std::string &note : kernel.notes)
      os << "  note    " << note << '\n';
    unsigned same = unsigned(
        llvm::count_if(kernel.figures, [](const ComparedFigure &figure) {
          return !figure.isWorse() && !figure.isBetter();
        }));
    os << formatv("  {0} of {1} figures are the same\n", same,
                  kernel.figures.size());
  }
  for (const std::string &name : comparison.missing)
    os << "missing in " << comparison.after << ": " << name << '\n';
  for (const std::string &name : comparison.added)
    os << "new in " << comparison.after << ": " << name << '\n';
  unsigned worse = comparison.countRegressions();
  os << formatv("{0} figures are worse\n", worse);
  if (worse)
    os << "they are of the code; time decides: compare what fly-run --timing "
          "--json or\nfly-bench run says of both\n";
  if (comparison.kernels.empty())
    os << "nothing was compared: no kernel is in both\n";
  if (comparison.failAbove)
    os << (comparison.hasFailed() ? "failed" : "passed")
       << llvm::format(" by the limit of %g %%\n", *comparison.failAbove);
}

llvm::json::Value fly::analysis::toJSON(const ObjectComparison &comparison) {
  llvm::json::Array kernels;
  for (const ComparedKernel &kernel : comparison.kernels) {
    llvm::json::Array figures;
    for (const ComparedFigure &figure : kernel.figures)
      figures.push_back(
          llvm::json::Object{{"name", figure.name},
                             {"before", figure.before},
                             {"after", figure.after},
                             {"change", figure.isWorse()    ? "worse"
                                        : figure.isBetter() ? "better"
                                                            : "same"}});
    kernels.push_back(
        llvm::json::Object{{"name", llvm::json::fixUTF8(kernel.name)},
                           {"figures", std::move(figures)},
                           {"lost", texts(kernel.lost)},
                           {"gained", texts(kernel.gained)},
                           {"notes", texts(kernel.notes)}});
  }
  llvm::json::Object object{{"before", llvm::json::fixUTF8(comparison.before)},
                            {"after", llvm::json::fixUTF8(comparison.after)},
                            {"kernels", std::move(kernels)},
                            {"missing", texts(comparison.missing)},
                            {"added", texts(comparison.added)}};
  if (comparison.failAbove || comparison.kernels.empty())
    object["failed"] = comparison.hasFailed();
  return object;
}
