//===- Verify.h - Proofs on the final bytes of kernels ----------*- C++ -*-===//
//
// What problem: the hardware does not check that a result of memory has come
// before it is read, nor most distances between dependent instructions. A
// missing wait is a wrong number once in a while.
// What idea: prove it on the bytes that the GPU gets, whoever made them, by
// data flow over all paths of each kernel. What is violated on a path is a
// finding; what can be neither proved nor refuted is a note.
// What it refuses: chips whose rules the tables do not hold. It follows no
// call and no jump to a register; it says so, and proves nothing behind it.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_VERIFY_VERIFY_H
#define FLY_VERIFY_VERIFY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fly::verify {

/// What is proved of a kernel.
enum class Rule : uint8_t {
  /// Results of memory and LDS are waited for before their registers are read
  /// or overwritten.
  Waits,
  /// Wait states lie between instructions where the hardware keeps no
  /// distance.
  Hazards,
  /// All lanes and waves pass the same barriers.
  Barriers,
  /// Waits and barriers order what waves and copies write to LDS.
  LdsOrder,
};
constexpr unsigned ruleCount = 4;

/// The rule's name in reports: "waits".
llvm::StringRef ruleName(Rule rule);

/// An instruction of the object.
struct Place {
  uint64_t pc = 0;  ///< Address in the object, bytes.
  std::string text; ///< As the disassembler writes it.
  /// "file:line" by the line tables of the object; empty without them.
  std::string source;
};

/// A violation of a rule on some path, or what kept a rule from being proved.
struct Finding {
  Rule rule = Rule::Waits;
  Place place;                   ///< The instruction that comes too early.
  std::optional<Place> producer; ///< What it depends on.
  std::string what;              ///< One sentence without a final period.
  std::string expected, actual;  ///< Empty for notes.
  /// Of LdsOrder: no wait covers the producer, a copy to LDS.
  bool lacksCopyWait = false;
};

/// How a rule stands.
enum class Verdict : uint8_t { Proved, Violated, NotProved };

/// A loop of the kernel that holds no other loop.
struct LoopFacts {
  uint64_t begin = 0, end = 0; ///< Addresses: first instruction, past the last.
  unsigned instructions = 0;
  unsigned mfma = 0;
  unsigned accumulatorMoves = 0; ///< v_accvgpr_*
  unsigned scratchAccesses = 0;
  /// Bytes a lane of the narrowest access to LDS or memory; 0 without any.
  unsigned narrowestAccessBytes = 0;
};

/// What is seen on the way and is no question of right and wrong.
struct KernelFacts {
  unsigned instructions = 0;
  unsigned memoryResults = 0; ///< Instructions whose result needs a wait.
  unsigned waits = 0;
  unsigned barriers = 0;
  unsigned vgprSpills = 0, sgprSpills = 0; ///< As the metadata says.
  unsigned scratchAccesses = 0;
  std::vector<LoopFacts> loops; ///< Innermost ones, in address order.
};

struct KernelVerdict {
  std::string name;
  Verdict rules[ruleCount] = {};
  /// In address order, each consumer and producer once.
  std::vector<Finding> findings;
  std::vector<Finding> notes;
  KernelFacts facts;

  Verdict of(Rule rule) const { return rules[unsigned(rule)]; }
};

struct ObjectVerdict {
  std::string chip;
  std::vector<KernelVerdict> kernels;

  bool hasFindings() const;
};

/// Checks the kernels of a code object, or the one named `kernel`.
llvm::Expected<ObjectVerdict> verifyObject(llvm::StringRef elf,
                                           llvm::StringRef kernel = "");

/// One line: place, what, expected and actual.
std::string describe(const Finding &finding);

/// For people.
void print(llvm::raw_ostream &os, const ObjectVerdict &verdict);
/// Keys as in docs/Guide/Verify.md.
llvm::json::Value toJSON(const ObjectVerdict &verdict);

} // namespace fly::verify

#endif // FLY_VERIFY_VERIFY_H
