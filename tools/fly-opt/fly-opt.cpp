//===- fly-opt.cpp - Runs passes on Fly IR --------------------------------===//
//
// mlir-opt with Fly's dialect and passes beside the upstream ones, and
// --fly-pipeline for the passes in their order.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Pipelines/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<fly::FlyDialect>();
  mlir::registerAllDialects(registry);
  mlir::registerAllPasses();
  fly::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Fly optimizer driver\n", registry));
}
