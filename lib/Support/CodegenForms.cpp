//===- CodegenForms.cpp - Ways to have LLVM compile a kernel --------------===//
#include "fly/Support/CodegenForms.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly;

static constexpr CodegenForm kForms[] = {
    {"vgpr", "", false, false},      {"vgpr_ilp", "max-ilp", false, false},
    {"agpr", "", true, false},       {"agpr_ilp", "max-ilp", true, false},
    {"vgpr_hints", "", false, true}, {"agpr_hints", "", true, true},
};

llvm::ArrayRef<CodegenForm> fly::getCodegenForms() { return kForms; }

const CodegenForm *fly::findCodegenForm(llvm::StringRef name) {
  const auto *form = llvm::find_if(
      kForms, [&](const CodegenForm &each) { return each.name == name; });
  return form == std::end(kForms) ? nullptr : form;
}

std::string fly::knownCodegenForms() {
  std::string names = codegenAuto.str();
  for (const CodegenForm &form : kForms)
    names += ", " + form.name.str();
  return names;
}
