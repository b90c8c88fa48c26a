//===- RooflineWork.cpp - The work of an object's kernels -----------------===//
#include "RooflineWork.h"

#include "fly/Contract/Note.h"
#include "fly/Isa/CodeObject.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fly;
using namespace fly::tools;

/// An error where the query names what no kernel has, and no expression.
static llvm::Error checkArguments(const contract::ObjectContracts &contracts,
                                  const analysis::WorkQuery &query) {
  std::vector<std::string> known;
  for (const contract::LaunchContract &each : contracts.kernels)
    for (const contract::Argument &argument : each.arguments)
      if (argument.kind == contract::ArgumentKind::Scalar &&
          !llvm::is_contained(known, argument.name))
        known.push_back(argument.name);
  std::string list = known.empty() ? "none" : llvm::join(known, ", ");
  llvm::append_range(known, query.ownNames());
  for (const auto &[name, value] : query.arguments)
    if (!llvm::is_contained(known, name))
      return llvm::createStringError("no kernel has a scalar argument '" +
                                     name + "'; there are: " + list);
  return llvm::Error::success();
}

llvm::Expected<std::vector<ObjectWork>>
fly::tools::readObjectWorks(llvm::StringRef path, llvm::StringRef contents,
                            llvm::StringRef kernel,
                            const analysis::WorkQuery &query) {
  auto inFile = [&](llvm::Error error) {
    return llvm::createStringError("'" + path +
                                   "': " + llvm::toString(std::move(error)));
  };
  llvm::Expected<isa::CodeObject> object = isa::CodeObject::load(contents);
  if (!object)
    return inFile(object.takeError());
  llvm::Expected<contract::ObjectContracts> contracts =
      contract::readContracts(contents);
  if (!contracts)
    return inFile(contracts.takeError());
  auto program = isa::Program::decode(*object);
  if (!program)
    return inFile(program.takeError());
  if (llvm::Error error = checkArguments(*contracts, query))
    return std::move(error);
  std::vector<ObjectWork> works;
  std::string names;
  for (const isa::Kernel &each : object->kernels()) {
    names += (names.empty() ? "" : ", ") + each.name;
    if (!kernel.empty() && each.name != kernel)
      continue;
    auto found = llvm::find_if(contracts->kernels, [&](const auto &contract) {
      return contract.kernel == each.name;
    });
    auto work = found == contracts->kernels.end()
                    ? analysis::makeKernelWork(each, **program, query)
                    : analysis::makeKernelWork(*found, query);
    if (!work)
      return work.takeError();
    works.push_back({object->chip(), std::move(*work)});
  }
  if (works.empty())
    return llvm::createStringError(
        (kernel.empty() ? "" : "--kernel=" + kernel + ": ") + "'" + path +
        "' holds: " + (names.empty() ? "no kernel" : names));
  return works;
}
