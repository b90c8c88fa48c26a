//===- ChooseForms.cpp - Module to object, by the best forms --------------===//
//
// Two rounds at most: the first form, then all others that may do better side
// by side. The best one is proved, and where it breaks a rule the next best;
// proofs take too long to have them of forms that lose anyway. Kernels of a
// module choose apart, so the winning combination may be one that no job has
// compiled; then it is compiled, too. What code generation said about the
// losers is dropped with them.
//
//===----------------------------------------------------------------------===//
#include "ChooseForms.h"

#include "fly/Target/LinkElf.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"

#include <chrono>

#include "Portfolio.h"

using namespace fly;
using namespace fly::target;

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

/// A job with what came of it.
struct Attempt {
  CodegenJob job;
  Emission emission;
  std::string elf;
  bool isProved = false;
  /// None where the object cannot be verified.
  std::optional<verify::ObjectVerdict> verdict = std::nullopt;
};

class Chooser {
public:
  Chooser(llvm::Module &module, llvm::StringRef chip,
          const SerializeOptions &options, bool plainTexts)
      : module(module), chip(chip), options(options), plainTexts(plainTexts) {
    llvm::raw_string_ostream stream(bitcode);
    // Orders of uses steer LLVM's heuristics.
    llvm::WriteBitcodeToFile(module, stream,
                             /*ShouldPreserveUseListOrder=*/true);
  }

  llvm::Expected<ChosenCode> run();

private:
  llvm::Error findKernels();
  llvm::Error compile(std::vector<CodegenJob> jobs);
  llvm::Error compileFurther();
  void prove(Attempt &attempt);
  void takeProofs(Attempt &attempt, size_t kernel,
                  reports::CodegenFigures &figures);
  void choose(size_t kernel, llvm::ArrayRef<Attempt *> tried);
  reports::CodegenFigures figuresOf(const Attempt &attempt,
                                    size_t kernel) const;
  llvm::Expected<Attempt *> getChosen();
  llvm::Error emitTexts(Attempt &chosen);

  llvm::Module &module;
  llvm::StringRef chip;
  const SerializeOptions &options;
  bool plainTexts;
  std::string bitcode;
  llvm::SmallVector<llvm::Function *> kernels;
  /// A kernel's own wish, if it has one.
  llvm::SmallVector<std::optional<unsigned>> wanted;
  std::vector<unsigned> best;
  std::vector<Attempt> attempts;
  ChosenCode result;
};

} // namespace

llvm::Error Chooser::findKernels() {
  for (llvm::Function &function : module) {
    if (!isKernel(function))
      continue;
    kernels.push_back(&function);
    result.kernels.push_back(function.getName().str());
    llvm::StringRef name =
        function.getFnAttribute(codegenAttrName).getValueAsString();
    std::optional<unsigned> form;
    if (!name.empty() && name != codegenAuto) {
      const CodegenForm *found = findCodegenForm(name);
      if (!found)
        return llvm::createStringError("kernel '" + function.getName() +
                                       "' asks for the codegen form '" + name +
                                       "', known are: " + knownCodegenForms());
      form = unsigned(found - getCodegenForms().begin());
    }
    wanted.push_back(form);
    best.push_back(form.value_or(0));
  }
  result.tried.resize(kernels.size());
  return llvm::Error::success();
}

/// Compiles and links; jobs that LLVM could not compile have no ELF.
llvm::Error Chooser::compile(std::vector<CodegenJob> jobs) {
  Clock::time_point begin = Clock::now();
  std::vector<Emission> emissions = runJobs(bitcode, chip, options, jobs);
  double midEndMs = 0; // They ran side by side.
  for (const Emission &emission : emissions)
    midEndMs = std::max(midEndMs, emission.midEndMs);
  result.timings.midEndMs += midEndMs;
  result.timings.codegenMs += millisecondsSince(begin) - midEndMs;
  for (auto [job, emission] : llvm::zip_equal(jobs, emissions)) {
    Attempt attempt{std::move(job), std::move(emission), ""};
    if (!attempt.emission.failed()) {
      Clock::time_point start = Clock::now();
      llvm::Expected<std::string> linked =
          linkCodeObject(attempt.emission.object);
      if (!linked)
        return linked.takeError();
      attempt.elf = std::move(*linked);
      result.timings.linkMs += millisecondsSince(start);
    }
    attempts.push_back(std::move(attempt));
  }
  return llvm::Error::success();
}

reports::CodegenFigures Chooser::figuresOf(const Attempt &attempt,
                                           size_t kernel) const {
  llvm::StringRef form = getCodegenForms()[attempt.job.forms[kernel]].name;
  reports::CodegenFigures figures;
  figures.form = form.str();
  figures.failed = true;
  if (attempt.elf.empty())
    return figures;
  llvm::Expected<reports::ObjectReport> report =
      reports::reportObject(attempt.elf);
  if (!report) {
    // Readers of the object will say why.
    llvm::consumeError(report.takeError());
    return figures;
  }
  for (const reports::KernelReport &each : report->kernels)
    if (each.name == result.kernels[kernel])
      return target::figuresOf(each, form);
  return figures;
}

void Chooser::prove(Attempt &attempt) {
  if (attempt.isProved || attempt.elf.empty())
    return;
  Clock::time_point start = Clock::now();
  llvm::Expected<verify::ObjectVerdict> verdict =
      verify::verifyObject(attempt.elf);
  if (verdict)
    attempt.verdict = std::move(*verdict);
  else // Who takes the object asks again, and says why.
    llvm::consumeError(verdict.takeError());
  attempt.isProved = true;
  result.timings.verifyMs += millisecondsSince(start);
}

/// Adds what the proofs found on the code of a kernel.
void Chooser::takeProofs(Attempt &attempt, size_t kernel,
                         reports::CodegenFigures &figures) {
  prove(attempt);
  figures.proved = true;
  if (!attempt.verdict)
    return;
  for (const verify::KernelVerdict &each : attempt.verdict->kernels) {
    if (each.name != result.kernels[kernel])
      continue;
    figures.races = unsigned(
        llvm::count_if(each.findings, [](const verify::Finding &finding) {
          return finding.rule == verify::Rule::LdsOrder;
        }));
    figures.refused = unsigned(each.findings.size()) - figures.races;
  }
}

/// Takes the best form of a kernel: proves the one that is best by what is
/// known, until that is one which has been.
void Chooser::choose(size_t kernel, llvm::ArrayRef<Attempt *> tried) {
  std::vector<reports::CodegenFigures> &figures = result.tried[kernel];
  size_t least;
  do {
    least = size_t(llvm::min_element(figures, isBetter) - figures.begin());
    if (figures[least].proved || figures[least].failed)
      break;
    takeProofs(*tried[least], kernel, figures[least]);
  } while (figures[least].refused || figures[least].races);
  best[kernel] = tried[least]->job.forms[kernel];
}

/// The second round.
llvm::Error Chooser::compileFurther() {
  llvm::SmallVector<llvm::SmallVector<unsigned>> further(kernels.size());
  llvm::SmallSetVector<unsigned, 8> forms;
  for (size_t k = 0; k < kernels.size(); ++k) {
    reports::CodegenFigures first = figuresOf(attempts.front(), k);
    takeProofs(attempts.front(), k, first);
    result.tried[k].push_back(std::move(first));
    if (wanted[k])
      continue;
    further[k] = furtherForms(*kernels[k], result.tried[k].front());
    forms.insert(further[k].begin(), further[k].end());
  }
  std::vector<CodegenJob> jobs;
  for (unsigned form : forms) {
    CodegenJob job = attempts.front().job;
    for (size_t k = 0; k < kernels.size(); ++k)
      if (llvm::is_contained(further[k], form))
        job.forms[k] = form;
    jobs.push_back(std::move(job));
  }
  if (llvm::Error error = compile(std::move(jobs)))
    return error;
  for (size_t k = 0; k < kernels.size(); ++k) {
    llvm::SmallVector<Attempt *> tried = {&attempts.front()};
    for (Attempt &attempt : llvm::drop_begin(attempts))
      if (llvm::is_contained(further[k], attempt.job.forms[k])) {
        tried.push_back(&attempt);
        result.tried[k].push_back(figuresOf(attempt, k));
      }
    choose(k, tried);
  }
  return llvm::Error::success();
}

/// The attempt of all kernels' best forms.
llvm::Expected<Attempt *> Chooser::getChosen() {
  auto find = [&]() -> Attempt * {
    for (Attempt &attempt : attempts)
      if (attempt.job.forms == best && !attempt.elf.empty())
        return &attempt;
    return nullptr;
  };
  if (Attempt *chosen = find())
    return chosen;
  CodegenJob job = attempts.front().job;
  job.forms = best;
  if (llvm::Error error = compile({job}))
    return error;
  return &attempts.back();
}

/// Texts are asked for rarely, so only the chosen forms have them.
llvm::Error Chooser::emitTexts(Attempt &chosen) {
  if (!options.emitAssembly && !options.emitLlvmIr)
    return llvm::Error::success();
  CodegenJob job = chosen.job;
  job.emitObject = false;
  job.emitAssembly = options.emitAssembly;
  job.emitLlvmIr = options.emitLlvmIr;
  job.dropDebugInfo = plainTexts;
  Emission texts = std::move(runJobs(bitcode, chip, options, {job}).front());
  if (texts.failed())
    return llvm::createStringError(texts.messages.front().text);
  chosen.emission.assembly = std::move(texts.assembly);
  chosen.emission.llvmIr = std::move(texts.llvmIr);
  return llvm::Error::success();
}

llvm::Expected<ChosenCode> Chooser::run() {
  if (llvm::Error error = findKernels())
    return std::move(error);
  CodegenJob first;
  first.forms = best;
  if (llvm::Error error = compile({first}))
    return std::move(error);
  Attempt *chosen = &attempts.front();
  if (!chosen->emission.failed()) {
    if (llvm::Error error = compileFurther())
      return std::move(error);
    llvm::Expected<Attempt *> found = getChosen();
    if (!found)
      return found.takeError();
    chosen = *found;
    prove(*chosen);
    if (llvm::Error error = emitTexts(*chosen))
      return std::move(error);
  }
  for (unsigned form : best)
    result.forms.push_back(getCodegenForms()[form].name.str());
  result.emission = std::move(chosen->emission);
  result.elf = std::move(chosen->elf);
  result.verdict = std::move(chosen->verdict);
  return std::move(result);
}

llvm::Expected<ChosenCode>
fly::target::compileByBestForms(llvm::Module &module, llvm::StringRef chip,
                                const SerializeOptions &options,
                                bool plainTexts) {
  return Chooser(module, chip, options, plainTexts).run();
}
