//===- FlyTypes.td - Pointers, views and LDS handles -------*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYTYPES_TD
#define FLY_DIALECT_FLY_IR_FLYTYPES_TD

include "fly/Dialect/Fly/IR/FlyDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

class Fly_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Fly_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Fly_PtrType : Fly_Type<"Ptr", "ptr"> {
  let summary = "pointer to global memory";
  let description = [{
    A kernel argument that points to elements of one type in global memory. Two
    arguments do not alias unless one carries `{fly.may_alias}`. It is passed
    as eight bytes.

    Example:

    ```mlir
    func.func private @takes_a_pointer(!fly.ptr<bf16>)
    ```
  }];
  let parameters = (ins TypeParameter<"::mlir::Type", "type of one element">:$elementType);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType), [{
      return $_get(elementType.getContext(), elementType);
    }]>
  ];
  let assemblyFormat = "`<` $elementType `>`";
  let genVerifyDecl = 1;
}

def Fly_ViewType : Fly_Type<"View", "view"> {
  let summary = "memory with extents, strides and a byte layout";
  let description = [{
    Extents are numbers or `?`; the layout says how the bytes lie: row-major
    without one, `#fly.strided` for what is contiguous, `#fly.swizzle` for a
    permuted LDS buffer, `#fly.preshuffle` for global memory in blocks,
    `#fly.layout` for anything that the layout algebra says. The memory is
    global, or `lds`.

    *Outside* is a coordinate below 0 or at or above the extent in any
    dimension, decided for each element: reads give the pad, writes are
    dropped.

    Constraints:
    - C1: the rank is 1 to 4.
    - C2: an LDS view has static extents (only the first may be `?`).
    - C3: `#fly.swizzle` needs an LDS view, and elements of whole bytes.
    - C4: `#fly.strided` gives one stride a dimension; in LDS each is a number.
    - C5: the bytes of a swizzled view are a multiple of the blocks in which the
      swizzle permutes, `1 << (M + B)`.
    - C6: `#fly.preshuffle` needs a global view of rank 2 at least, whose
      elements are whole bytes that divide a chunk of 16; static ones of its two
      last extents are multiples of the block.
    - C7: `#fly.layout` has a mode for each dimension, of the dimension's extent,
      unknown where that is `?`; strides of at least 0, whose unknown values are
      extents; in front of it nothing or a swizzle and an offset of at least 0.
      In LDS all of it is known, and a swizzle has a shift above 0.

    Example:

    ```mlir
    func.func private @views(!fly.view<?x?xbf16, #fly.strided<[?, 1]>>,
                             !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>>)
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "extents; ShapedType::kDynamic for ?">:$shape,
    TypeParameter<"::mlir::Type", "type of one element">:$elementType,
    "bool":$inLds,
    TypeParameter<"::mlir::Attribute", "layout of the bytes, or null">:$layout);
  let builders = [
    TypeBuilderWithInferredContext<(ins
      "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
      CArg<"bool", "false">:$inLds, CArg<"::mlir::Attribute", "{}">:$layout), [{
      return $_get(elementType.getContext(), shape, elementType, inLds, layout);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    /// The same view with another layout.
    ViewType withLayout(::mlir::Attribute layout) const;
    /// The dimension whose stride is known to be 1, or none. Row-major views
    /// have their last dimension contiguous.
    std::optional<unsigned> getContiguousDim() const;
    /// Bytes of a static view from its first to behind its last element; none
    /// where an extent or stride is `?`, or the number does not fit.
    std::optional<int64_t> getSizeInBytes() const;
  }];
}

def Fly_LdsType : Fly_Type<"Lds", "lds"> {
  let summary = "an instance of an LDS struct";
  let description = [{
    A handle to a workgroup's instance of a `fly.lds.struct`; its fields are
    reached by `fly.lds.field`.

    Example:

    ```mlir
    func.func private @takes_lds(!fly.lds<@S>)
    ```
  }];
  let parameters = (ins TypeParameter<"::mlir::FlatSymbolRefAttr", "the struct">:$structName);
  let assemblyFormat = "`<` $structName `>`";
}

#endif // FLY_DIALECT_FLY_IR_FLYTYPES_TD
