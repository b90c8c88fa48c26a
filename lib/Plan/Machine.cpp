//===- Machine.cpp - How a kernel fits the whole device -------------------===//
#include "fly/Plan/Machine.h"

#include "llvm/Support/MathExtras.h"

using namespace fly;
using namespace fly::plan;

std::optional<Fill> fly::plan::fillMachine(const arch::Product &product,
                                           uint64_t workgroups,
                                           unsigned perCu) {
  if (!product.computeUnits || perCu == 0)
    return std::nullopt;
  Fill fill;
  fill.workgroups = workgroups;
  fill.computeUnits = *product.computeUnits;
  fill.slots = fill.computeUnits * perCu;
  fill.rounds = llvm::divideCeil(workgroups, fill.slots);
  if (fill.rounds)
    fill.lastRound = workgroups - (fill.rounds - 1) * fill.slots;
  return fill;
}

std::optional<Roofline> fly::plan::makeRoofline(const arch::Product &product,
                                                arch::ElementType a,
                                                arch::ElementType b,
                                                double flop, double bytes) {
  arch::Fact<double> peak = arch::peakTeraOps(product, a, b);
  if (!peak || !product.hbmGBs || bytes <= 0)
    return std::nullopt;
  Roofline roofline;
  roofline.flop = flop;
  roofline.bytes = bytes;
  roofline.peakTeraOps = *peak;
  roofline.bandwidthGBs = *product.hbmGBs;
  return roofline;
}
