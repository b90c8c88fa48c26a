//===- Shrink.cpp - fly-run --shrink --------------------------------------===//
//
// Each launch is asked of a process of its own, so that what ends the process
// shrinks as well. What counts as the same is how it fails (Failure.h). Trials
// write no files, and end where they take much longer than the first launch.
//
//===----------------------------------------------------------------------===//
#include "fly/Reduce/Shrink.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <chrono>

#include "../Options/KernelOptions.h"
#include "Failure.h"
#include "RunRequest.h"

using namespace fly;
using namespace fly::tools;
using llvm::StringRef;

/// Launches to ask at most: some minutes.
static constexpr unsigned maxTests = 400;
/// Seconds that a trial may take: so many times those of the first launch, and
/// so many at least.
static constexpr unsigned timesLonger = 10, leastSeconds = 10;

namespace {

/// A number in a word of the command line: "M=512", "--size=BM=64,BN=64".
struct NumberPlace {
  size_t word, begin, length;
};

/// A command line whose numbers and options can be changed.
struct CommandLine {
  std::vector<std::string> words;
  std::vector<NumberPlace> places;
  std::vector<reduce::ShrinkingNumber> numbers;
};

} // namespace

/// The words with the numbers put in their places.
static std::vector<std::string>
withNumbers(const CommandLine &line,
            llvm::ArrayRef<reduce::ShrinkingNumber> numbers) {
  std::vector<std::string> words = line.words;
  // From the last place on, so that those before stay where they are.
  for (size_t i = line.places.size(); i-- != 0;) {
    const NumberPlace &place = line.places[i];
    words[place.word].replace(place.begin, place.length,
                              std::to_string(numbers[i].value));
  }
  return words;
}

/// Whether an option has its value in the next word.
static bool takesNextWord(StringRef word) {
  return llvm::is_contained(
      {"--expect", "--out", "--against", "--arg", "--kernel", "--check"}, word);
}

/// Numbers of scalar arguments, and sizes of tiles.
static void findNumbers(CommandLine &line) {
  line.places.clear();
  line.numbers.clear();
  auto add = [&](size_t word, size_t begin, size_t end, bool halves) {
    int64_t value;
    StringRef text = StringRef(line.words[word]).slice(begin, end);
    // The type of a scalar may stand in front of it; what else has a colon
    // fills buffers.
    auto [type, number] = text.split(':');
    if (text.contains(':')) {
      if (!llvm::is_contained({"i8", "i16", "i32", "i64"}, type))
        return;
      begin += type.size() + 1;
      text = number;
    }
    if (text.getAsInteger(10, value) || value < 2)
      return;
    line.places.push_back({word, begin, text.size()});
    line.numbers.push_back({value, 1, halves});
  };
  for (size_t word = 0; word != line.words.size(); ++word) {
    StringRef text = line.words[word];
    bool isSize = text.consume_front("--size=");
    size_t skipped = line.words[word].size() - text.size();
    if (!isSize) {
      size_t equals = text.find('=');
      bool isValue = word && takesNextWord(line.words[word - 1]);
      if (!text.starts_with("-") && equals != StringRef::npos && !isValue)
        add(word, equals + 1, text.size(), /*halves=*/false);
      continue;
    }
    llvm::SmallVector<StringRef> parts;
    text.split(parts, ',');
    for (StringRef part : parts) {
      size_t begin = skipped + size_t(part.data() - text.data());
      add(word, begin + part.find('=') + 1, begin + part.size(),
          /*halves=*/true);
    }
  }
}

/// Whether a word is an option that the failure may not need. The rest names
/// what runs, and what it is compared with.
static bool isLeavable(StringRef word) {
  return llvm::any_of(
      llvm::ArrayRef<StringRef>{
          "--schedule=", "--size=", "--const=", "--interleave=",
          "--dispatch-seed=", "--seed=", "--timing", "--jobs="},
      [&](StringRef prefix) { return word.starts_with(prefix); });
}

/// Options are written with one dash or two, and with their value behind.
static std::vector<std::string> normalized(llvm::ArrayRef<char *> words) {
  std::vector<std::string> result;
  for (const char *each : words.drop_front()) {
    StringRef word = each;
    if (word.starts_with("-") && !word.starts_with("--") && word.size() > 1)
      result.push_back("-" + word.str());
    else
      result.push_back(word.str());
    StringRef last = result.back();
    if (last == "--shrink" || last.starts_with("--shrink="))
      result.pop_back();
  }
  // "--size BM=64" is "--size=BM=64".
  for (size_t i = 0; i + 1 < result.size(); ++i)
    if (result[i] != "--timing" && result[i] != "--time-only" &&
        !StringRef(result[i]).contains('=') && isLeavable(result[i] + "=")) {
      result[i] += "=" + result[i + 1];
      result.erase(result.begin() + ptrdiff_t(i) + 1);
    }
  return result;
}

/// Takes out what only writes files, which a trial must not: the user has those
/// of the launch that was asked for. Views are of a timed launch.
static void removeWriting(std::vector<std::string> &words) {
  static constexpr StringRef outputs = "--out";
  static constexpr StringRef views[] = {"--att", "--kernel-trace", "--counters",
                                        "--perfetto", "--html"};
  bool hadViews = false;
  for (size_t i = 0; i < words.size();) {
    auto [name, value] = StringRef(words[i]).split('=');
    bool isView = llvm::is_contained(views, name);
    if (!isView && name != outputs) {
      ++i;
      continue;
    }
    hadViews |= isView;
    bool takesNext = !StringRef(words[i]).contains('=');
    auto place = words.begin() + ptrdiff_t(i);
    words.erase(place, place + (takesNext && i + 1 != words.size() ? 2 : 1));
  }
  if (hadViews && !llvm::is_contained(words, "--timing"))
    words.push_back("--timing");
}

/// Words of a shell.
static std::string shellText(llvm::ArrayRef<std::string> words) {
  std::string text = "fly-run";
  for (const std::string &word : words) {
    bool isPlain = llvm::all_of(word, [](char c) {
      return llvm::isAlnum(c) || StringRef("-_=.,/:@+%").contains(c);
    });
    text += isPlain ? " " + word : " '" + word + "'";
  }
  return text;
}

namespace {

/// Runs this program.
class Runner {
public:
  explicit Runner(std::string program) : program(std::move(program)) {}

  /// As the user has asked; gives the exit code.
  int run(llvm::ArrayRef<std::string> words);
  /// Without output and files; gives what it failed by.
  llvm::Expected<Failure> tryOut(std::vector<std::string> words);

  unsigned count = 0; ///< Launches so far.

private:
  std::vector<StringRef> commandOf(llvm::ArrayRef<std::string> words) const {
    std::vector<StringRef> all = {program};
    all.insert(all.end(), words.begin(), words.end());
    return all;
  }

  const std::string program;
  unsigned secondsAtMost = leastSeconds;
};

} // namespace

int Runner::run(llvm::ArrayRef<std::string> words) {
  ++count;
  auto begin = std::chrono::steady_clock::now();
  int code = llvm::sys::ExecuteAndWait(program, commandOf(words));
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
      std::chrono::steady_clock::now() - begin);
  secondsAtMost =
      std::max(leastSeconds, timesLonger * (unsigned(seconds.count()) + 1));
  return code;
}

llvm::Expected<Failure> Runner::tryOut(std::vector<std::string> words) {
  ++count;
  for (const char *option : {"--json", "--no-what-if"})
    if (!llvm::is_contained(words, option))
      words.push_back(option);
  llvm::SmallString<128> output, errors;
  for (llvm::SmallString<128> *path : {&output, &errors})
    if (std::error_code code =
            llvm::sys::fs::createTemporaryFile("fly-shrink", "txt", *path))
      return llvm::createStringError("cannot make a temporary file: " +
                                     code.message());
  llvm::FileRemover removeOutput(output), removeErrors(errors);
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(output),
                                          StringRef(errors)};
  std::string problem;
  int code = llvm::sys::ExecuteAndWait(program, commandOf(words), std::nullopt,
                                       redirects, secondsAtMost,
                                       /*MemoryLimit=*/0, &problem);
  auto textOf = [](StringRef path) {
    auto file = llvm::MemoryBuffer::getFile(path);
    return file ? (*file)->getBuffer().str() : std::string();
  };
  return Failure::of(code, problem, textOf(output), textOf(errors));
}

int fly::tools::shrinkRequest(const RunRequest &request,
                              llvm::ArrayRef<char *> words) {
  if (request.input == "-")
    return fail("fly-run", "--shrink runs the kernel many times; give it as a "
                           "file, not on standard input");
  Runner runner(llvm::sys::fs::getMainExecutable(
      words.front(), reinterpret_cast<void *>(&shrinkRequest)));
  CommandLine line;
  line.words = normalized(words);
  const int wanted = runner.run(line.words);
  if (wanted == Right || wanted == UserError) {
    if (wanted == Right)
      llvm::outs() << "--shrink: the launch is right, there is nothing to "
                      "make smaller\n";
    return wanted;
  }
  removeWriting(line.words);
  llvm::Expected<Failure> first = runner.tryOut(line.words);
  if (!first)
    return fail("fly-run", "--shrink: " + llvm::toString(first.takeError()));
  if (first->exitCode != wanted)
    return fail("fly-run", "--shrink: the launch has ended with " +
                               llvm::Twine(wanted) + ", and with " +
                               llvm::Twine(first->exitCode) +
                               " when it ran again");
  auto fails = [&](llvm::ArrayRef<std::string> trial) {
    llvm::Expected<Failure> failure = runner.tryOut(trial.vec());
    if (failure)
      return failure->isLike(*first);
    llvm::consumeError(failure.takeError());
    return false;
  };
  bool isSmaller = true;
  while (isSmaller && runner.count < maxTests) {
    std::vector<std::string> before = line.words;
    findNumbers(line);
    reduce::shrinkNumbers(
        line.numbers,
        [&](llvm::ArrayRef<reduce::ShrinkingNumber> numbers) {
          return fails(withNumbers(line, numbers));
        },
        maxTests - runner.count);
    line.words = withNumbers(line, line.numbers);
    for (size_t i = line.words.size(); i-- != 0 && runner.count < maxTests;) {
      if (!isLeavable(line.words[i]))
        continue;
      std::vector<std::string> trial = line.words;
      trial.erase(trial.begin() + ptrdiff_t(i));
      if (fails(trial))
        line.words = trial;
    }
    isSmaller = line.words != before;
  }
  llvm::outs() << "smallest of " << runner.count << " launches that end with "
               << wanted;
  if (!first->kinds.empty())
    llvm::outs() << " (" << first->text() << ')';
  llvm::outs() << ":\n  " << shellText(line.words) << '\n';
  return wanted;
}
