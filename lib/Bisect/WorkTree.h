//===- WorkTree.h - A work tree of git that nobody else uses ----*- C++ -*-===//
//
// A linked work tree has its own HEAD, index and state of a bisection, so that
// nothing of the user's moves. It lies in a scratch directory with a file that
// its owner locks; the lock goes with the process, however that ends, and tells
// the next run which trees are abandoned.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_BISECT_WORKTREE_H
#define FLY_LIB_BISECT_WORKTREE_H

#include "fly/Bisect/Bisect.h"

#include <memory>

#include "Process.h"

namespace fly::bisect {

class WorkTree {
public:
  /// Makes a scratch directory for the repository of \p repository; the tree
  /// itself is made by `add`. Errors: no git, no repository.
  static llvm::Expected<std::unique_ptr<WorkTree>>
  create(const BisectOptions &options, Progress progress,
         llvm::function_ref<bool()> isInterrupted);
  ~WorkTree();
  WorkTree(const WorkTree &) = delete;
  WorkTree &operator=(const WorkTree &) = delete;

  /// Adds the tree, at \p commit, after having removed abandoned ones.
  llvm::Error add(llvm::StringRef commit);
  /// Puts \p commit into the tree, with its submodules; what a build has
  /// changed goes, what git ignores stays unless the options say otherwise.
  /// The error says why it cannot be had.
  llvm::Error checkOut(llvm::StringRef commit);
  /// Removes the tree. The error names what is left.
  llvm::Error remove();

  /// What a git command in the repository prints, without the last line end;
  /// the error is what it complains about.
  llvm::Expected<std::string> git(llvm::ArrayRef<std::string> words);
  /// The same in the tree.
  llvm::Expected<std::string> gitInTree(llvm::ArrayRef<std::string> words);

  const std::string &getPath() const { return tree; }
  /// A file in the scratch directory, beside the tree.
  std::string getScratch(llvm::StringRef name) const;

private:
  WorkTree(const BisectOptions &options, Progress progress,
           llvm::function_ref<bool()> isInterrupted)
      : options(options), progress(progress), isInterrupted(isInterrupted) {}

  llvm::Expected<std::string> runGit(llvm::StringRef directory,
                                     llvm::ArrayRef<std::string> words,
                                     bool mayBeInterrupted = false);
  llvm::Error makeScratch(llvm::StringRef parent);
  void removeAbandoned();
  llvm::Error updateSubmodules();

  const BisectOptions &options;
  Progress progress;
  llvm::function_ref<bool()> isInterrupted;
  std::string program, scratch, tree;
  int lock = -1;
  bool isAdded = false;
};

} // namespace fly::bisect

#endif // FLY_LIB_BISECT_WORKTREE_H
