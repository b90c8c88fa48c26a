//===- ScheduleKeys.cpp - What may stand in a schedule, as a table --------===//
#include "fly/Lsp/ScheduleKeys.h"

using namespace fly::lsp;

static constexpr ScheduleKey kKeys[] = {
    {"schedule", "sizes", "", "`{NAME = number, ...}`",
     "none: a name that is used must have a value",
     "the values of the names in tiles, steps and extents"},
    {"schedule", "consts", "", "`{NAME = number, ...}`", "none",
     "makes the kernel for one value of these integer arguments"},
    {"schedule", "waves", "auto", "`[rows, columns]`, or their number",
     "by rule, from the dots",
     "how the waves of a workgroup split the result of a dot"},
    {"schedule", "waves_per_eu", "auto", "number", "what one workgroup brings",
     "waves that each SIMD shall hold at least; it divides the registers"},
    {"schedule", "grid", "auto", "`{order = ..., xcd = ...}`", "`n_fastest`",
     "how consecutive workgroups walk over the grid"},
    {"schedule", "codegen",
     "vgpr vgpr_ilp agpr agpr_ilp vgpr_hints agpr_hints auto",
     "`vgpr`, `vgpr_ilp`, `agpr`, `agpr_ilp`, `vgpr_hints`, `agpr_hints`",
     "`auto`: by the machine code", "form of code generation"},
    {"schedule", "versions", "off auto", "`off`, `auto`", "`off`",
     "a fast and a safe body behind one branch"},
    {"grid", "order", "n_fastest m_fastest grouped longest_first auto",
     "`n_fastest`, `m_fastest`, `grouped(number)`, `longest_first`",
     "`n_fastest`",
     "what consecutive workgroups walk along: the last dimension, the first, a "
     "number of tiles of the first and then the others, or the last with the "
     "first from its end"},
    {"grid", "xcd", "off on by auto", "`off`, `on`, `by(dimension)`", "`off`",
     "whether each accelerator die walks over neighbours, and which dimension "
     "dies share least"},
    {"grid", "persistent", "off on auto", "`off`, `on`, or a number", "`off`",
     "whether as many workgroups as the device holds take all tiles in turn"},
    {"load", "lds", "", "`lds(...)`, `lds`",
     "of operands of dots in the prefetch of a pipeline",
     "the tile reaches the lanes through LDS"},
    {"load", "regs", "", "`regs(...)`, `regs`", "of all other loads",
     "the tile goes straight to the registers of the lanes that use it"},
    {"lds", "stages", "1 2 3 4 5 6 7 8 auto", "`1` to `8`",
     "2 where two buffers of all such tiles fit in LDS, else 1",
     "buffers in LDS"},
    {"lds", "swizzle", "none xor pad auto", "`none`, `xor`, `pad`",
     "by the chip's bank model, weighed against address registers and bytes",
     "order of the buffer's bytes, so that reads and writes meet other banks"},
    {"lds", "copy", "sync async auto", "`sync`, `async`",
     "`async` where a copy is as wide as a load, two buffers fit and it has "
     "the time to arrive, else "
     "`sync`",
     "how the tile gets to LDS: through registers, or past them"},
    {"lds", "first_pack", "off carried auto", "`off`, `carried`", "`off`",
     "whether the first pack of the next tile is carried round the loop"},
    {"lds", "read", "plain transposed auto", "`plain`, `transposed`",
     "`transposed` where K does not run along the rows in memory and the chip "
     "has transposing reads, else `plain`",
     "whether rows lie in the buffer along K, or as memory has them"},
    {"lds", "cache", "default stream auto", "`default`, `stream`",
     "what the op says", "what the global reads say to the caches"},
    {"regs", "depth", "1 2 3 4 5 6 7 8 auto", "`1` to `8`", "`1`",
     "iterations that the load runs ahead"},
    {"regs", "cache", "default stream auto", "`default`, `stream`",
     "what the op says", "what the global reads say to the caches"},
    {"dot", "mfma", "16x16 32x32 auto", "`16x16`, `32x32`",
     "that of the loop, else `16x16`",
     "rows and columns of the matrix "
     "instruction"},
    {"dot", "acc", "plain transposed auto", "`plain`, `transposed`",
     "`transposed` where the store that the result reaches is contiguous along "
     "columns",
     "whether a lane holds contiguous rows of a column or contiguous columns "
     "of a row"},
    {"dot", "a", "regs from_acc auto", "`regs`, `from_acc`",
     "`from_acc` where lanes hold what the instruction reads, else `regs`",
     "how the first operand is taken: in packs of 16 bytes, or as lanes hold "
     "what they computed"},
    {"dot", "hot_loop", "on guide off hints pingpong interleave auto",
     "`on`, `guide`, `off`, `hints`, `pingpong`, `interleave`, or a pattern",
     "`auto`: turns of 8 waves where they gain, else hints, kept where the "
     "machine code gains",
     "the order of machine operations in the loop: hints, or turns that two "
     "groups of waves take"},
    {"dot", "unroll", "1 auto", "number", "`1`", "copies of the loop's body"},
    {"dot", "stages", "", "`{label = -number, ...}`",
     "labelled loads that feed a dot: -1, all else 0",
     "of a plain loop: iterations that loads and dots run ahead"},
    {"store", "epilogue", "direct cshuffle auto", "`direct`, `cshuffle`",
     "`cshuffle` of dots' results where it costs no LDS and rows are of whole "
     "cache lines, else `direct`",
     "how the tile reaches memory: from the registers as they are, or row by "
     "row through LDS"},
    {"store", "cache", "default stream auto", "`default`, `stream`",
     "what the op says", "what the global writes say to the caches"},
};

llvm::ArrayRef<ScheduleKey> fly::lsp::getScheduleKeys() { return kKeys; }

const ScheduleKey *fly::lsp::findScheduleKey(llvm::StringRef owner,
                                             llvm::StringRef key) {
  for (const ScheduleKey &entry : kKeys)
    if (entry.owner == owner && entry.key == key)
      return &entry;
  return nullptr;
}

void fly::lsp::printScheduleKeys(llvm::raw_ostream &os) {
  os << "| Of | Key | Values | Default | What it says |\n"
        "|---|---|---|---|---|\n";
  for (const ScheduleKey &entry : kKeys)
    os << "| " << entry.owner << " | `" << entry.key << "` | " << entry.value
       << " | " << entry.fallback << " | " << entry.meaning << " |\n";
}
