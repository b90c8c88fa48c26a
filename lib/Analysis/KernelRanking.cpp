//===- KernelRanking.cpp - Which kernels take the time --------------------===//
#include "fly/Analysis/KernelRanking.h"

#include "fly/Profile/DispatchReader.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace fly;
using namespace fly::analysis;
using llvm::StringRef;

namespace {
/// Adds up rows kernel by kernel.
class Adder {
public:
  explicit Adder(StringRef path) : path(path) {}

  llvm::Error add(StringRef name, uint64_t calls, double totalNs,
                  std::optional<double> least, std::optional<double> most) {
    auto [found, isNew] = indexOf.try_emplace(name, ranking.kernels.size());
    if (isNew) {
      if (ranking.kernels.size() == KernelRanking::maxKernels)
        return llvm::createStringError("'" + path + "': more than " +
                                       llvm::Twine(KernelRanking::maxKernels) +
                                       " kernels");
      ranking.kernels.emplace_back().name = name.str();
    }
    RankedKernel &kernel = ranking.kernels[found->second];
    if (calls > UINT64_MAX - ranking.calls)
      return llvm::createStringError("'" + path +
                                     "': the calls of all kernels exceed "
                                     "2^64-1; no run has so many");
    kernel.calls += calls;
    ranking.calls += calls;
    kernel.totalNs += totalNs;
    ranking.totalNs += totalNs;
    auto keep = [](std::optional<double> &kept, std::optional<double> value,
                   bool isLeast) {
      if (value)
        kept = !kept     ? *value
               : isLeast ? std::min(*kept, *value)
                         : std::max(*kept, *value);
    };
    keep(kernel.leastNs, least, /*isLeast=*/true);
    keep(kernel.mostNs, most, /*isLeast=*/false);
    return llvm::Error::success();
  }

  KernelRanking take() {
    llvm::sort(ranking.kernels, [](const auto &a, const auto &b) {
      return a.totalNs != b.totalNs ? a.totalNs > b.totalNs : a.name < b.name;
    });
    return std::move(ranking);
  }

private:
  StringRef path;
  KernelRanking ranking;
  llvm::StringMap<size_t> indexOf;
};
} // namespace

llvm::Expected<KernelRanking> fly::analysis::rankKernels(StringRef path) {
  llvm::Expected<profile::ProfileKind> kind = profile::identifyProfile(path);
  if (!kind)
    return kind.takeError();
  Adder adder(path);
  llvm::Error error = llvm::Error::success();
  switch (*kind) {
  case profile::ProfileKind::KernelStats:
    error = profile::readKernelStats(
        path, [&](const profile::KernelTotals &totals) {
          return adder.add(totals.kernel, totals.calls, totals.totalNs,
                           totals.minNs, totals.maxNs);
        });
    break;
  case profile::ProfileKind::KernelTrace:
  case profile::ProfileKind::Database: {
    profile::DispatchNeeds needs;
    needs.times = true;
    error = profile::forEachDispatch(
        path, needs, [&](const profile::Dispatch &dispatch) {
          double ns = double(*dispatch.endNs - *dispatch.startNs);
          return adder.add(dispatch.kernel, 1, ns, ns, ns);
        });
    break;
  }
  default:
    (void)bool(error);
    return llvm::createStringError(
        "'" + path + "': is " + profile::name(*kind) +
        ", expected a kernel trace, kernel statistics or a database");
  }
  if (error)
    return std::move(error);
  return adder.take();
}

void fly::analysis::print(llvm::raw_ostream &os, const KernelRanking &ranking,
                          size_t top) {
  auto micro = [](std::optional<double> ns) {
    return ns ? llvm::formatv("{0,11:f2}", *ns / 1000).str() : "          -";
  };
  os << ranking.kernels.size() << " kernels, " << ranking.calls << " calls, "
     << llvm::formatv("{0:f2} us\n", ranking.totalNs / 1000)
     << "    share      calls    total us     mean us    least us     most us"
        "  kernel\n";
  for (const RankedKernel &kernel :
       llvm::ArrayRef(ranking.kernels).take_front(top)) {
    std::string share = ranking.totalNs > 0
                            ? llvm::formatv("{0,7:f1} %", 100 * kernel.totalNs /
                                                              ranking.totalNs)
                                  .str()
                            : "      - %";
    os << llvm::formatv(
        "{0} {1,10} {2} {3} {4} {5}  {6}\n", share, kernel.calls,
        micro(kernel.totalNs),
        micro(kernel.calls ? std::optional(kernel.meanNs()) : std::nullopt),
        micro(kernel.leastNs), micro(kernel.mostNs), kernel.name);
  }
  if (ranking.kernels.size() > top)
    os << "  " << ranking.kernels.size() - top << " more (--topk)\n";
}

llvm::json::Value fly::analysis::toJSON(const KernelRanking &ranking) {
  llvm::json::Array kernels;
  auto number = [](std::optional<double> ns) {
    return ns ? llvm::json::Value(*ns) : llvm::json::Value(nullptr);
  };
  for (const RankedKernel &kernel : ranking.kernels)
    kernels.push_back(llvm::json::Object{
        {"name", llvm::json::fixUTF8(kernel.name)},
        {"calls", kernel.calls},
        {"total_ns", kernel.totalNs},
        {"mean_ns",
         number(kernel.calls ? std::optional(kernel.meanNs()) : std::nullopt)},
        {"min_ns", number(kernel.leastNs)},
        {"max_ns", number(kernel.mostNs)},
        {"share", number(ranking.totalNs > 0
                             ? std::optional(kernel.totalNs / ranking.totalNs)
                             : std::nullopt)}});
  return llvm::json::Object{{"calls", ranking.calls},
                            {"total_ns", ranking.totalNs},
                            {"kernels", std::move(kernels)}};
}
