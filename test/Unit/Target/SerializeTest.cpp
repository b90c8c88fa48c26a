// Hand-written modules through serialize(): the bytes, what the note and the
// metadata say, determinism, and every refusal as a diagnostic of the caller.

#include "fly/Contract/Note.h"
#include "fly/Isa/CodeObject.h"
#include "fly/Target/CodeObject.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <gtest/gtest.h>
#include <thread>

using namespace fly;
using namespace fly::target;

namespace {

const char *copyKernel = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @copy(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %n: i32)
      attributes {gpu.kernel, rocdl.kernel} {
    %group = rocdl.workgroup.id.x : i32
    %item = rocdl.workitem.id.x : i32
    %size = llvm.mlir.constant(256 : i32) : i32
    %base = llvm.mul %group, %size : i32
    %i = llvm.add %base, %item : i32
    %in = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %in, ^body, ^end
  ^body:
    %from = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %to = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %from : !llvm.ptr<1> -> f32
    llvm.store %v, %to : f32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
)mlir";

/// A kernel with one LDS array of `BYTES` bytes.
std::string ldsKernel(const char *chip, unsigned bytes) {
  std::string type = "!llvm.array<" + std::to_string(bytes) + " x i8>";
  return std::string("gpu.module @m [#rocdl.target<chip = \"") + chip +
         R"mlir(">] {
  llvm.mlir.global internal @tileA() {addr_space = 3 : i32, alignment = 16 : i64} : )mlir" +
         type + R"mlir(
  llvm.mlir.global internal @tileB() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<16 x i8>
  llvm.func @reverse(%p: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel} {
    %tile = llvm.mlir.addressof @tileA : !llvm.ptr<3>
    %other = llvm.mlir.addressof @tileB : !llvm.ptr<3>
    %i = rocdl.workitem.id.x : i32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %slot = llvm.getelementptr %tile[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.store %v, %slot : f32, !llvm.ptr<3>
    llvm.store %v, %other : f32, !llvm.ptr<3>
    rocdl.s.barrier
    %w = llvm.load %slot : !llvm.ptr<3> -> f32
    llvm.store %w, %p : f32, !llvm.ptr<1>
    llvm.return
  }
})mlir";
}

const char *mfmaKernel = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @mma(%a: !llvm.ptr<1>, %c: !llvm.ptr<1>)
      attributes {gpu.kernel, rocdl.kernel} {
    %i = rocdl.workitem.id.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %from = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi16>
    %to = llvm.getelementptr %c[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    %v = llvm.load %from : !llvm.ptr<1> -> vector<4xi16>
    %acc = llvm.load %to : !llvm.ptr<1> -> vector<4xf32>
    %d = rocdl.mfma.f32.16x16x16bf16.1k %v, %v, %acc, %zero, %zero, %zero
        : (vector<4xi16>, vector<4xi16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    llvm.store %d, %to : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}
)mlir";

/// gfx950's MFMA: gfx942 can not select it.
const char *gfx950Mfma = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @mma(%a: !llvm.ptr<1>, %c: !llvm.ptr<1>)
      attributes {gpu.kernel, rocdl.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %v = llvm.load %a : !llvm.ptr<1> -> vector<8xbf16>
    %acc = llvm.load %c : !llvm.ptr<1> -> vector<4xf32>
    %d = rocdl.mfma.f32.16x16x32.bf16 %v, %v, %acc, %zero, %zero, %zero
        : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    llvm.store %d, %c : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}
)mlir";

const char *undefinedCall = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @__ocml_tanh_f32(f32) -> f32
  llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel} {
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %t = llvm.call @__ocml_tanh_f32(%v) : (f32) -> f32
    llvm.store %t, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
)mlir";

/// One context with its collected diagnostics.
class Compiler {
public:
  Compiler() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect,
                    mlir::ROCDL::ROCDLDialect>();
    registerTranslations(registry);
    registerTranslations(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    context.printOpOnDiagnostic(false);
    context.getDiagEngine().registerHandler([this](mlir::Diagnostic &d) {
      errors += d.str() + "\n";
      for (mlir::Diagnostic &note : d.getNotes())
        errors += "  " + note.str() + "\n";
    });
  }

  mlir::FailureOr<CodeObject> compile(llvm::StringRef source,
                                      const SerializeOptions &options = {}) {
    errors.clear();
    module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    if (!module) {
      ADD_FAILURE() << "parse error: " << errors;
      return mlir::failure();
    }
    return serialize(*module->getOps<mlir::gpu::GPUModuleOp>().begin(),
                     options);
  }

  /// Compiles what must compile.
  CodeObject good(llvm::StringRef source,
                  const SerializeOptions &options = {}) {
    mlir::FailureOr<CodeObject> result = compile(source, options);
    EXPECT_TRUE(mlir::succeeded(result)) << errors;
    EXPECT_EQ(errors, "");
    return mlir::succeeded(result) ? std::move(*result) : CodeObject();
  }

  /// Diagnostics of what must not compile.
  std::string bad(llvm::StringRef source,
                  const SerializeOptions &options = {}) {
    EXPECT_TRUE(mlir::failed(compile(source, options)));
    return errors;
  }

  mlir::MLIRContext context;
  std::string errors;

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

contract::LaunchContract copyContract() {
  contract::LaunchContract contract;
  contract.kernel = "copy";
  auto pointer = [&](const char *name, uint32_t offset,
                     contract::Access access) {
    contract::Argument argument;
    argument.name = name;
    argument.kind = contract::ArgumentKind::Pointer;
    argument.type = "f32";
    argument.offset = offset;
    argument.size = 8;
    argument.access = access;
    argument.view = contract::View{{contract::Expr::argument("n")},
                                   {contract::Expr::constant(1)}};
    contract.arguments.push_back(argument);
  };
  pointer("src", 0, contract::Access::Read);
  pointer("dst", 8, contract::Access::Write);
  contract::Argument n;
  n.name = "n";
  n.type = "i32";
  n.offset = 16;
  n.size = 4;
  contract.arguments.push_back(n);
  contract.grid = {llvm::cantFail(contract::Expr::parse("n ceildiv 256")),
                   contract::Expr::constant(1), contract::Expr::constant(1)};
  contract.block = {256, 1, 1};
  return contract;
}

SerializeOptions withCopyContract() {
  SerializeOptions options;
  options.contracts = {copyContract()};
  return options;
}

/// Standard output and error of an LLVM tool on \p bytes; fails the test if it
/// does not succeed.
std::string runTool(llvm::StringRef tool, std::vector<llvm::StringRef> options,
                    llvm::StringRef bytes) {
  llvm::SmallString<128> directory;
  if (llvm::sys::fs::createUniqueDirectory("fly-test", directory)) {
    ADD_FAILURE() << "no temporary directory";
    return "";
  }
  llvm::scope_exit cleanUp(
      [&] { llvm::sys::fs::remove_directories(directory); });
  std::string object = (directory + "/object").str();
  std::string output = (directory + "/output").str();
  {
    std::error_code code;
    llvm::raw_fd_ostream stream(object, code);
    stream << bytes;
  }
  std::string program = (FLY_LLVM_TOOLS "/" + tool).str();
  std::vector<llvm::StringRef> arguments = {program};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back(object);
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), output,
                                                output};
  EXPECT_EQ(
      llvm::sys::ExecuteAndWait(program, arguments, std::nullopt, redirects),
      0);
  auto text = llvm::MemoryBuffer::getFile(output);
  return text ? (*text)->getBuffer().str() : "";
}

} // namespace

TEST(Serialize, CopyKernelForBothChips) {
  Compiler compiler;
  for (const char *chip : {"gfx942", "gfx950"}) {
    SerializeOptions options;
    options.chip = chip;
    CodeObject object = compiler.good(copyKernel, options);
    isa::CodeObject loaded =
        llvm::cantFail(isa::CodeObject::load(object.bytes));
    EXPECT_EQ(loaded.chip(), chip);
    EXPECT_EQ(loaded.version(), 5u);
    const isa::Kernel *kernel = loaded.findKernel("copy");
    ASSERT_NE(kernel, nullptr);
    // No hidden argument is set up for what the kernel does not ask for.
    EXPECT_EQ(kernel->arguments.size(), 3u);
    EXPECT_EQ(kernel->kernargSegmentSize, 20u);
    ASSERT_EQ(object.kernels.size(), 1u);
    EXPECT_EQ(object.kernels[0].name, "copy");
    EXPECT_GT(object.kernels[0].vgprs, 0u);
    EXPECT_EQ(object.kernels[0].agprs, 0u);
    EXPECT_EQ(object.kernels[0].scratchBytes, 0u);
    EXPECT_GT(object.kernels[0].codeBytes, 0u);
  }
}

TEST(Serialize, ContractTravelsInTheObject) {
  Compiler compiler;
  CodeObject object = compiler.good(copyKernel, withCopyContract());
  auto contracts = llvm::cantFail(contract::readContracts(object.bytes));
  ASSERT_EQ(contracts.kernels.size(), 1u);
  contract::LaunchContract expected = copyContract();
  expected.chip = "gfx942";
  EXPECT_EQ(contract::printContracts(contracts),
            contract::printContracts({{expected}, {}}));
  EXPECT_EQ(contract::printContracts({object.contracts, {}}),
            contract::printContracts({{expected}, {}}));
  // Names, types and the workgroup size are in the metadata as well.
  isa::CodeObject loaded = llvm::cantFail(isa::CodeObject::load(object.bytes));
  const isa::Kernel *kernel = loaded.findKernel("copy");
  ASSERT_NE(kernel, nullptr);
  ASSERT_EQ(kernel->arguments.size(), 3u);
  EXPECT_EQ(kernel->arguments[0].name, "src");
  EXPECT_EQ(kernel->arguments[0].typeName, "f32*");
  EXPECT_EQ(kernel->arguments[2].name, "n");
  EXPECT_EQ(kernel->arguments[2].typeName, "i32");
  EXPECT_EQ(kernel->arguments[2].offset, 16u);
  EXPECT_EQ(kernel->requiredWorkgroupSize,
            (std::array<uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(kernel->maxFlatWorkgroupSize, 256u);
}

TEST(Serialize, ContractInAnAttribute) {
  std::string json;
  llvm::raw_string_ostream stream(json);
  stream << contract::toJSON(copyContract());
  std::string source = copyKernel;
  std::string escaped;
  for (char c : json)
    escaped += c == '"' ? std::string("\\\"") : std::string(1, c);
  size_t at = source.find("gpu.kernel,");
  source.insert(at, "fly.contract = \"" + escaped + "\", ");
  Compiler compiler;
  CodeObject object = compiler.good(source);
  EXPECT_EQ(object.bytes, compiler.good(copyKernel, withCopyContract()).bytes);

  source = copyKernel;
  source.insert(at, "fly.contract = \"{}\", ");
  EXPECT_EQ(compiler.bad(source),
            "attribute 'fly.contract' of kernel 'copy': missing value at "
            "launch contract.kernel\n");
  SerializeOptions options = withCopyContract();
  options.contracts[0].arguments.pop_back();
  EXPECT_EQ(compiler.bad(copyKernel, options),
            "launch contract of kernel 'copy' has 2 arguments, kernel has 3\n");
}

TEST(Serialize, DamagedObjectsAreErrorsOfTheContractReader) {
  Compiler compiler;
  std::string bytes = compiler.good(copyKernel, withCopyContract()).bytes;
  unsigned errors = 0;
  auto read = [&](llvm::StringRef damaged) {
    auto contracts = contract::readContracts(damaged);
    errors += !contracts;
    llvm::consumeError(contracts.takeError());
  };
  for (size_t size = 0; size < bytes.size(); size += 7)
    read(llvm::StringRef(bytes).take_front(size));
  EXPECT_GT(errors, 0u);
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    read(damaged);
  }
}

TEST(Serialize, LlvmToolsReadTheObject) {
  Compiler compiler;
  std::string bytes = compiler.good(copyKernel, withCopyContract()).bytes;
  std::string notes = runTool("llvm-readelf", {"--notes"}, bytes);
  EXPECT_EQ(notes.find("warning"), std::string::npos) << notes;
  EXPECT_NE(notes.find("NT_AMDGPU_METADATA"), std::string::npos) << notes;
  EXPECT_NE(notes.find("Fly "), std::string::npos) << notes;
  std::string headers = runTool("llvm-readelf", {"--all"}, bytes);
  EXPECT_EQ(headers.find("warning"), std::string::npos) << headers;
  std::string code =
      runTool("llvm-objdump", {"--disassemble", "--mcpu=gfx942"}, bytes);
  EXPECT_EQ(code.find("warning"), std::string::npos) << code;
  EXPECT_NE(code.find("global_store_dword"), std::string::npos) << code;
  EXPECT_NE(code.find("s_endpgm"), std::string::npos) << code;
}

TEST(Serialize, ObjectsWithoutContractAreFine) {
  Compiler compiler;
  CodeObject object = compiler.good(copyKernel);
  EXPECT_TRUE(llvm::cantFail(contract::readContracts(object.bytes)).empty());
}

TEST(Serialize, LdsOfTheBudgetIsLdsOfTheMetadata) {
  Compiler compiler;
  EXPECT_EQ(compiler.good(ldsKernel("gfx942", 1024)).kernels[0].ldsBytes,
            1040u);
  EXPECT_EQ(compiler.good(ldsKernel("gfx942", 65520)).kernels[0].ldsBytes,
            65536u);
  EXPECT_EQ(compiler.good(ldsKernel("gfx950", 70000)).kernels[0].ldsBytes,
            70016u);
}

TEST(Serialize, LdsOverflowIsADiagnosticAndTheNextKernelCompiles) {
  Compiler compiler;
  EXPECT_EQ(compiler.bad(ldsKernel("gfx942", 70000)),
            "LDS of kernel 'reverse' needs 70016 bytes on gfx942, limit is "
            "65536\n"
            "  member 'tileA' takes 70000 bytes\n"
            "  member 'tileB' takes 16 bytes\n");
  EXPECT_FALSE(compiler.good(ldsKernel("gfx942", 1024)).bytes.empty());
  EXPECT_NE(compiler.bad(ldsKernel("gfx950", 163840)).find("163856 bytes"),
            std::string::npos);
}

TEST(Serialize, LdsBudgetAlignsAsLlvmDoes) {
  // Two 12-byte objects are 16-byte aligned: 65520 + 12 + 4 + 12.
  std::string source = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @small() {addr_space = 3 : i32} : !llvm.array<12 x i8>
  llvm.mlir.global internal @big() {addr_space = 3 : i32} : !llvm.array<65520 x i8>
  llvm.mlir.global internal @other() {addr_space = 3 : i32} : !llvm.array<12 x i8>
  llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel} {
    %a = llvm.mlir.addressof @small : !llvm.ptr<3>
    %b = llvm.mlir.addressof @big : !llvm.ptr<3>
    %c = llvm.mlir.addressof @other : !llvm.ptr<3>
    %v = llvm.load %p : !llvm.ptr<1> -> i32
    llvm.store volatile %v, %a : i32, !llvm.ptr<3>
    llvm.store volatile %v, %b : i32, !llvm.ptr<3>
    llvm.store volatile %v, %c : i32, !llvm.ptr<3>
    llvm.return
  }
})mlir";
  Compiler compiler;
  EXPECT_EQ(compiler.bad(source).rfind(
                "LDS of kernel 'k' needs 65548 bytes on gfx942", 0),
            0u)
      << compiler.errors;
  SerializeOptions options;
  options.chip = "gfx950";
  EXPECT_EQ(compiler.good(source, options).kernels[0].ldsBytes, 65548u);
}

TEST(Serialize, CountsArchitecturalRegistersAlone) {
  // Inline assembly that names accumulation registers.
  std::string source = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel} {
    llvm.inline_asm has_side_effects "v_accvgpr_write_b32 a6, 0", "~{a6}" : () -> ()
    llvm.inline_asm has_side_effects "v_mov_b32 v4, 0", "~{v4}" : () -> ()
    llvm.return
  }
})mlir";
  Compiler compiler;
  CodeObject object = compiler.good(source);
  EXPECT_EQ(object.kernels[0].vgprs, 5u);
  EXPECT_EQ(object.kernels[0].agprs, 7u);
}

TEST(Serialize, ErrorsOfCodeGenerationAreDiagnostics) {
  auto withAssembly = [](const char *text) {
    return std::string(R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @k() attributes {gpu.kernel, rocdl.kernel} {
    llvm.inline_asm has_side_effects ")mlir") +
           text + R"mlir(", "~{s0}" : () -> ()
    llvm.return
  }
})mlir";
  };
  Compiler compiler;
  std::string errors = compiler.bad(withAssembly("no_such_instruction"));
  EXPECT_NE(errors.find("invalid instruction"), std::string::npos) << errors;
  // An unknown symbol inside assembly reaches the linker.
  errors = compiler.bad(withAssembly("s_add_u32 s0, s0, missing@rel32@lo"));
  EXPECT_EQ(errors.rfind("linking failed: ", 0), 0u) << errors;
  EXPECT_NE(errors.find("undefined"), std::string::npos) << errors;
  EXPECT_NE(errors.find("missing"), std::string::npos) << errors;
  EXPECT_EQ(errors.find("/tmp"), std::string::npos) << errors;
  EXPECT_FALSE(compiler.good(copyKernel).bytes.empty());
}

TEST(Serialize, LineTablesAreTheSameInAnyDirectory) {
  auto source = [](llvm::StringRef directory) {
    std::string text = R"mlir(
#file = #llvm.di_file<"k.mlir" in "DIRECTORY">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C,
  file = #file, producer = "fly", isOptimized = true,
  emissionKind = LineTablesOnly>
#type = #llvm.di_subroutine_type<callingConvention = DW_CC_normal>
#program = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit,
  scope = #file, name = "k", file = #file, line = 1,
  subprogramFlags = "Definition|Optimized", type = #type>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel} {
    %v = llvm.mlir.constant(7 : i32) : i32
    llvm.store %v, %p : i32, !llvm.ptr<1> loc("k.mlir":7:3)
    llvm.return
  } loc(fused<#program>["k.mlir":1:1])
})mlir";
    text.replace(text.find("DIRECTORY"), 9, directory.str());
    return text;
  };
  Compiler compiler;
  SerializeOptions options;
  std::string plain = compiler.good(source("/home/one/src"), options).bytes;
  EXPECT_NE(plain.find("/home/one/src"), std::string::npos);
  options.pathPrefixMap = {{"/home/one", "."}, {"/home/two", "."}};
  std::string first = compiler.good(source("/home/one/src"), options).bytes;
  EXPECT_EQ(first.find("/home/one"), std::string::npos);
  EXPECT_EQ(compiler.good(source("/home/two/src"), options).bytes, first);
  std::string lines =
      runTool("llvm-objdump", {"--disassemble", "--line-numbers"}, first);
  EXPECT_NE(lines.find("./src/k.mlir:7"), std::string::npos) << lines;
}

TEST(Serialize, MfmaKernel) {
  Compiler compiler;
  SerializeOptions options;
  options.emitAssembly = true;
  options.emitLlvmIr = true;
  CodeObject object = compiler.good(mfmaKernel, options);
  EXPECT_NE(object.assembly.find("v_mfma_f32_16x16x16_bf16 v["),
            std::string::npos)
      << object.assembly;
  EXPECT_EQ(object.assembly.find("accvgpr"), std::string::npos);
  EXPECT_NE(object.llvmIr.find("@llvm.amdgcn.mfma.f32.16x16x16bf16.1k"),
            std::string::npos);
  EXPECT_NE(object.llvmIr.find("\"amdgpu-agpr-alloc\"=\"0\""),
            std::string::npos);
  // The object is the same whether assembly is asked for or not.
  EXPECT_EQ(object.bytes, compiler.good(mfmaKernel).bytes);
}

TEST(Serialize, MidEndIsOptional) {
  Compiler compiler;
  SerializeOptions options;
  options.midEnd = MidEnd::Clean;
  EXPECT_FALSE(compiler.good(mfmaKernel, options).bytes.empty());
}

TEST(Serialize, KernelAttributesAreDefaults) {
  Compiler compiler;
  SerializeOptions options;
  options.emitObject = false;
  options.emitLlvmIr = true;
  options.kernelAttributes = {{"amdgpu-sched-strategy", "iterative-ilp"},
                              {"amdgpu-agpr-alloc", "8"}};
  CodeObject object = compiler.good(mfmaKernel, options);
  EXPECT_TRUE(object.bytes.empty());
  EXPECT_NE(object.llvmIr.find("\"amdgpu-sched-strategy\"=\"iterative-ilp\""),
            std::string::npos);
  EXPECT_NE(object.llvmIr.find("\"amdgpu-agpr-alloc\"=\"8\""),
            std::string::npos);
  std::string source = mfmaKernel;
  source.insert(source.find("gpu.kernel,"),
                "passthrough = [[\"amdgpu-agpr-alloc\", \"4\"]], ");
  object = compiler.good(source, options);
  EXPECT_NE(object.llvmIr.find("\"amdgpu-agpr-alloc\"=\"4\""),
            std::string::npos);
}

TEST(Serialize, SameBytesInAnyDirectoryAndThread) {
  std::string first = Compiler().good(copyKernel, withCopyContract()).bytes;
  llvm::SmallString<128> here, there;
  ASSERT_FALSE(llvm::sys::fs::current_path(here));
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("fly-test", there));
  {
    llvm::scope_exit restore([&] {
      llvm::sys::fs::set_current_path(here);
      llvm::sys::fs::remove_directories(there);
    });
    ASSERT_FALSE(llvm::sys::fs::set_current_path(there));
    EXPECT_EQ(Compiler().good(copyKernel, withCopyContract()).bytes, first);
  }
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (std::string &result : results)
    threads.emplace_back([&result] {
      result = Compiler().good(copyKernel, withCopyContract()).bytes;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &result : results)
    EXPECT_EQ(result, first);
  EXPECT_EQ(first.find("/tmp"), std::string::npos);
  EXPECT_EQ(first.find(here.str().str()), std::string::npos);
}

TEST(Serialize, UnknownChipsListTheKnownOnes) {
  Compiler compiler;
  SerializeOptions options;
  options.chip = "gfx94x";
  EXPECT_EQ(compiler.bad(copyKernel, options),
            "unknown chip 'gfx94x', expected one of: gfx942, gfx950\n");
  options.chip = "gfx1250";
  EXPECT_EQ(compiler.bad(copyKernel, options),
            "no code generation for chip 'gfx1250', expected one of: gfx942, "
            "gfx950\n");
  std::string source = copyKernel;
  std::string target = " [#rocdl.target<chip = \"gfx942\">]";
  source.erase(source.find(target), target.size());
  EXPECT_EQ(compiler.bad(source),
            "module has no chip, expected [#rocdl.target<chip = \"...\">] "
            "with one of: gfx942, gfx950\n");
}

TEST(Serialize, UndefinedFunctionsAreErrorsBeforeLinking) {
  Compiler compiler;
  EXPECT_EQ(compiler.bad(undefinedCall),
            "call of undefined function '__ocml_tanh_f32', expected a "
            "function with a body in module 'm'\n"
            "  declared here\n");
}

TEST(Serialize, IsolatedCodeGenerationGivesTheSameBytes) {
  Compiler compiler;
  SerializeOptions options = withCopyContract();
  std::string bytes = compiler.good(copyKernel, options).bytes;
  options.isolate = true;
  EXPECT_EQ(compiler.good(copyKernel, options).bytes, bytes);
}

TEST(Serialize, IsolatedCrashIsADiagnostic) {
  Compiler compiler;
  SerializeOptions options;
  options.isolate = true;
  std::string errors = compiler.bad(gfx950Mfma, options);
  EXPECT_EQ(errors.rfind("LLVM cannot compile this: Cannot select: ", 0), 0u)
      << errors;
  EXPECT_NE(errors.find("llvm.amdgcn.mfma.f32.16x16x32.bf16"),
            std::string::npos)
      << errors;
  EXPECT_FALSE(compiler.good(copyKernel, options).bytes.empty());
}
