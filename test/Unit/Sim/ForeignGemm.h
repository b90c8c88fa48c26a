//===- ForeignGemm.h - launches of another compiler's GEMMs -----*- C++ -*-===//
//
// The objects of test/Sim/Objects with what their launch needs, on the data of
// GemmCase.h.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_SIM_FOREIGNGEMM_H
#define FLY_TEST_UNIT_SIM_FOREIGNGEMM_H

#include <iosfwd>

#include "KernelRun.h"

namespace fly::test {

enum class Element { Bf16, Fp8Fnuz, Fp8 };

struct GemmObject {
  const char *file;
  Element type;
  unsigned tileM, tileN, tileK, waves, ldsBytes;
};
/// As bytes, which GoogleTest would print, it has addresses.
void PrintTo(const GemmObject &object, // NOLINT: GoogleTest's name
             std::ostream *os);

/// All of them.
llvm::ArrayRef<GemmObject> foreignGemms();

/// One launch, m x n x k.
class ForeignGemmRun {
public:
  /// Loads \p run's object's data and sets its parameters.
  ForeignGemmRun(KernelRun run, const GemmObject &object, unsigned m,
                 unsigned n, unsigned k);

  /// C as bytes of bf16.
  std::vector<uint16_t> values() {
    return run.read<uint16_t>(c, size_t(m) * n);
  }
  /// Where C first differs from the sums; empty if nowhere.
  std::string difference();

  KernelRun run;

private:
  unsigned m, n, k;
  uint64_t c = 0;
};

} // namespace fly::test

#endif // FLY_TEST_UNIT_SIM_FOREIGNGEMM_H
