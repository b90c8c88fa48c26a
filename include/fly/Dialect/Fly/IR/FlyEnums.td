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

def Fly_Rounding : Fly_I32Enum<"Rounding", "how a cast rounds", [
    I32EnumAttrCase<"Rne", 0, "rne">, I32EnumAttrCase<"Sr", 1, "sr">]>;

def Fly_ReduceKind : Fly_I32Enum<"ReduceKind", "how elements combine along a dimension", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Mul", 1, "mul">,
    I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"MaxNan", 4, "max_nan">, I32EnumAttrCase<"MinNan", 5, "min_nan">,
    I32EnumAttrCase<"UMax", 6, "umax">, I32EnumAttrCase<"UMin", 7, "umin">,
    I32EnumAttrCase<"And", 8, "and">, I32EnumAttrCase<"Or", 9, "or">,
    I32EnumAttrCase<"Xor", 10, "xor">]>;

def Fly_Activation : Fly_I32Enum<"Activation", "activation function of neural networks", [
    I32EnumAttrCase<"Sigmoid", 0, "sigmoid">, I32EnumAttrCase<"Silu", 1, "silu">,
    I32EnumAttrCase<"GeluTanh", 2, "gelu_tanh">, I32EnumAttrCase<"GeluErf", 3, "gelu_erf">]>;

def Fly_MemoryOrder : Fly_I32Enum<"MemoryOrder", "order of an atomic or fence", [
    I32EnumAttrCase<"Relaxed", 0, "relaxed">, I32EnumAttrCase<"Acquire", 1, "acquire">,
    I32EnumAttrCase<"Release", 2, "release">, I32EnumAttrCase<"AcqRel", 3, "acq_rel">,
    I32EnumAttrCase<"SeqCst", 4, "seq_cst">]>;

def Fly_MemoryScope : Fly_I32Enum<"MemoryScope", "who sees an atomic or fence", [
    I32EnumAttrCase<"Workgroup", 0, "workgroup">, I32EnumAttrCase<"Agent", 1, "agent">,
    I32EnumAttrCase<"System", 2, "system">]>;

def Fly_AtomicKind : Fly_I32Enum<"AtomicKind", "what an atomic does to memory", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"UMax", 3, "umax">,
    I32EnumAttrCase<"UMin", 4, "umin">, I32EnumAttrCase<"And", 5, "and">,
    I32EnumAttrCase<"Or", 6, "or">, I32EnumAttrCase<"Xor", 7, "xor">,
    I32EnumAttrCase<"Xchg", 8, "xchg">]>;

def Fly_BarrierKind : Fly_I32Enum<"BarrierKind", "what a barrier orders", [
    I32EnumAttrCase<"Lds", 0, "lds">, I32EnumAttrCase<"All", 1, "all">,
    I32EnumAttrCase<"Bare", 2, "bare">]>;

def Fly_OperandSide : Fly_I32Enum<"OperandSide", "operand of a dot", [
    I32EnumAttrCase<"A", 0, "a">, I32EnumAttrCase<"B", 1, "b">]>;

def Fly_PartsHolder : Fly_I32Enum<"PartsHolder", "who holds the parts of a reduced dimension", [
    I32EnumAttrCase<"Waves", 0, "waves">, I32EnumAttrCase<"Registers", 1, "registers">]>;

class Fly_EnumAttr<EnumInfo info, string attrMnemonic>
    : EnumAttr<Fly_Dialect, info, attrMnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def Fly_PadAttr : Fly_EnumAttr<Fly_Pad, "pad">;
def Fly_CacheAttr : Fly_EnumAttr<Fly_Cache, "cache">;
def Fly_OverflowAttr : Fly_EnumAttr<Fly_Overflow, "overflow">;
def Fly_RoundingAttr : Fly_EnumAttr<Fly_Rounding, "rounding">;
def Fly_ReduceKindAttr : Fly_EnumAttr<Fly_ReduceKind, "reduce_kind">;
def Fly_ActivationAttr : Fly_EnumAttr<Fly_Activation, "activation">;
def Fly_MemoryOrderAttr : Fly_EnumAttr<Fly_MemoryOrder, "memory_order">;
def Fly_MemoryScopeAttr : Fly_EnumAttr<Fly_MemoryScope, "memory_scope">;
def Fly_AtomicKindAttr : Fly_EnumAttr<Fly_AtomicKind, "atomic_kind">;
def Fly_BarrierKindAttr : Fly_EnumAttr<Fly_BarrierKind, "barrier_kind">;

#endif // FLY_DIALECT_FLY_IR_FLYENUMS_TD
