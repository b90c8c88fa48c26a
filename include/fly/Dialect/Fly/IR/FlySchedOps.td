//===- FlySchedOps.td - Hints, priorities, barriers, waits -*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYSCHEDOPS_TD
#define FLY_DIALECT_FLY_IR_FLYSCHEDOPS_TD

include "fly/Dialect/Fly/IR/FlyTileOps.td"

class Fly_SchedOp<string mnemonic, string what> : Fly_Op<"sched." # mnemonic> {
  let summary = "hint: " # what # " in this place of the loop";
  let description = [{
    The next `count` instructions of the class form a group of the order that
    LLVM's scheduler is asked for (`sched_group_barrier`). The hints are
    positional and count real machine instructions.

    Constraints:
    - C1: the count is at least 1.
  }];
  let arguments = (ins I32Attr:$count);
  let assemblyFormat = "custom<Count>($count) attr-dict";
  let hasVerifier = 1;
}

def Fly_SchedMfmaOp : Fly_SchedOp<"mfma", "matrix instructions">;
def Fly_SchedDsrdOp : Fly_SchedOp<"dsrd", "LDS reads">;
def Fly_SchedDswrOp : Fly_SchedOp<"dswr", "LDS writes">;
def Fly_SchedVmemOp : Fly_SchedOp<"vmem", "global loads">;
def Fly_SchedVmemWriteOp : Fly_SchedOp<"vmem_write", "global stores">;
def Fly_SchedValuOp : Fly_SchedOp<"valu", "vector instructions">;
def Fly_SchedSaluOp : Fly_SchedOp<"salu", "scalar instructions">;
def Fly_SchedTransOp : Fly_SchedOp<"trans", "transcendental instructions">;

def Fly_SchedBarrierOp : Fly_Op<"sched.barrier"> {
  let summary = "fence: no instruction is moved across it";
  let assemblyFormat = "attr-dict";
}

def Fly_SetPrioOp : Fly_Op<"setprio"> {
  let summary = "priority of this wave, 0 to 3";
  let description = [{
    Constraints:
    - C1: the priority is 0 to 3.
  }];
  let arguments = (ins I32Attr:$priority);
  let assemblyFormat = "custom<Count>($priority) attr-dict";
  let hasVerifier = 1;
}

def Fly_BarrierOp : Fly_Op<"barrier"> {
  let summary = "every wave of the workgroup arrives before any goes on";
  let description = [{
    - `lds`: LDS accesses before it are done and visible after it; global loads
      stay in flight.
    - `all`: global accesses of the workgroup too.
    - `bare`: the instruction alone; it waits for nothing and orders nothing.

    A barrier stands in uniform control flow (checked by `fly-check-legal`).

    Example:

    ```mlir
    func.func private @helper() {
      fly.wait vm(2) lgkm(0)
      fly.barrier bare
      return
    }
    ```
  }];
  let arguments = (ins Fly_BarrierKindAttr:$kind);
  let assemblyFormat = "custom<BarrierKeyword>($kind) attr-dict";
}

def Fly_WaitOp : Fly_Op<"wait"> {
  let summary = "wait until at most so many memory operations are outstanding";
  let description = [{
    `vm` counts vector-memory operations (loads, stores, DMA to LDS), `lgkm`
    LDS and scalar-memory operations.

    Syntax:

    ```text
    fly.wait (vm(n))? (lgkm(n))? attr-dict
    ```

    Constraints:
    - C1: at least one counter is given; counts are at most the counter's
      maximum (63 and 15).
  }];
  let arguments = (ins OptionalAttr<I32Attr>:$vm, OptionalAttr<I32Attr>:$lgkm);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // FLY_DIALECT_FLY_IR_FLYSCHEDOPS_TD
