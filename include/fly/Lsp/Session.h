//===- Session.h - The language server in front of upstream's ---*- C++ -*-===//
//
// What problem: MLIR's language server knows parsers, values and ops, and has
// no hook for what a dialect knows: what a schedule may hold, which layout a
// tile gets. What idea: a layer between the editor and upstream's server, which
// runs as a process of its own. Every message goes on to it; answers to hover
// and completion get Fly's part, diagnostics those of the first passes. A text
// on which the upstream server ends becomes a message, and the server is
// started again. What it refuses: to parse the protocol twice; whatever it does
// not know is passed on as it is.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LSP_SESSION_H
#define FLY_LSP_SESSION_H

#include "llvm/Support/JSON.h"

#include <functional>
#include <memory>
#include <vector>

namespace fly::lsp {

/// MLIR's language server, or what stands for it in a test.
class Upstream {
public:
  virtual ~Upstream();
  /// Sends a message; fills `answers` with everything that the server sent
  /// until it had dealt with it. False where the server has ended.
  virtual bool exchange(const llvm::json::Value &message,
                        std::vector<llvm::json::Value> &answers) = 0;
  /// Starts the server again after it has ended; false where that fails.
  virtual bool restart() = 0;
};

class Session {
public:
  using Send = std::function<void(llvm::json::Value)>;

  /// `send` gets what the editor shall see; `version` is shown to it.
  Session(Upstream &upstream, Send send, std::string version);
  ~Session();

  /// Deals with one message of the editor; false where the session is over.
  bool handle(llvm::json::Value message);
  /// Answers text that is no JSON.
  void refuse(llvm::StringRef problem);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace fly::lsp

#endif // FLY_LSP_SESSION_H
