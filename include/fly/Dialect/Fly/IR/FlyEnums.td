//===- FlyEnums.td - Enumerations of the fly dialect -------*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYENUMS_TD
#define FLY_DIALECT_FLY_IR_FLYENUMS_TD

include "mlir/IR/EnumAttr.td"

class Fly_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::fly";
  let genSpecializedAttr = 0;
}

def Fly_Pad : Fly_I32Enum<"Pad", "what a read outside a view gives", [
    I32EnumAttrCase<"Zero", 0, "zero">, I32EnumAttrCase<"One", 1, "one">,
    I32EnumAttrCase<"NegInf", 2, "neg_inf">, I32EnumAttrCase<"PosInf", 3, "pos_inf">,
    I32EnumAttrCase<"Lowest", 4, "lowest">]>;

def Fly_Cache : Fly_I32Enum<"Cache", "cache policy of an access", [
    I32EnumAttrCase<"Default", 0, "default">, I32EnumAttrCase<"Stream", 1, "stream">]>;

def Fly_Overflow : Fly_I32Enum<"Overflow", "what a cast does with a value out of range", [
    I32EnumAttrCase<"Ieee", 0, "ieee">, I32EnumAttrCase<"Saturate", 1, "saturate">]>;

def Fly_BarrierKind : Fly_I32Enum<"BarrierKind", "what a barrier orders", [
    I32EnumAttrCase<"Lds", 0, "lds">, I32EnumAttrCase<"All", 1, "all">,
    I32EnumAttrCase<"Bare", 2, "bare">]>;

def Fly_OperandSide : Fly_I32Enum<"OperandSide", "operand of a dot", [
    I32EnumAttrCase<"A", 0, "a">, I32EnumAttrCase<"B", 1, "b">]>;

class Fly_EnumAttr<EnumInfo info, string attrMnemonic>
    : EnumAttr<Fly_Dialect, info, attrMnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def Fly_PadAttr : Fly_EnumAttr<Fly_Pad, "pad">;
def Fly_CacheAttr : Fly_EnumAttr<Fly_Cache, "cache">;
def Fly_OverflowAttr : Fly_EnumAttr<Fly_Overflow, "overflow">;
def Fly_BarrierKindAttr : Fly_EnumAttr<Fly_BarrierKind, "barrier_kind">;

#endif // FLY_DIALECT_FLY_IR_FLYENUMS_TD
