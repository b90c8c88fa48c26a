//===- TilePrograms.cpp - Prints a random program on tiles ----------------===//
//
// fly-tile-programs SEED prints the kernel of a seed; tile-programs.test runs a
// few of them on the simulator against the reference, CONTRIBUTING.md says how
// to run thousands.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "TileProgram.h"

int main(int argc, char **argv) {
  uint64_t seed;
  if (argc != 2 || llvm::StringRef(argv[1]).getAsInteger(10, seed)) {
    llvm::errs() << "usage: fly-tile-programs SEED\n";
    return 1;
  }
  llvm::outs() << fly::sweep::makeTileProgram(seed);
  return 0;
}
