//===- ChecklistLimits.h - From where on a check fails ----------*- C++ -*-===//
#ifndef FLY_LIB_ANALYSIS_CHECKLISTLIMITS_H
#define FLY_LIB_ANALYSIS_CHECKLISTLIMITS_H

namespace fly::analysis {

// The guide's section 11.
inline constexpr unsigned mostRegisters = 256; ///< A lane, both kinds.
inline constexpr double leastMfmaShare = 0.4;  ///< Of the hot loop.

// Where the guide has none. The reasons are in the texts of Checklist.cpp.
inline constexpr double mostStall = 0.05; ///< HotspotOptions::threshold.
inline constexpr double leastHitRate = 0.5;
inline constexpr double mostImbalance = 1.25;  ///< Fullest channel to the mean.
inline constexpr unsigned leastStoreBytes = 4; ///< A lane of a store.
inline constexpr double leastWholeWrites = 0.5; ///< Of writes behind the L2.

} // namespace fly::analysis

#endif // FLY_LIB_ANALYSIS_CHECKLISTLIMITS_H
