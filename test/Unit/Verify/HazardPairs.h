//===- HazardPairs.h - producers and consumers in LLVM's MIR ----*- C++ -*-===//
//
// Every producer stands in front of every consumer; LLVM's hazard recognizer
// says how far apart they must be. They meet in v0 (and the tuples that begin
// there), s4, vcc, exec and m0.
//
// v_dot2_f32_f16 produces nothing here: LLVM takes its op_sel_hi for the bit of
// a half destination and pads for nothing.
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_VERIFY_HAZARDPAIRS_H
#define FLY_TEST_UNIT_VERIFY_HAZARDPAIRS_H

#include "llvm/ADT/ArrayRef.h"

namespace fly::test {

enum class OnChip { Both, Gfx942, Gfx950 };

/// One instruction in MIR. Operands follow LLVM 22's order.
struct MirLine {
  const char *text;
  OnChip chip = OnChip::Both;
};

llvm::ArrayRef<MirLine> hazardProducers();
llvm::ArrayRef<MirLine> hazardConsumers();

} // namespace fly::test

#endif // FLY_TEST_UNIT_VERIFY_HAZARDPAIRS_H
