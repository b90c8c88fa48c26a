//===- Fact.h - A value with its source -------------------------*- C++ -*-===//
//
// A number about a chip is only as good as where it comes from. Every number of
// the chip tables is therefore a Fact: the value, or nothing where nobody
// knows, with how it is known, the text of the source, and, where it is our
// inference or recollection, the id of its entry in the assumption ledger
// (Assumptions.h). Reports and the simulator print those ids beside figures.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ARCH_FACT_H
#define FLY_ARCH_FACT_H

#include <cassert>
#include <optional>

namespace fly::arch {

/// How a value is known. The order is from the strongest to the weakest.
enum class Basis {
  Hardware, ///< [HW] measured on real hardware by somebody public.
  Vendor,   ///< [AMD] an AMD document, tool or source.
  Llvm,     ///< [LLVM22] observed with, or read in, LLVM 22.1.8.
  Guide,    ///< Stated by the kernel tuning guide only.
  Inferred, ///< [INF] arithmetic or inference; has an assumption id.
  Recalled, ///< [MEM] recalled and not verified; has an assumption id.
  Unknown,  ///< Nobody knows; the fact holds no value.
};

/// The tag of \p basis as the documentation writes it, e.g. "[HW]".
const char *basisTag(Basis basis);

/// A value with its source. Works like std::optional: `if (fact) use(*fact)`.
template <typename T>
class Fact {
public:
  /// An unknown value.
  constexpr Fact() = default;
  /// A value whose source is no assumption.
  constexpr Fact(T value, Basis basis, const char *source)
      : content(value), factBasis(basis), factSource(source) {}
  /// A value that rests on the assumption \p id of the ledger.
  constexpr Fact(T value, Basis basis, const char *source, const char *id)
      : content(value), factBasis(basis), factSource(source), factId(id) {}

  /// True where a value is known.
  constexpr explicit operator bool() const { return content.has_value(); }
  constexpr bool known() const { return content.has_value(); }
  /// The value; only where it is known.
  constexpr const T &operator*() const {
    assert(content && "value of an unknown fact");
    return *content;
  }
  constexpr const T *operator->() const { return &**this; }
  constexpr const std::optional<T> &value() const { return content; }
  /// How the value is known.
  constexpr Basis basis() const { return factBasis; }
  /// Where the value comes from, as text for reports.
  constexpr const char *source() const { return factSource; }
  /// The id in the assumption ledger; "" for values that are no assumption.
  constexpr const char *assumption() const { return factId; }

private:
  std::optional<T> content;
  Basis factBasis = Basis::Unknown;
  const char *factSource = "unknown";
  const char *factId = "";
};

} // namespace fly::arch

#endif // FLY_ARCH_FACT_H
