//===- Products.h - Machines that carry the chips ---------------*- C++ -*-===//
//
// Compute units, clocks, memory and peaks of the products. One chip serves
// several products, so these figures stand beside the chip tables. Peaks are
// computed from the MFMA table; a report prints them with their basis.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_PRODUCTS_H
#define FLY_ARCH_PRODUCTS_H

#include "fly/Arch/MfmaTable.h"

#include <string>

namespace fly::arch {

/// A product. Bandwidths are in 10^9 bytes a second.
struct Product {
  const char *name; ///< "MI300X"
  Chip chip;
  Fact<unsigned> xcds;
  Fact<unsigned> computeUnits;  ///< Of the whole device.
  Fact<unsigned> shaderEngines; ///< Of the whole device; an XCD's are alike.
  Fact<unsigned> clockMhz;      ///< Peak shader clock.
  Fact<unsigned> hbmGBs;        ///< Peak of the data sheet.
  Fact<unsigned> hbmReadGBs;    ///< Reached by reads.
  Fact<unsigned> hbmWriteGBs;   ///< Reached by writes.
  Fact<unsigned> l2GBs;         ///< Reached with data in the L2.
  Fact<uint64_t> mallBytes;
};

/// All products.
llvm::ArrayRef<Product> products();
/// The names of all products, for messages.
std::string knownProductNames();
/// The product of this name, nullptr if unknown.
const Product *lookupProduct(llvm::StringRef name);
/// The product that stands for \p chip where none is named; nullptr for chips
/// without one.
const Product *defaultProduct(Chip chip);

/// Dense peak of \p product in 10^12 operations a second for these input
/// types, by the fastest row of the MFMA table; empty if the chip has none.
Fact<double> peakTeraOps(const Product &product, ElementType a, ElementType b);

} // namespace fly::arch

#endif // FLY_ARCH_PRODUCTS_H
