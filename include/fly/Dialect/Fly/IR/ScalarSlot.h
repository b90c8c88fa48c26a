//===- ScalarSlot.h - LDS that hands a scalar to all waves ------*- C++ -*-===//
#ifndef FLY_DIALECT_FLY_IR_SCALARSLOT_H
#define FLY_DIALECT_FLY_IR_SCALARSLOT_H

namespace fly {

/// Bytes of LDS through which the old value of a kernel's `fly.atomic_rmw` goes
/// to all waves, where it has a user.
inline constexpr unsigned scalarSlotBytes = 8;

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_SCALARSLOT_H
