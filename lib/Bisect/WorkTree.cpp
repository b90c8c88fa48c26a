//===- WorkTree.cpp - A work tree of git that nobody else uses ------------===//
//
// Every git command runs without the user's hooks, without background
// maintenance and without recursion into submodules, which would act on what
// all work trees share. Quick ones are not interrupted: git would leave half of
// a work tree's registration behind.
//
//===----------------------------------------------------------------------===//
#include "WorkTree.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace fly::bisect;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Directory names: that of the tree, which git lists, and how the one around
/// it starts.
static constexpr llvm::StringLiteral treeName = "fly-bisect";
static constexpr llvm::StringLiteral scratchPrefix = "fly-bisect-";
static constexpr llvm::StringLiteral lockName = "lock";

static std::string inside(llvm::StringRef directory, llvm::StringRef name) {
  llvm::SmallString<256> joined(directory);
  path::append(joined, name);
  return std::string(joined);
}

static std::string readAll(llvm::StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

std::string WorkTree::getScratch(llvm::StringRef name) const {
  return inside(scratch, name);
}

llvm::Expected<std::string> WorkTree::runGit(llvm::StringRef directory,
                                             llvm::ArrayRef<std::string> words,
                                             bool mayBeInterrupted) {
  ProcessRequest request;
  request.directory = directory.str();
  request.words = {program,
                   "-c",
                   "core.hooksPath=/dev/null",
                   "-c",
                   "gc.auto=0",
                   "-c",
                   "maintenance.auto=false",
                   "-c",
                   "core.fsmonitor=false",
                   "-c",
                   "submodule.recurse=false",
                   "-c",
                   "advice.detachedHead=false",
                   "-c",
                   "color.ui=false"};
  llvm::append_range(request.words, words);
  request.output = getScratch("git.out");
  request.errors = getScratch("git.err");
  // Messages are read below; nobody is there to type a password.
  request.variables = {"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat"};
  Outcome outcome = mayBeInterrupted
                        ? runProcess(request, isInterrupted)
                        : runProcess(request, [] { return false; });
  if (!outcome.succeeded()) {
    // Its last line says what git could not do, those before why.
    std::string printed = readAll(request.errors);
    llvm::StringRef complaint = llvm::StringRef(printed).rtrim();
    complaint = complaint.substr(complaint.rfind('\n') + 1);
    while (words.size() > 2 && words.front() == "-c")
      words = words.drop_front(2);
    return llvm::createStringError(
        "git " + words.front() + " " + outcome.describe() +
        (complaint.empty() ? "" : ": " + complaint.str()));
  }
  return llvm::StringRef(readAll(request.output)).rtrim('\n').str();
}

llvm::Expected<std::string> WorkTree::git(llvm::ArrayRef<std::string> words) {
  return runGit(options.repository, words);
}

llvm::Expected<std::string>
WorkTree::gitInTree(llvm::ArrayRef<std::string> words) {
  return runGit(tree, words);
}

llvm::Error WorkTree::makeScratch(llvm::StringRef parent) {
  llvm::SmallString<256> model(parent), made;
  path::append(model, scratchPrefix + "%%%%%%%%");
  // It has its name once it is locked: a run beside this one takes what bears
  // the name and is not locked for abandoned.
  auto make = [&]() -> std::error_code {
    fs::createUniquePath(model, made, /*MakeAbsolute=*/false);
    std::string unnamed = (made + ".new").str();
    if (std::error_code error =
            fs::create_directory(unnamed, /*IgnoreExisting=*/false))
      return error;
    std::error_code error = fs::openFileForReadWrite(
        inside(unnamed, lockName), lock, fs::CD_CreateNew, fs::OF_None);
    if (!error)
      error = fs::tryLockFile(lock);
    if (!error)
      error = fs::rename(unnamed, made);
    if (error)
      fs::remove_directories(unnamed);
    return error;
  };
  std::error_code error = make();
  for (unsigned more = 0; error == std::errc::file_exists && more < 16; ++more)
    error = make();
  if (error)
    return llvm::createStringError("cannot make a directory in '" + parent +
                                   "': " + error.message());
  scratch = std::string(made);
  tree = inside(scratch, treeName);
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<WorkTree>>
WorkTree::create(const BisectOptions &options, Progress progress,
                 llvm::function_ref<bool()> isInterrupted) {
  std::unique_ptr<WorkTree> result(
      new WorkTree(options, progress, isInterrupted));
  llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName("git");
  if (!program)
    return llvm::createStringError("no git on the PATH");
  result->program = *program;
  llvm::SmallString<256> parent(options.scratch);
  if (parent.empty())
    path::system_temp_directory(/*ErasedOnReboot=*/true, parent);
  if (std::error_code error = fs::make_absolute(parent))
    return llvm::createStringError(error, "'" + parent + "'");
  if (llvm::Error error = result->makeScratch(parent))
    return error;
  if (auto found = result->git({"rev-parse", "--git-dir"}); !found)
    return found.takeError();
  return result;
}

WorkTree::~WorkTree() {
  if (llvm::Error error = remove())
    progress(llvm::toString(std::move(error)));
}

llvm::Error WorkTree::remove() {
  std::string left;
  if (isAdded) {
    isAdded = false;
    // Twice: a tree that git was making when it ended is locked.
    auto removed = git({"worktree", "remove", "--force", "--force", tree});
    if (!removed)
      left = llvm::toString(removed.takeError());
  }
  if (lock != -1) {
    llvm::sys::Process::SafelyCloseFileDescriptor(lock);
    lock = -1;
  }
  if (!scratch.empty())
    if (std::error_code error = fs::remove_directories(scratch, false))
      left += (left.empty() ? "" : "; ") + error.message();
  if (left.empty() || scratch.empty())
    return llvm::Error::success();
  return llvm::createStringError("the work tree '" + tree +
                                 "' is left behind: " + left);
}

/// Whether nobody holds the lock of the scratch directory; one that cannot be
/// opened is that of somebody else.
static bool isAbandoned(llvm::StringRef scratch) {
  int file;
  if (std::error_code error = fs::openFileForReadWrite(
          inside(scratch, lockName), file, fs::CD_OpenExisting, fs::OF_None))
    return error == std::errc::no_such_file_or_directory;
  bool isFree = !fs::tryLockFile(file);
  llvm::sys::Process::SafelyCloseFileDescriptor(file);
  return isFree;
}

void WorkTree::removeAbandoned() {
  auto list = git({"worktree", "list", "--porcelain"});
  if (!list) {
    progress(llvm::toString(list.takeError()));
    return;
  }
  for (llvm::StringRef line : llvm::split(*list, '\n')) {
    if (!line.consume_front("worktree ") || path::filename(line) != treeName)
      continue;
    std::string around = path::parent_path(line).str();
    if (around == scratch || !path::filename(around).starts_with(scratchPrefix))
      continue;
    if (!isAbandoned(around)) {
      progress("another bisection works in '" + line + "'");
      continue;
    }
    auto removed =
        git({"worktree", "remove", "--force", "--force", line.str()});
    std::error_code error = fs::remove_directories(around, false);
    if (!removed)
      progress("cannot remove the work tree '" + line +
               "' that an ended run left behind: " +
               llvm::toString(removed.takeError()));
    else if (error)
      progress("cannot remove '" + around + "': " + error.message());
    else
      progress("removed the work tree '" + line +
               "' that an ended run left behind");
  }
}

/// Removes scratch directories beside \p own of runs that ended before they had
/// a tree.
static void removeTreeless(llvm::StringRef own) {
  std::error_code error;
  std::vector<std::string> found;
  for (fs::directory_iterator entry(path::parent_path(own), error), end;
       !error && entry != end; entry.increment(error)) {
    llvm::StringRef name = path::filename(entry->path());
    if (name.starts_with(scratchPrefix) && !name.ends_with(".new") &&
        fs::exists(inside(entry->path(), lockName)) &&
        !fs::exists(inside(entry->path(), treeName)) && entry->path() != own)
      found.push_back(entry->path());
  }
  for (const std::string &scratch : found)
    if (isAbandoned(scratch))
      fs::remove_directories(scratch);
}

llvm::Error WorkTree::add(llvm::StringRef commit) {
  removeAbandoned();
  removeTreeless(scratch);
  // Before git does anything: whatever it leaves is to be removed.
  isAdded = true;
  return git({"worktree", "add", "--detach", "--no-checkout", tree,
              commit.str()})
      .takeError();
}

llvm::Error WorkTree::checkOut(llvm::StringRef commit) {
  std::string clean = options.cleanBuilds ? "-ffdxq" : "-ffdq";
  auto take = [&](const std::string &how) -> llvm::Error {
    // Submodules that the last commit had lie there as untracked directories.
    if (auto cleaned = gitInTree({"clean", how}); !cleaned)
      return cleaned.takeError();
    return gitInTree({"checkout", "--force", "--quiet", "--detach",
                      commit.str(), "--"})
        .takeError();
  };
  llvm::Error error = take(clean);
  if (error && !options.cleanBuilds) {
    // An ignored file may stand where the commit has a directory.
    llvm::consumeError(std::move(error));
    error = take("-ffdxq");
  }
  if (error)
    return error;
  // A second time, for what the new commit does not know or no longer ignores.
  if (auto cleaned = gitInTree({"clean", clean}); !cleaned)
    return cleaned.takeError();
  return updateSubmodules();
}

llvm::Error WorkTree::updateSubmodules() {
  if (!fs::exists(inside(tree, ".gitmodules")))
    return llvm::Error::success();
  auto common =
      git({"rev-parse", "--path-format=absolute", "--git-common-dir"});
  auto paths = gitInTree({"config", "--file", ".gitmodules", "--get-regexp",
                          "^submodule\\..*\\.path$"});
  if (!common)
    return llvm::joinErrors(common.takeError(), paths.takeError());
  if (!paths) // A file without modules.
    return llvm::consumeError(paths.takeError()), llvm::Error::success();
  for (llvm::StringRef line : llvm::split(*paths, '\n')) {
    auto [key, place] = line.split(' ');
    if (!key.consume_front("submodule.") || !key.consume_back(".path"))
      continue;
    auto entry = gitInTree({"ls-files", "--stage", "--", place.str()});
    if (!entry)
      return entry.takeError();
    if (!llvm::StringRef(*entry).starts_with("160000"))
      continue;
    // No `submodule init`: it writes to the configuration that all work trees
    // share. The user's own clone is taken where there is one.
    std::string name = "submodule." + key.str();
    std::vector<std::string> words = {"-c", name + ".active=true"};
    std::string own = inside(inside(*common, "modules"), key);
    if (fs::exists(own))
      llvm::append_range(
          words, std::vector<std::string>{"-c", name + ".url=" + own, "-c",
                                          "protocol.file.allow=always"});
    llvm::append_range(words, std::vector<std::string>{"submodule", "update",
                                                       "--force", "--checkout",
                                                       "--", place.str()});
    auto updated = runGit(tree, words, /*mayBeInterrupted=*/true);
    if (!updated)
      return updated.takeError();
    // Those of a submodule are registered in its own, new, configuration.
    std::string module = inside(tree, place);
    if (!fs::exists(inside(module, ".gitmodules")))
      continue;
    auto nested = runGit(module,
                         {"submodule", "update", "--init", "--recursive",
                          "--force", "--checkout"},
                         /*mayBeInterrupted=*/true);
    if (!nested)
      return nested.takeError();
  }
  return llvm::Error::success();
}
