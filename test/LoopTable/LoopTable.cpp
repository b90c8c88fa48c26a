//===- LoopTable.cpp - The hot loops of the guide's GEMMs, as a table -----===//
//
// usage: fly-loop-table [--match=TEXT] [--list]
//
// A line for each configuration: spills, accumulator moves in the loop, MFMA
// pipe cover, MFMA share of the instructions and its ceiling, instructions
// beside MFMA and memory accesses, barriers a K tile, bytes of the narrowest
// access, bytes of code; then what is promised and does not hold. Refused rows
// say why. Counts last; exit code 2 where a promise does not hold.
//
//===----------------------------------------------------------------------===//
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include "Rows.h"

using namespace fly::looptable;

static llvm::cl::opt<std::string>
    match("match", llvm::cl::desc("Only rows whose name holds this text"));
static llvm::cl::opt<bool> list("list", llvm::cl::desc("Print names alone"));

static void print(const Row &row) {
  llvm::raw_ostream &os = llvm::outs();
  os << llvm::formatv("{0,-58}", row.configuration.name());
  if (!row.refusal.empty()) {
    os << " refused: " << llvm::StringRef(row.refusal).split('\n').first
       << "\n";
    os.flush();
    return;
  }
  os << llvm::formatv(" stages {0} spills {1}", row.stages,
                      row.kernel.vgprSpills + row.kernel.sgprSpills);
  if (const auto &loop = row.kernel.hotLoop) {
    double tiles = loop->kTiles.value_or(1);
    os << llvm::formatv(
        " moves {0} cover {1,3} % MFMA {2} of {3} ({4} % of at "
        "most {5} %) others {6} ({7} %) barriers {8:f1} a K tile "
        "access {9} B",
        loop->accMove, int(loop->pipeCover * 100 + 0.5), loop->mfma,
        loop->instructions, 100 * loop->mfma / loop->instructions,
        int(loop->mfmaShareCeiling * 100 + 0.5), loop->countOthers(),
        100 * loop->countOthers() / loop->instructions, loop->barrier / tiles,
        loop->accessBytes);
  }
  os << llvm::formatv(" code {0} B", row.kernel.codeBytes);
  for (const std::string &fault : row.faults)
    os << " FAULT " << fault;
  os << "\n";
  os.flush();
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "table of hot loops\n");
  // The linker, which runs in this process, sets options back.
  const std::string wanted = match;
  const bool isList = list;
  unsigned right = 0, faulty = 0, refused = 0;
  for (const Configuration &configuration : listConfigurations()) {
    if (!llvm::StringRef(configuration.name()).contains(wanted))
      continue;
    if (isList) {
      llvm::outs() << configuration.name() << "\n";
      continue;
    }
    Row row = makeRow(configuration);
    print(row);
    ++(!row.refusal.empty() ? refused : row.faults.empty() ? right : faulty);
  }
  if (isList)
    return 0;
  llvm::outs() << right << " as promised, " << faulty << " not, " << refused
               << " refused\n";
  return faulty ? 2 : 0;
}
