//===- FlyProgramOps.td - Programs of several kernels ------*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYPROGRAMOPS_TD
#define FLY_DIALECT_FLY_IR_FLYPROGRAMOPS_TD

include "fly/Dialect/Fly/IR/FlyTileOps.td"
include "mlir/IR/SymbolInterfaces.td"

def Fly_WorkspaceOp : Fly_Op<"workspace"> {
  let summary = "scratch memory of a program";
  let description = [{
    Memory that the launcher allocates for the time of the program: rows of the
    extents without gaps. It holds anything at first; `fly.fill` gives it a
    value. `{fly.name = "h"}` names it in the launch contract; the tools set it
    to the name in the source.

    Constraints:
    - C1: it stands in the block of a function with `fly.program`, outside of
      branches and loops.
    - C2: one to four extents, i32 values or numbers of at least 0.

    Example:

    ```mlir
    func.func @p(%T: i32) attributes {fly.program} {
      %h = fly.workspace[%T, 64] : !fly.ptr<bf16>
      return
    }
    ```
  }];
  let arguments = (ins Variadic<I32>:$extents, ArrayAttr:$static_extents);
  let results = (outs Res<Fly_PtrType, "the memory", [MemAlloc]>:$memory);
  let assemblyFormat = [{
    `[` custom<MixedEntries>($extents, $static_extents) `]` attr-dict `:` qualified(type($memory))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Extents as values or numbers.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedExtents();
  }];
}

def Fly_FillOp : Fly_Op<"fill"> {
  let summary = "memory of a program set to a constant";
  let description = [{
    Writes the constant to the elements from the pointer on, as many as the
    extents have. It runs between the launches before and behind it. Constants
    are those of `fly.constant`.

    Constraints:
    - C1: it stands in a function with `fly.program`, or in branches and loops
      of one.
    - C2: one to four extents, i32 values or numbers of at least 0.
    - C3: the constant exists in the element type: integers exactly, floats
      after rounding.

    Example:

    ```mlir
    func.func @p(%Y: !fly.ptr<f32>, %T: i32) attributes {fly.program} {
      fly.fill %Y[%T, 64], 0.0 : !fly.ptr<f32>
      return
    }
    ```
  }];
  let arguments = (ins Arg<Fly_PtrType, "the memory", [MemWrite]>:$memory, Variadic<I32>:$extents,
                       ArrayAttr:$static_extents, AnyAttrOf<[F64Attr, I64Attr, StrAttr]>:$value);
  let assemblyFormat = [{
    $memory `[` custom<MixedEntries>($extents, $static_extents) `]` `,`
    custom<ConstantValue>($value) attr-dict `:` qualified(type($memory))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Extents as values or numbers.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedExtents();
    /// The constant as an attribute of the element type, null if it has none.
    ::mlir::TypedAttr getElementAttr();
  }];
}

def Fly_LaunchOp : Fly_Op<"launch", [
    MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "launch of a kernel by a program";
  let description = [{
    Runs every workgroup of the kernel, after everything before it in the
    program. No grid is written: the kernel's launch contract gives it from the
    arguments. Two pointer arguments of a launch may be one memory where the
    kernel writes neither, or one of them has `fly.may_alias`.

    Constraints:
    - C1: it stands in a function with `fly.program`, or in branches and loops
      of one.
    - C2: the symbol is that of a kernel in a gpu.module beside the program:
      `@module::@kernel`.
    - C3: as many arguments as the kernel has, of its types.

    Example:

    ```mlir
    module {
      gpu.module @m [#rocdl.target<chip = "gfx942">] {
        gpu.func @k(%X: !fly.ptr<f32>, %N: i32) kernel {
          gpu.return
        }
      }
      func.func @p(%X: !fly.ptr<f32>, %N: i32) attributes {fly.program} {
        fly.launch @m::@k(%X, %N) : !fly.ptr<f32>, i32
        return
      }
    }
    ```
  }];
  let arguments = (ins SymbolRefAttr:$kernel, Variadic<AnyType>:$inputs);
  let assemblyFormat = "$kernel `(` $inputs `)` attr-dict (`:` type($inputs)^)?";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The kernel, null if there is no function of that name.
    ::mlir::FunctionOpInterface lookupKernel();
  }];
}

#endif // FLY_DIALECT_FLY_IR_FLYPROGRAMOPS_TD
