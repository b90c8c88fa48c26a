//===- PassTimes.h - How long each pass took --------------------*- C++ -*-===//
#ifndef FLY_TOOLS_FLY_COMPILE_PASSTIMES_H
#define FLY_TOOLS_FLY_COMPILE_PASSTIMES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace fly::tools {

inline double millisecondsNow() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Wall time of passes, in the order of their first run.
class PassTimes {
public:
  using Entries = std::vector<std::pair<std::string, double>>;

  const Entries &get() const { return entries; }
  void clear() { entries.clear(); }
  /// For a pass manager that does not outlive this object.
  std::unique_ptr<mlir::PassInstrumentation> makeInstrumentation() {
    return std::make_unique<Instrumentation>(*this);
  }

private:
  struct Instrumentation : mlir::PassInstrumentation {
    explicit Instrumentation(PassTimes &times) : times(times) {}
    void runBeforePass(mlir::Pass *, mlir::Operation *) override {
      start = millisecondsNow();
    }
    void runAfterPass(mlir::Pass *pass, mlir::Operation *) override {
      if (pass->getArgument().empty())
        return; // An adaptor, whose passes are counted themselves.
      double ms = millisecondsNow() - start;
      for (auto &[name, total] : times.entries)
        if (name == pass->getArgument())
          return void(total += ms);
      times.entries.emplace_back(pass->getArgument().str(), ms);
    }
    PassTimes &times;
    double start = 0;
  };
  Entries entries;
};

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_COMPILE_PASSTIMES_H
