//===- ScheduleEdits.h - Changes as options of the tools --------*- C++ -*-===//
//
// Edits that reports name, word by word what fly-run, fly-compile and the
// reports take: a, b and c are the labels that fly-gen gives the operands and
// the result, kloop that of the loop. Analysis/schedule-edits.test gives each
// to a kernel.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_ANALYSIS_SCHEDULEEDITS_H
#define FLY_LIB_ANALYSIS_SCHEDULEEDITS_H

#define FLY_EDIT_SWIZZLE "--schedule=a.swizzle=xor,b.swizzle=xor"
#define FLY_EDIT_STAGES "--schedule=a.stages=2,b.stages=2"
#define FLY_EDIT_ONE_STAGE "--schedule=a.stages=1,b.stages=1"
#define FLY_EDIT_ASYNC "--schedule=a.copy=async,b.copy=async"
#define FLY_EDIT_INTERLEAVE "--schedule=kloop.hot_loop=interleave"
#define FLY_EDIT_HOT_LOOP "--schedule=kloop.hot_loop=guide"
#define FLY_EDIT_WIDE_MFMA "--schedule=kloop.mfma=32x32"
#define FLY_EDIT_CSHUFFLE "--schedule=c.epilogue=cshuffle"
#define FLY_EDIT_XCD "--schedule=grid.xcd=on"
#define FLY_EDIT_GROUPS "--schedule=grid.order=grouped(8)"
#define FLY_EDIT_SMALL_TILE "--size=BM=64,BN=64"
#define FLY_EDIT_SMALL_K "--size=BK=32"

#endif // FLY_LIB_ANALYSIS_SCHEDULEEDITS_H
