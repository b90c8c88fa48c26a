//===- GpuFlags.h - How a GPU is measured -----------------------*- C++ -*-===//
//
// --device=hsa:N, --warmup, --repeat and --rotate, of fly-run and fly-bench run
// alike.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_OPTIONS_GPUFLAGS_H
#define FLY_TOOLS_OPTIONS_GPUFLAGS_H

#include "fly/Launch/GpuLaunch.h"

#include <optional>

#include "CommandLine.h"

namespace fly::tools {

/// The options, registered where a tool constructs one.
struct GpuFlags {
  llvm::cl::opt<std::string> warmup, repeat, rotate;

  explicit GpuFlags(llvm::cl::OptionCategory &category)
      : warmup("warmup", llvm::cl::value_desc("number"),
               llvm::cl::desc("On a GPU: launches before those that are timed "
                              "(default 3)"),
               llvm::cl::cat(category)),
        repeat("repeat", llvm::cl::value_desc("number"),
               llvm::cl::desc("On a GPU: launches that are timed (default 7)"),
               llvm::cl::cat(category)),
        rotate("rotate", llvm::cl::value_desc("auto|number"),
               llvm::cl::desc("On a GPU: copies of all buffers that take "
                              "turns; auto (default): as many as the last "
                              "cache cannot hold"),
               llvm::cl::cat(category)) {}

  /// The options as text, with their names.
  llvm::SmallVector<std::pair<llvm::StringRef, llvm::StringRef>, 3>
  given() const {
    llvm::SmallVector<std::pair<llvm::StringRef, llvm::StringRef>, 3> result;
    for (const auto *option : {&warmup, &repeat, &rotate})
      if (option->getNumOccurrences())
        result.emplace_back(option->ArgStr, *option);
    return result;
  }

  /// An error where one is given and no GPU is asked for.
  llvm::Error refuseWithoutGpu() const {
    if (given().empty())
      return llvm::Error::success();
    return llvm::createStringError(
        "--" + given().front().first +
        " is of launches on a GPU (--device=hsa): the timing model gives the "
        "same each time, from caches that hold nothing");
  }

  /// What they say, over what is in \p options.
  llvm::Error read(launch::GpuOptions &options) const {
    for (auto [option, least, number] :
         {std::tuple(&warmup, 0u, &options.warmup),
          std::tuple(&repeat, 1u, &options.repeat),
          std::tuple(&rotate, 1u, &options.rotate)}) {
      if (!option->getNumOccurrences() ||
          (option == &rotate && rotate == "auto"))
        continue;
      unsigned most = option == &rotate ? launch::maxCopies : 1000000;
      unsigned value;
      if (llvm::StringRef(*option).getAsInteger(10, value) || value < least ||
          value > most)
        return llvm::createStringError(
            "--" + option->ArgStr + "=" + *option + ": expected " +
            (option == &rotate ? "auto, or " : "") + "a number from " +
            llvm::Twine(least) + " to " + llvm::Twine(most));
      *number = value;
    }
    return llvm::Error::success();
  }
};

/// The GPU that --device=hsa or hsa:1 names, as the runtime counts them;
/// nothing for other devices. Errors: what is no number.
inline llvm::Expected<std::optional<unsigned>>
readGpuNumber(llvm::StringRef device) {
  llvm::StringRef number = device;
  if (!number.consume_front("hsa") ||
      (!number.empty() && !number.consume_front(":")))
    return std::nullopt;
  unsigned value = 0;
  if (device != "hsa" && number.getAsInteger(10, value))
    return llvm::createStringError(
        "--device=" + device +
        ": expected the number of a GPU from 0, as in --device=hsa:1");
  return value;
}

/// Timed launches where nobody says how many.
inline constexpr unsigned defaultRepeat = 7;

} // namespace fly::tools

#endif // FLY_TOOLS_OPTIONS_GPUFLAGS_H
