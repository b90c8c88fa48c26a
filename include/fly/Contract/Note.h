//===- Note.h - The launch contract inside a code object --------*- C++ -*-===//
//
// The contracts of an object's kernels travel in an ELF note: section
// ".note.fly", owner "Fly", type noteType, with the JSON text as description.
// readContracts() finds it again with nothing but LLVM's object reader.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_CONTRACT_NOTE_H
#define FLY_CONTRACT_NOTE_H

#include "fly/Contract/ObjectContracts.h"

#include "llvm/Support/MemoryBufferRef.h"

namespace fly::contract {

inline constexpr llvm::StringLiteral noteSection = ".note.fly";
inline constexpr llvm::StringLiteral noteOwner = "Fly";
/// Version 1 of the contract's JSON.
inline constexpr uint32_t noteType = 1;

/// The contents of the note section: one note in the ELF layout.
std::string makeNote(const ObjectContracts &contracts);

/// The JSON text of the note in \p elf; empty if it has none. Errors for bytes
/// that are no 64-bit little-endian ELF, and for a malformed note.
llvm::Expected<std::string> readContractText(llvm::StringRef elf);

/// The contracts in the note of \p elf; empty for objects without the note
/// (other compilers' objects).
llvm::Expected<ObjectContracts> readContracts(llvm::StringRef elf);

} // namespace fly::contract

#endif // FLY_CONTRACT_NOTE_H
