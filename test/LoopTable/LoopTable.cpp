//===- LoopTable.cpp - The hot loops of the guide's GEMMs, as a table -----===//
//
// usage: fly-loop-table [--match=TEXT] [--shard=I/N] [--list]
//
// A line for each configuration: spills, accumulator moves in the loop, MFMA
// pipe cover, MFMA share of the instructions and its ceiling, instructions
// beside MFMA and memory accesses, barriers a K tile, bytes of the narrowest
// access, bytes of code; then what is promised and does not hold. Refused rows
// say why. Then rows beside what other compilers made of the same tiles. Counts
// last; exit code 2 where a promise does not hold.
//
//===----------------------------------------------------------------------===//
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include "Rows.h"

using namespace fly::looptable;

static llvm::cl::opt<std::string>
    match("match", llvm::cl::desc("Only rows whose name holds this text"));
static llvm::cl::opt<std::string>
    shard("shard", llvm::cl::desc("Only each N-th row, from the I-th"),
          llvm::cl::value_desc("I/N"), llvm::cl::init("0/1"));
static llvm::cl::opt<bool> list("list", llvm::cl::desc("Print names alone"));

static void print(const Row &row) {
  llvm::raw_ostream &os = llvm::outs();
  os << llvm::formatv("{0,-58}", row.configuration.name());
  if (!row.refusal.empty()) {
    os << " refused: " << llvm::StringRef(row.refusal).split('\n').first;
    return;
  }
  os << llvm::formatv(" stages {0} spills {1}", row.stages,
                      row.kernel.vgprSpills + row.kernel.sgprSpills);
  if (const auto &loop = row.kernel.hotLoop) {
    double tiles = loop->kTiles.value_or(1);
    os << llvm::formatv(
        " moves {0} cover {1,3} % MFMA {2} of {3} ({4} % of at "
        "most {5} %) others {6} ({7} %) barriers {8:f1} a K tile ",
        loop->accMove, int(loop->pipeCover * 100 + 0.5), loop->mfma,
        loop->instructions, 100 * loop->mfma / loop->instructions,
        int(loop->mfmaShareCeiling * 100 + 0.5), loop->countOthers(),
        100 * loop->countOthers() / loop->instructions, loop->barrier / tiles);
    os << llvm::formatv("access {0} B", loop->accessBytes);
    if (row.configuration.scaleBytes())
      os << llvm::formatv(" ({0} of {1} below 16: scales)",
                          loop->narrowAccesses, loop->countMemory());
  }
  os << llvm::formatv(" code {0} B", row.kernel.codeBytes);
}

/// The rows of which others have made a loop, too.
static void printYardsticks(llvm::ArrayRef<Row> rows) {
  unsigned better = 0, worse = 0;
  for (const Yardstick &each : listYardsticks())
    for (const Row &row : rows)
      if (row.configuration.name() == each.row) {
        llvm::outs() << compare(row, each) << "\n";
        ++(isBetter(row, each) ? better : worse);
      }
  if (better + worse)
    llvm::outs() << better << " loops better than those of others, " << worse
                 << " not\n";
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "table of hot loops\n");
  // The linker, which runs in this process, sets options back.
  const std::string wanted = match;
  const bool isList = list;
  unsigned number = 0, part = 0, parts = 1;
  auto [first, second] = llvm::StringRef(shard).split('/');
  if (first.getAsInteger(10, part) || second.getAsInteger(10, parts) ||
      part >= parts) {
    llvm::errs() << "error: --shard=" << shard << ": expected I/N, I below N\n";
    return 1;
  }
  unsigned right = 0, faulty = 0, refused = 0;
  std::vector<Row> rows;
  for (const Configuration &configuration : listConfigurations()) {
    if (!llvm::StringRef(configuration.name()).contains(wanted) ||
        number++ % parts != part)
      continue;
    if (isList) {
      llvm::outs() << configuration.name() << "\n";
      continue;
    }
    Row row = makeRow(configuration);
    print(row);
    for (const std::string &fault : row.faults)
      llvm::outs() << " FAULT " << fault;
    llvm::outs() << "\n";
    llvm::outs().flush();
    ++(!row.faults.empty() ? faulty : row.refusal.empty() ? right : refused);
    rows.push_back(std::move(row));
  }
  if (isList)
    return 0;
  printYardsticks(rows);
  llvm::outs() << right << " as promised, " << faulty << " not, " << refused
               << " refused\n";
  return faulty ? 2 : 0;
}
