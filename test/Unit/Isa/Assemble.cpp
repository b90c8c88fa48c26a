//===- Assemble.cpp - assembly text to a code object ----------------------===//

#include "Assemble.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <vector>

using namespace llvm;

namespace {

/// A file that is removed when the test is done with it.
class ScratchFile {
public:
  explicit ScratchFile(StringRef suffix) {
    // Without a file the tool that is to write it fails with a message.
    (void)sys::fs::createTemporaryFile("fly-test", suffix, path);
  }
  ~ScratchFile() { (void)sys::fs::remove(path); }
  SmallString<128> path;
};

static bool run(ArrayRef<std::string> command, StringRef errors,
                std::string &message) {
  std::vector<StringRef> args(command.begin(), command.end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(""), errors};
  std::string failure;
  if (sys::ExecuteAndWait(command[0], args, std::nullopt, redirects, 60, 0,
                          &failure) == 0)
    return true;
  message = command[0] + ": " + failure;
  if (auto text = MemoryBuffer::getFile(errors))
    message += (*text)->getBuffer().str();
  return false;
}

static std::string assembleFile(StringRef source, StringRef chip,
                                std::string &message) {
  ScratchFile object("o"), linked("hsaco"), errors("txt");
  std::string tools = FLY_TEST_LLVM_BIN;
  if (!run({tools + "/llvm-mc", "-triple=amdgcn-amd-amdhsa",
            "-mcpu=" + chip.str(), "-filetype=obj", source.str(), "-o",
            object.path.str().str()},
           errors.path, message))
    return "";
  if (!run({tools + "/ld.lld", "-shared", object.path.str().str(), "-o",
            linked.path.str().str()},
           errors.path, message))
    return "";
  auto bytes = MemoryBuffer::getFile(linked.path);
  return bytes ? (*bytes)->getBuffer().str() : "";
}

} // namespace

std::string fly::test::assembleText(StringRef text, StringRef chip,
                                    std::string &message) {
  ScratchFile source("s");
  {
    std::error_code error;
    raw_fd_ostream stream(source.path, error);
    stream << text;
  }
  return assembleFile(source.path, chip, message);
}

std::string fly::test::assembleObject(StringRef name, std::string &message) {
  return assembleFile((Twine(FLY_TEST_OBJECTS) + "/" + name).str(),
                      name.split('_').first, message);
}

std::string fly::test::compileKernel(StringRef name, StringRef chip,
                                     StringRef optimisation,
                                     std::string &message) {
  ScratchFile linked("hsaco"), errors("txt");
  std::vector<std::string> command = {std::string(FLY_TEST_LLVM_BIN) +
                                      "/clang"};
  SmallVector<StringRef> options;
  if (name.ends_with(".hip"))
    StringRef("-x hip -std=c++17 --cuda-device-only --no-gpu-bundle-output "
              "-nogpuinc")
        .split(options, ' ');
  else
    StringRef("-x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa "
              "-cl-fp32-correctly-rounded-divide-sqrt")
        .split(options, ' ');
  optimisation.split(options, ' ');
  for (StringRef option : options)
    command.push_back(option.str());
  command.insert(
      command.end(),
      {(name.ends_with(".hip") ? "--offload-arch=" : "-mcpu=") + chip.str(),
       "-nogpulib", "-ffp-contract=off", "-w",
       std::string(FLY_TEST_KERNELS) + "/" + name.str(), "-o",
       linked.path.str().str()});
  if (!run(command, errors.path, message))
    return "";
  auto bytes = MemoryBuffer::getFile(linked.path);
  return bytes ? (*bytes)->getBuffer().str() : "";
}

std::string fly::test::assemblyOfMir(StringRef mir, StringRef chip,
                                     StringRef firstPass,
                                     std::string &message) {
  ScratchFile source("mir"), assembly("s"), errors("txt");
  {
    std::error_code error;
    raw_fd_ostream stream(source.path, error);
    stream << mir;
  }
  if (!run({std::string(FLY_TEST_LLVM_BIN) + "/llc",
            "-mtriple=amdgcn-amd-amdhsa", "-mcpu=" + chip.str(),
            "-start-before=" + firstPass.str(), source.path.str().str(), "-o",
            assembly.path.str().str()},
           errors.path, message))
    return "";
  auto text = MemoryBuffer::getFile(assembly.path);
  return text ? (*text)->getBuffer().str() : "";
}
