//===- HostFloat.h - the host's floating point while waves run --*- C++ -*-===//
//
// What problem: a caller may have set another rounding direction, flushing of
// denormals (as -ffast-math or audio code does) or traps on its thread, and
// threads inherit that from their creator; results must not depend on it.
// What idea: each thread that runs waves has the default environment for as
// long, and gets its own back. Executors may then rely on nearest even and on
// denormals; where MODE says otherwise, they set and restore it themselves.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_HOSTFLOAT_H
#define FLY_SIM_HOSTFLOAT_H

#include <cfenv>

#if defined(__SSE__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace fly::sim {

/// The default floating-point environment on this thread while it lives.
class HostFloatEnvironment {
public:
  HostFloatEnvironment() {
    std::fegetenv(&saved);
    std::fesetenv(FE_DFL_ENV);
#if defined(__SSE__) || defined(_M_X64)
    // C does not know of flushing; not every library's default ends it.
    constexpr unsigned flushToZero = 1u << 15, denormalsAreZero = 1u << 6;
    _mm_setcsr(_mm_getcsr() & ~(flushToZero | denormalsAreZero));
#endif
  }
  ~HostFloatEnvironment() { std::fesetenv(&saved); }
  HostFloatEnvironment(const HostFloatEnvironment &) = delete;
  HostFloatEnvironment &operator=(const HostFloatEnvironment &) = delete;

private:
  std::fenv_t saved;
};

} // namespace fly::sim

#endif // FLY_SIM_HOSTFLOAT_H
