//===- fly-bisect.cpp - Which commit made a command's result worse --------===//
#include "fly/Bisect/Bisect.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

#include <atomic>
#include <signal.h>

#include "../Options/CommandLine.h"

using namespace fly;
using namespace fly::tools;
namespace cl = llvm::cl;

/// Set where the user interrupts; a handler of signals may do no more.
static std::atomic<bool> isInterrupted{false};

/// Not by LLVM's interrupt function, which is forgotten once it is called: a
/// second signal must not end the cleaning up.
static void catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int) { isInterrupted = true; };
  action.sa_flags = SA_RESTART;
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    sigaction(signal, &action, nullptr);
}

namespace {
struct Options {
  cl::OptionCategory category{"fly-bisect options"};
  cl::opt<std::string> build{"build", cl::value_desc("command"),
                             cl::cat(category),
                             cl::desc("For the shell, at each commit before "
                                      "COMMAND; a commit that fails is\n"
                                      "skipped")};
  cl::opt<std::string> metric{
      "metric", cl::value_desc("regex"), cl::cat(category),
      cl::desc("The number in a line that COMMAND prints: the first group, "
               "or\nall; the last such line counts. Without it the exit code\n"
               "decides: 0 is good, 125 cannot be judged")};
  cl::opt<bool> higherIsBetter{"higher-is-better", cl::cat(category),
                               cl::desc("More of the metric is better")};
  cl::opt<unsigned> repeat{
      "repeat", cl::init(0), cl::value_desc("number"), cl::cat(category),
      cl::desc("Runs a commit, of which the median counts: 7 with a metric,\n"
               "else 1")};
  cl::opt<double> threshold{
      "threshold", cl::init(5), cl::value_desc("percent"), cl::cat(category),
      cl::desc("By how much BAD must be worse at least (5); also more than\n"
               "the samples scatter")};
  cl::opt<unsigned> timeout{
      "timeout", cl::init(0), cl::value_desc("seconds"), cl::cat(category),
      cl::desc("End builds and commands after this time; the commit is "
               "skipped")};
  cl::opt<bool> clean{"clean", cl::cat(category),
                      cl::desc("Remove ignored files before each build too")};
  cl::opt<std::string> scratch{
      "scratch", cl::value_desc("directory"), cl::cat(category),
      cl::desc("Where the work tree is made, instead of $TMPDIR")};
  cl::opt<bool> json{"json", cl::cat(category), cl::desc("Print JSON")};
  cl::list<std::string> words{cl::Positional, cl::cat(category),
                              cl::desc("GOOD [BAD] -- COMMAND")};
};
} // namespace

static int complain(const llvm::Twine &text) {
  return fail("fly-bisect", text);
}

/// What stands before `--` is ours; LLVM's parser would take the command's own
/// options apart.
static int run(const Options &options, llvm::ArrayRef<char *> command) {
  bisect::BisectOptions request;
  if (options.words.empty() || options.words.size() > 2 || command.empty())
    return complain("expected GOOD [BAD] -- COMMAND: fly-bisect v1.0 main "
                    "--metric='time: ([0-9.]+)' -- ./bench");
  request.good = options.words[0];
  request.bad = options.words.size() > 1 ? options.words[1] : "";
  request.command.assign(command.begin(), command.end());
  request.build = options.build;
  request.metric = options.metric;
  request.higherIsBetter = options.higherIsBetter;
  request.repeat = options.repeat;
  request.threshold = options.threshold;
  request.timeoutSeconds = options.timeout;
  request.cleanBuilds = options.clean;
  request.scratch = options.scratch;
  if (options.repeat > 1000)
    return complain("--repeat: expected a number from 1 to 1000");
  if (!(request.threshold >= 0 && request.threshold <= 1e6))
    return complain("--threshold: expected a percentage from 0");
  if (request.higherIsBetter && request.metric.empty())
    return complain("--higher-is-better: give the --metric that is higher");

  catchInterrupts();
  auto progress = [](const llvm::Twine &text) {
    llvm::errs() << "fly-bisect: " << makePlain(text.str()) << '\n';
  };
  llvm::Expected<bisect::BisectResult> result =
      bisect::bisect(request, progress, [] { return isInterrupted.load(); });
  if (!result)
    return complain(llvm::toString(result.takeError()));
  if (options.json)
    llvm::outs() << llvm::formatv("{0:2}", bisect::toJSON(*result)) << '\n';
  else
    bisect::print(llvm::outs(), *result);
  return result->isFound() ? Right : FailedCheck;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  setVersion("fly-bisect");
  Options options;
  cl::HideUnrelatedOptions(options.category);
  llvm::MutableArrayRef<char *> words(argv, argc);
  auto separator = llvm::find_if(
      words, [](const char *word) { return llvm::StringRef(word) == "--"; });
  int ours = int(separator - words.begin());
  cl::ParseCommandLineOptions(
      ours, argv,
      "Finds the commit that made the result of a command worse, by git bisect "
      "in a work\ntree of its own: what you have checked out, changed, staged "
      "or stashed stays as it\nis. GOOD and BAD (HEAD) are measured first. "
      "Exit: 0 found, 2 no regression or not\nnarrowed down to one commit, 1 "
      "otherwise\n\n"
      "  fly-bisect v1.2 -- ./test.sh\n"
      "  fly-bisect v1.2 main --build='make -j8' --metric='time: ([0-9.]+) us' "
      "\\\n      -- ./bench --size 4096\n"
      "  fly-bisect HEAD~50 --metric='([0-9.]+) TFLOPS' --higher-is-better -- "
      "./bench\n");
  llvm::ArrayRef<char *> command(words);
  command = command.drop_front(std::min(size_t(ours) + 1, words.size()));
  return run(options, command);
}
