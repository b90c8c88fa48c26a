//===- Words.h - Words and numbers of a schedule ----------------*- C++ -*-===//
//
// What the readers of a schedule's entries share. Each emits one error that
// names the key, what is wrong with its value and what is known.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_IR_SCHEDULE_WORDS_H
#define FLY_LIB_DIALECT_FLY_IR_SCHEDULE_WORDS_H

#include "fly/Dialect/Fly/IR/Schedule.h"

namespace fly::schedule {

/// Most buffers of a load, and most iterations that one runs ahead.
inline constexpr unsigned kMostStages = 8;

/// A value as a schedule prints it.
std::string describe(mlir::Attribute value);

/// True for `auto` and for an absent value.
bool isAuto(mlir::Attribute value);

/// Checks that `entries` has none but the known keys.
mlir::LogicalResult checkKeys(mlir::DictionaryAttr entries,
                              llvm::ArrayRef<llvm::StringRef> known,
                              llvm::StringRef what,
                              EmitScheduleError emitError);

/// The error about a value that the language has and no pass applies.
mlir::LogicalResult refuseLater(llvm::StringRef key, mlir::Attribute value,
                                const llvm::Twine &applied,
                                EmitScheduleError emitError);

/// The name of a word or of a policy, else empty.
llvm::StringRef getName(mlir::Attribute value);

/// The index of the word in `words`; no value for `auto` or an absent one.
/// `later` are words, alone or with arguments, that no pass applies yet.
mlir::FailureOr<std::optional<unsigned>>
readWord(mlir::DictionaryAttr entries, llvm::StringRef key,
         llvm::ArrayRef<llvm::StringRef> words, EmitScheduleError emitError,
         llvm::ArrayRef<llvm::StringRef> later = {});

/// A number from `low` to `high`; no value for `auto` or an absent one. Numbers
/// above `high` up to `most` are known, but no pass applies them yet.
mlir::FailureOr<std::optional<unsigned>>
readNumber(mlir::DictionaryAttr entries, llvm::StringRef key, unsigned low,
           unsigned high, EmitScheduleError emitError, unsigned most = 0);

/// A cache policy; no value for `auto` or an absent one.
mlir::FailureOr<std::optional<Cache>> readCache(mlir::DictionaryAttr entries,
                                                EmitScheduleError emitError);

mlir::Attribute
makeEntries(mlir::MLIRContext *context,
            llvm::ArrayRef<std::pair<llvm::StringRef, mlir::Attribute>> list);

} // namespace fly::schedule

#endif // FLY_LIB_DIALECT_FLY_IR_SCHEDULE_WORDS_H
