//===- KernelWork.cpp - Operations and bytes of a kernel ------------------===//
//
// Of a kernel with a launch contract its own expressions; of others those of
// the query, with the types that their matrix instructions multiply.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/Roofline.h"
#include "fly/Arch/MatrixFormats.h"
#include "fly/Arch/MfmaTable.h"
#include "fly/Isa/CodeObject.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::analysis;
using contract::Expr;

std::optional<int64_t> WorkQuery::get(llvm::StringRef name) const {
  auto found = arguments.find(name.str());
  return found == arguments.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> WorkQuery::ownNames() const {
  std::vector<std::string> names;
  for (const std::optional<Expr> &expr : {flop, bytes})
    if (expr)
      llvm::append_range(names, expr->argumentNames());
  return names;
}

/// "gemm, K=77 M=100".
static std::string nameOf(llvm::StringRef kernel, const WorkQuery &query) {
  std::string arguments;
  for (const auto &[name, value] : query.arguments)
    arguments += " " + name + "=" + std::to_string(value);
  return (kernel + (arguments.empty() ? "" : "," + arguments)).str();
}

/// What an option says; it must be a positive number, or 0 operations.
static llvm::Expected<double> evaluate(const Expr &expr, llvm::StringRef option,
                                       bool mayBeZero, const WorkQuery &query) {
  llvm::SmallVector<std::string> missing = expr.argumentNames();
  llvm::erase_if(missing,
                 [&](llvm::StringRef name) { return bool(query.get(name)); });
  if (!missing.empty())
    return llvm::createStringError("--" + option + "=" + expr.str() +
                                   ": give " + llvm::join(missing, "=.. ") +
                                   "=..");
  llvm::Expected<int64_t> value =
      expr.evaluate([&](llvm::StringRef name) { return query.get(name); });
  if (!value)
    return llvm::createStringError("--" + option + "=" + expr.str() + ": " +
                                   llvm::toString(value.takeError()));
  if (*value < 0 || (*value == 0 && !mayBeZero))
    return llvm::createStringError(
        llvm::formatv("--{0}={1}: is {2}, expected a positive number", option,
                      expr.str(), *value));
  return double(*value);
}

/// Takes what the query says into `work`.
static llvm::Error takeGiven(Work &work, const WorkQuery &query) {
  if (query.flop) {
    llvm::Expected<double> flop =
        evaluate(*query.flop, "flop", /*mayBeZero=*/true, query);
    if (!flop)
      return flop.takeError();
    work.flop = *flop;
    work.flopFormula = query.flop->str() + ", as --flop says";
    work.isAtMost = false;
  }
  if (query.bytes) {
    llvm::Expected<double> bytes =
        evaluate(*query.bytes, "bytes", /*mayBeZero=*/false, query);
    if (!bytes)
      return bytes.takeError();
    work.bytes = *bytes;
    work.bytesFormula = query.bytes->str() + ", as --bytes says";
  }
  return llvm::Error::success();
}

/// The argument names that the contract needs and the query does not give.
static std::vector<std::string>
findMissing(const contract::LaunchContract &contract, const WorkQuery &query) {
  std::vector<std::string> names;
  auto note = [&](const Expr &expr) {
    for (std::string &name : expr.argumentNames())
      if (!query.get(name) && contract.findArgument(name) &&
          !llvm::is_contained(names, name))
        names.push_back(std::move(name));
  };
  if (!query.flop)
    for (const contract::DotWork &dots : contract.work) {
      if (!dots.flop)
        continue;
      note(*dots.flop);
      for (const contract::Counter &counter : dots.over)
        for (const Expr *expr : {&counter.from, &counter.to, &counter.by})
          note(*expr);
    }
  if (!query.bytes)
    for (const contract::Argument &argument : contract.arguments)
      if (argument.view)
        llvm::for_each(argument.view->extents, note);
  return names;
}

/// "2 * M * N * K"; "the sum over tile.0 = 0 to M by 128 of ...".
static std::string formulaOf(const contract::DotWork &dots) {
  std::string text;
  for (const contract::Counter &counter : dots.over)
    text += llvm::formatv(
        "{0}{1} = {2} to {3} by {4}", text.empty() ? "the sum over " : ", ",
        counter.name, counter.from.str(), counter.to.str(), counter.by.str());
  return text + (text.empty() ? "" : " of ") + dots.flop->str();
}

/// The types of all products; an error where there are several.
static llvm::Error takeTypes(const contract::LaunchContract &contract,
                             Work &work) {
  const arch::ArchInfo *chip = arch::ArchInfo::lookup(contract.chip);
  if (!chip)
    return llvm::createStringError("kernel '" + contract.kernel +
                                   "': its chip '" + contract.chip +
                                   "' is unknown");
  for (const contract::DotWork &dots : contract.work) {
    // tf32 is f32 that is multiplied with fewer bits.
    auto typeOf = [&](llvm::StringRef name) {
      return name == "tf32" ? arch::ElementType::Xf32
                            : arch::elementTypeOfMlir(name, *chip->fp8);
    };
    std::optional<arch::ElementType> a = typeOf(dots.a), b = typeOf(dots.b);
    if (!a || !b)
      return llvm::createStringError(
          llvm::formatv("kernel '{0}' multiplies {1} and {2}, which no matrix "
                        "instruction of {3} takes",
                        contract.kernel, dots.a, dots.b, contract.chip));
    std::pair types(*a, *b);
    if (work.types && *work.types != types)
      return llvm::createStringError(llvm::formatv(
          "kernel '{0}': its dots multiply {1} and {2}, and {3} and {4}; there "
          "is no one peak for both",
          contract.kernel, arch::elementTypeName(work.types->first),
          arch::elementTypeName(work.types->second), arch::elementTypeName(*a),
          arch::elementTypeName(*b)));
    work.types = types;
  }
  return llvm::Error::success();
}

llvm::Expected<Work>
fly::analysis::makeKernelWork(const contract::LaunchContract &contract,
                              const WorkQuery &query) {
  Work work;
  work.name = nameOf(contract.kernel, query);
  auto inKernel = [&](llvm::Error error, llvm::StringRef hint = "") {
    return llvm::createStringError("kernel '" + contract.kernel + "': " +
                                   llvm::toString(std::move(error)) + hint);
  };
  // No argument helps where the host cannot compute something.
  for (const contract::DotWork &dots : contract.work)
    if (!dots.flop && !query.flop)
      return inKernel(
          contract::evaluateWork(dots, [](auto) { return std::nullopt; })
              .takeError(),
          "; say its operations by --flop=EXPRESSION");
  for (const contract::Argument &argument : contract.arguments)
    if (argument.kind == contract::ArgumentKind::Pointer && !argument.view &&
        argument.name != contract::channelArgument && !query.bytes)
      return inKernel(
          llvm::createStringError("how much memory '" + argument.name +
                                  "' reaches is not known from the arguments"),
          "; say its bytes by --bytes=EXPRESSION");
  if (auto missing = findMissing(contract, query); !missing.empty())
    return llvm::createStringError("kernel '" + contract.kernel + "': give " +
                                   llvm::join(missing, "=.. ") +
                                   "=.. for its operations and bytes");
  if (llvm::Error error = takeTypes(contract, work))
    return std::move(error);
  auto bindings = [&](llvm::StringRef name) { return query.get(name); };
  if (!query.flop) {
    llvm::Expected<double> flop =
        contract::evaluateWork(contract.work, bindings);
    if (!flop)
      return inKernel(flop.takeError());
    work.flop = *flop;
    for (const contract::DotWork &dots : contract.work) {
      work.flopFormula +=
          (work.flopFormula.empty() ? "" : " + ") + formulaOf(dots);
      work.isAtMost |= dots.isAtMost;
    }
    if (contract.work.empty())
      work.flopFormula = "no dots";
  }
  if (!query.bytes) {
    llvm::Expected<double> bytes =
        contract::evaluateIdealBytes(contract, bindings);
    if (!bytes)
      return inKernel(bytes.takeError());
    work.bytes = *bytes;
    work.bytesFormula = "each element of each view once";
  }
  if (llvm::Error error = takeGiven(work, query))
    return std::move(error);
  return work;
}

llvm::Expected<Work> fly::analysis::makeKernelWork(const isa::Kernel &kernel,
                                                   const isa::Program &program,
                                                   const WorkQuery &query) {
  if (!query.flop || !query.bytes)
    return llvm::createStringError(
        "kernel '" + kernel.name +
        "' has no launch contract; say its work by --flop=EXPRESSION and "
        "--bytes=EXPRESSION, as in --flop='2 * M * N * K' M=4096 N=4096 "
        "K=8192");
  Work work;
  work.name = nameOf(kernel.name, query);
  std::vector<std::pair<arch::ElementType, arch::ElementType>> types;
  for (const isa::Instruction &inst : program.instructionsOf(kernel)) {
    const arch::MfmaRow *row = arch::lookupMfmaByMnemonic(inst.mnemonic);
    if (!row)
      continue;
    std::pair pair = arch::multipliedTypes(*row, inst.cbsz, inst.blgp);
    if (!llvm::is_contained(types, pair))
      types.push_back(pair);
  }
  if (types.size() > 1)
    return llvm::createStringError(llvm::formatv(
        "kernel '{0}' multiplies {1} and {2}, and {3} and {4}; there is no one "
        "peak for both",
        kernel.name, arch::elementTypeName(types[0].first),
        arch::elementTypeName(types[0].second),
        arch::elementTypeName(types[1].first),
        arch::elementTypeName(types[1].second)));
  if (!types.empty())
    work.types = types.front();
  if (llvm::Error error = takeGiven(work, query))
    return std::move(error);
  if (work.flop > 0 && !work.types)
    return llvm::createStringError(
        "kernel '" + kernel.name +
        "' has no dense matrix instruction whose peak its operations could be "
        "compared with; say --flop=0");
  return work;
}
