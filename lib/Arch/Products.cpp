//===- Products.cpp - Rows of the products --------------------------------===//
//
// The products' figures, and peaks by arithmetic from the MFMA table.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/Products.h"

#include <array>

using namespace fly::arch;

static Product mi300x() {
  constexpr const char *sheet = "[MEM] data sheet of the MI300X";
  constexpr const char *benches = "[HW] gpu-benches, MI300X";
  Product p{};
  p.name = "MI300X";
  p.chip = Chip::Gfx942;
  p.xcds = {8, Basis::Recalled, sheet, "PRODUCT-SHEETS"};
  p.computeUnits = {304, Basis::Recalled, sheet, "PRODUCT-SHEETS"};
  p.shaderEngines = {32, Basis::Recalled,
                     "[MEM] CDNA3 white paper: four shader engines an XCD",
                     "PRODUCT-SHEETS"};
  p.clockMhz = {2100, Basis::Recalled, sheet, "PRODUCT-SHEETS"};
  p.hbmGBs = {5300, Basis::Recalled, sheet, "PRODUCT-SHEETS"};
  p.hbmReadGBs = {4100, Basis::Hardware, benches};
  p.hbmWriteGBs = {4800, Basis::Hardware, benches};
  p.l2GBs = {27000, Basis::Hardware, benches};
  p.mallBytes = {uint64_t(256) << 20, Basis::Recalled, sheet, "PRODUCT-SHEETS"};
  return p;
}

static Product mi325x() {
  // The MI300X with faster memory.
  constexpr const char *sheet = "[MEM] data sheet of the MI325X";
  Product p = mi300x();
  p.name = "MI325X";
  p.hbmGBs = {6000, Basis::Recalled, sheet, "PRODUCT-SHEETS"};
  p.hbmReadGBs = {};
  p.hbmWriteGBs = {};
  p.l2GBs = {27000, Basis::Inferred, "[INF] as measured on an MI300X",
             "PRODUCT-SHEETS"};
  return p;
}

static Product mi355x() {
  constexpr const char *agent = "[HW] agent_info of an MI355X";
  constexpr const char *sheet = "[MEM] data sheet of the MI355X";
  Product p{};
  p.name = "MI355X";
  p.chip = Chip::Gfx950;
  p.xcds = {8, Basis::Hardware, agent};
  p.computeUnits = {256, Basis::Hardware, agent};
  p.shaderEngines = {32, Basis::Hardware, agent};
  p.clockMhz = {2400, Basis::Hardware, agent};
  p.hbmGBs = {8000, Basis::Recalled, sheet, "PRODUCT-SHEETS"};
  p.mallBytes = {uint64_t(256) << 20, Basis::Recalled, sheet, "PRODUCT-SHEETS"};
  return p;
}

llvm::ArrayRef<Product> fly::arch::products() {
  static const std::array<Product, 3> rows = {mi300x(), mi325x(), mi355x()};
  return rows;
}

std::string fly::arch::knownProductNames() {
  std::string names;
  for (const Product &product : products())
    names += (names.empty() ? "" : ", ") + std::string(product.name);
  return names;
}

const Product *fly::arch::lookupProduct(llvm::StringRef name) {
  for (const Product &product : products())
    if (name == product.name)
      return &product;
  return nullptr;
}

const Product *fly::arch::defaultProduct(Chip chip) {
  for (const Product &product : products())
    if (product.chip == chip)
      return &product;
  return nullptr;
}

Fact<double> fly::arch::peakTeraOps(const Product &product, ElementType a,
                                    ElementType b) {
  const ArchInfo &arch = ArchInfo::get(product.chip);
  auto is8f6f4 = [](ElementType type) {
    return type == ElementType::Fp8 || type == ElementType::Bf8 ||
           type == ElementType::Fp6 || type == ElementType::Bf6 ||
           type == ElementType::Fp4;
  };
  double best = 0; // Operations a cycle and SIMD.
  for (const MfmaRow &row : mfmaTable()) {
    bool fits = (row.a == a && row.b == b) ||
                (row.a == ElementType::F8F6F4 && is8f6f4(a) && is8f6f4(b));
    std::optional<unsigned> cycles = matrixCycles(arch, row, a, b);
    if (!fits || !cycles)
      continue;
    double operations = 2.0 * row.m * row.n * row.k * row.blocks;
    best = std::max(best, operations / *cycles);
  }
  if (best == 0 || !product.computeUnits || !product.clockMhz)
    return {};
  double simds = double(*product.computeUnits) * *arch.simdsPerCu;
  return {best * simds * *product.clockMhz * 1e6 / 1e12, Basis::Inferred,
          "[INF] operations a cycle of the MFMA table, all SIMDs, peak clock",
          "PEAK-ARITHMETIC"};
}
