//===- Assemble.h - assembly text to a code object --------------*- C++ -*-===//
//
// Tests of Isa and Sim need code objects that Fly did not make. They assemble
// text with llvm-mc and link it with ld.lld, as a foreign tool chain does.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_ISA_ASSEMBLE_H
#define FLY_TEST_UNIT_ISA_ASSEMBLE_H

#include "fly/Isa/KernelText.h"

#include <string>

namespace fly::test {

/// The bytes of the linked code object; empty, with `message` set, on failure.
std::string assembleText(llvm::StringRef text, llvm::StringRef chip,
                         std::string &message);

/// Assembles test/Sim/Objects/<name>; the chip is the name's first part.
std::string assembleObject(llvm::StringRef name, std::string &message);

/// Compiles test/Sim/Kernels/<name>, OpenCL C or HIP by its suffix, with clang
/// for a chip. `optimisation` is one or more options between single spaces.
std::string compileKernel(llvm::StringRef name, llvm::StringRef chip,
                          llvm::StringRef optimisation, std::string &message);

/// The assembly that LLVM makes of machine IR from a pass on; empty, with
/// `message` set, on failure.
std::string assemblyOfMir(llvm::StringRef mir, llvm::StringRef chip,
                          llvm::StringRef firstPass, std::string &message);

using isa::KernelShape;
using isa::wrapKernel;

} // namespace fly::test

#endif // FLY_TEST_UNIT_ISA_ASSEMBLE_H
