//===- SanitizerOptions.cpp - how the asan preset runs --------------------===//
//
// LLVM's packages are not instrumented, but share inline code with ours: a
// bump allocator whose slab our side poisons is filled by theirs, which does
// not unpoison. Poisoning by hand is therefore off; heap, stack and globals of
// our code are checked as ever. ASAN_OPTIONS in the environment goes first.
//
//===----------------------------------------------------------------------===//

// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" const char *__asan_default_options();
__attribute__((no_sanitize("address", "undefined"))) const char *
__asan_default_options() {
  return "allow_user_poisoning=0";
}
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
