//===- LaneValues.h - What registers hold in each lane ----------*- C++ -*-===//
//
// What problem: which bytes of LDS an instruction touches depends on the
// work-item id by way of shifts, masks and swizzles.
// What idea: a workgroup has at most 1024 lanes, so an address is computed for
// all of them at once, as a vector. Equal vectors are kept once and named by a
// number, so that comparing and copying registers is cheap. Masks of lanes are
// vectors of 0 and 1.
// What it leaves out: whatever depends on arguments, memory or floating point
// is unknown.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_VERIFY_LANEVALUES_H
#define FLY_LIB_VERIFY_LANEVALUES_H

#include "fly/Isa/RegisterUse.h"

#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <vector>

namespace fly::verify {

/// The name of a value; equal values have equal names.
using ValueId = uint32_t;
constexpr ValueId unknownValue = 0;

/// All values of one analysis.
class LaneValues {
public:
  /// For a workgroup of so many work items, and waves of so many lanes.
  LaneValues(unsigned items, unsigned waveSize);

  unsigned items() const { return itemCount; }
  unsigned waveSize() const { return lanesPerWave; }
  unsigned waves() const { return (itemCount + waveSize() - 1) / waveSize(); }

  ValueId constant(uint32_t value);
  /// One element a work item.
  ValueId lanes(std::vector<uint32_t> values);
  /// A mask over the lanes: 0 or 1 a work item.
  ValueId mask(std::vector<uint32_t> bits);
  ValueId allLanes() const { return fullMask; }

  bool isMask(ValueId value) const;
  /// The value of a work item; not of unknown values.
  uint32_t at(ValueId value, unsigned item) const {
    const Entry &entry = *entries[value];
    return entry.values.size() == 1 ? entry.values[0] : entry.values[item];
  }
  /// Some lane of the wave is in the mask.
  bool anyInWave(ValueId mask, unsigned wave) const;
  /// A value as a mask: scalars 0 and -1 stand for none and all; else unknown.
  ValueId asMask(ValueId value);

private:
  struct Entry {
    bool isMask = false;
    std::vector<uint32_t> values; ///< One, or one a work item.
    bool operator<(const Entry &other) const {
      return std::tie(isMask, values) < std::tie(other.isMask, other.values);
    }
  };
  ValueId intern(Entry entry);

  unsigned itemCount, lanesPerWave;
  std::map<Entry, ValueId> ids;
  std::vector<const Entry *> entries;
  ValueId fullMask;
};

/// What all registers hold in front of an instruction. Masks stand in the first
/// of their two registers.
struct LaneRegisters {
  ValueId values[isa::reg::count] = {};
};

/// True if the instruction's result can be computed from its operands.
bool isEvaluable(const isa::Instruction &inst);

/// Executes an instruction; what is not computed becomes unknown.
void evaluate(const isa::Instruction &inst, LaneRegisters &registers,
              LaneValues &values);

} // namespace fly::verify

#endif // FLY_LIB_VERIFY_LANEVALUES_H
