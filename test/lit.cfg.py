# How lit runs Fly's tests: which files are tests, which tools they may name.
#
# A test that takes long says `REQUIRES: slow`; `--param=speed=quick` leaves
# those out, `--param=speed=slow` runs them alone (test/CMakeLists.txt registers
# both with CTest).

import os
import shutil

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "Fly"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.join(config.fly_source_dir, "test")
config.test_exec_root = os.path.join(config.fly_binary_dir, "test")

speed = lit_config.params.get("speed", "all")
if speed not in ("quick", "slow", "all"):
    lit_config.fatal("speed is 'quick', 'slow' or 'all', not '%s'" % speed)
if speed != "quick":
    config.available_features.add("slow")
if speed == "slow":
    config.limit_to_features = {"slow"}

if config.fly_sanitizer:
    config.available_features.add("sanitizer")
    # Allocations that live until exit in libMLIR's registries are not leaks of
    # ours; everything else AddressSanitizer finds fails the test.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
# Who shows the HTML report to its test; cmake/install-packages.sh installs it.
browser = shutil.which("chromium")
if browser:
    config.available_features.add("browser")
    config.substitutions.append(("%browser", browser))
if not config.fly_sanitizer:
    config.available_features.add("unsanitized")

# %src is the source tree, %build the build tree, %examples the example kernels,
# %scripts the shell that several tests share, %fly-mutants a tool of the tests.
config.substitutions.append(("%src", config.fly_source_dir))
config.substitutions.append(("%build", config.fly_binary_dir))
config.substitutions.append(
    ("%examples", os.path.join(config.fly_source_dir, "python-free-examples"))
)
config.substitutions.append(
    ("%scripts", os.path.join(config.fly_source_dir, "test", "Scripts"))
)
config.substitutions.append(
    ("%fly-mutants", os.path.join(config.fly_binary_dir, "unit", "fly-mutants"))
)
config.substitutions.append(("%llvm_bin", config.llvm_tools_dir))
config.substitutions.append(("%cmake", config.cmake_command))
config.substitutions.append(("%cxx", config.cxx_compiler))
config.substitutions.append(("%mlir_dir", config.mlir_dir))

llvm_config.with_system_environment(["HOME", "TMP", "TEMP", "TMPDIR"])
# Shell scripts that a test starts find the same tools by name.
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.fly_tools_dir, append_path=True)

llvm_config.add_tool_substitutions(
    [
        ToolSubst(name, unresolved="ignore")
        for name in ["fly-opt", "fly-compile", "fly-run", "fly-gen", "fly-lsp-server", "fly-reduce", "fly-report", "fly-bench", "fly-bisect"]
    ],
    [config.fly_tools_dir],
)
llvm_config.add_tool_substitutions(
    [
        "FileCheck",
        "not",
        "count",
        "split-file",
        "yaml2obj",
        "obj2yaml",
        "llvm-mc",
        "llvm-readelf",
        "llvm-objdump",
        "llvm-objcopy",
        "ld.lld",
        "mlir-opt",
        "mlir-tblgen",
    ],
    [config.llvm_tools_dir],
)
