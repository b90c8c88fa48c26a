//===- Intrinsics.cpp - AMDGPU intrinsics of each chip --------------------===//
//
// The table and its look-up: exact names first, then families.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/Intrinsics.h"

using namespace fly::arch;

static constexpr IntrinsicRow both(const char *name) {
  return {name, false, true, true};
}
static constexpr IntrinsicRow bothFamily(const char *name) {
  return {name, true, true, true};
}
static constexpr IntrinsicRow gfx950(const char *name) {
  return {name, false, false, true};
}
static constexpr IntrinsicRow gfx950Family(const char *name) {
  return {name, true, false, true};
}

static constexpr IntrinsicRow rows[] = {
    bothFamily("workitem.id."),
    bothFamily("workgroup.id."),
    both("wavefrontsize"),
    both("mbcnt.lo"),
    both("mbcnt.hi"),
    both("readfirstlane"),
    both("readlane"),
    both("ballot"),
    both("ds_swizzle"),
    both("ds_bpermute"),
    both("update.dpp"),
    both("s.waitcnt"),
    both("s.sleep"),
    both("s.nop"),
    both("s.barrier"),
    both("barrier"),
    both("s.setprio"),
    both("sched.barrier"),
    both("sched.group.barrier"),
    both("iglp.opt"),
    both("make.buffer.rsrc"),
    both("raw.ptr.buffer.load"),
    both("raw.ptr.buffer.load.lds"),
    both("raw.ptr.buffer.store"),
    bothFamily("raw.ptr.buffer.atomic."),
    both("load.to.lds"),
    both("global.load.lds"),
    both("fmed3"),
    both("rcp"),
    both("rsq"),
    both("exp2"),
    both("log"),
    both("sqrt"),
    both("fract"),
    bothFamily("frexp."),
    both("sin"),
    both("cos"),
    both("cvt.pkrtz"),
    both("cvt.f32.fp8"),
    both("cvt.f32.bf8"),
    both("cvt.pk.f32.fp8"),
    both("cvt.pk.f32.bf8"),
    both("cvt.pk.fp8.f32"),
    both("cvt.pk.bf8.f32"),
    both("cvt.sr.fp8.f32"),
    both("cvt.sr.bf8.f32"),
    gfx950Family("cvt.scalef32."),
    gfx950Family("ds.read.tr"),
    gfx950("permlane16.swap"),
    gfx950("permlane32.swap"),
};

llvm::ArrayRef<IntrinsicRow> fly::arch::intrinsicTable() { return rows; }

const IntrinsicRow *fly::arch::lookupIntrinsic(llvm::StringRef name) {
  for (const IntrinsicRow &row : rows)
    if (!row.isFamily && name == row.name)
      return &row;
  for (const IntrinsicRow &row : rows)
    if (row.isFamily && name.starts_with(row.name))
      return &row;
  return nullptr;
}
