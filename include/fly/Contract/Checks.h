//===- Checks.h - Asserts and prints of a kernel that runs ------*- C++ -*-===//
//
// What problem: a kernel that runs on a chip finds that an assert does not
// hold, or has a line to print, and only the host can say so. What idea: the
// kernel writes records of fixed size into a buffer, its channel, as many as
// there is room for, and counts them. The contract says what each record means
// (a site). The host sorts them by workgroup, then by the order of the program,
// so that a run says the same whatever the waves did; and the reference
// executor says it in the same words, which are made here. What it refuses:
// records that no site explains.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_CONTRACT_CHECKS_H
#define FLY_CONTRACT_CHECKS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fly::contract {

/// A value of a check: a scalar or, with extents, a tile.
struct CheckedValue {
  std::string type; ///< Of the number, as MLIR spells it.
  std::optional<std::vector<int64_t>> extents;
};

/// One fly.assert or fly.print of a kernel.
struct CheckSite {
  bool isAssert = true;
  std::string location; ///< "kernel.mlir:12:5".
  std::string text;
  uint32_t workgroupRank = 0; ///< Coordinates that a workgroup has.
  /// Of an assert, the condition first and then what it compares; of a print,
  /// what takes the place of each `{}`.
  std::vector<CheckedValue> values;
};

/// The argument that the channel is passed as.
inline constexpr llvm::StringLiteral channelArgument = "__checks";

/// 32-bit words of the channel: a header, whose first word counts the records
/// that were asked for, and the records.
namespace channel {
inline constexpr unsigned headerWords = 4;
inline constexpr unsigned recordWords = 12;
/// Records that a channel has room for: asserts fail rarely, prints of tiles
/// take one an element.
inline constexpr unsigned assertRecords = 1024, printRecords = 65536;
/// The words of a record.
enum Word : unsigned {
  Site,
  Event,     ///< Checks that the wave had come to before, in program order.
  Workgroup, ///< Three coordinates.
  Value = 5, ///< Which value of the site.
  Element,   ///< Its number in row-major order.
  Low,       ///< The bits of the number.
  High,
};
} // namespace channel

/// A number as text: nine digits of a float.
std::string printNumber(double value);
std::string printNumber(int64_t value);

/// A value as text: its number, or extents and elements of a tile.
std::string printValue(const std::optional<std::vector<int64_t>> &extents,
                       llvm::ArrayRef<std::string> numbers);

/// `workgroup (3, 0): row 1: 4xf32 [...]`: the line of a print.
std::string printLine(llvm::StringRef text, llvm::ArrayRef<int64_t> workgroup,
                      llvm::ArrayRef<std::string> values);

/// `assertion failed: "text" at workgroup (3, 0), element [5, 7]: values 1, 2`.
/// `element` is that of the first false element of a tile; `compared` what its
/// condition compares, where that is known; `count` the false elements.
std::string printFailure(llvm::StringRef text,
                         llvm::ArrayRef<int64_t> workgroup,
                         const std::optional<std::vector<int64_t>> &extents,
                         int64_t element, llvm::ArrayRef<std::string> compared,
                         uint64_t count);

/// What a run said.
struct CheckReport {
  /// Lines of prints, up to the failure, as the reference would print them.
  std::vector<std::string> lines;
  /// The first assert that did not hold, with its place; empty: all did.
  std::string failure;
  /// Records that found no room.
  uint64_t lost = 0;
};

/// Reads a channel. Errors: records that no site explains.
llvm::Expected<CheckReport> readChannel(llvm::ArrayRef<CheckSite> sites,
                                        llvm::ArrayRef<uint32_t> words);

} // namespace fly::contract

#endif // FLY_CONTRACT_CHECKS_H
