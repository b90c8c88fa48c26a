//===- Subcommands.h - The benches of fly-bench -----------------*- C++ -*-===//
#ifndef FLY_TOOLS_FLY_BENCH_SUBCOMMANDS_H
#define FLY_TOOLS_FLY_BENCH_SUBCOMMANDS_H

namespace fly::tools {

int benchHardware(int argc, char **argv);
int benchMechanisms(int argc, char **argv);
int benchPredictions(int argc, char **argv);
int benchProbe(int argc, char **argv);
int benchRun(int argc, char **argv);

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_BENCH_SUBCOMMANDS_H
