//===- Layout.cpp - Construction and properties of layouts ----------------===//
//
// `Layout::get` is the only way to a layout, so that what it checks holds for
// all of them. The sum of (extent - 1) * |stride| is checked rather than the
// index of the last coordinate: it bounds every index in both directions.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include "CheckedArithmetic.h"

using namespace fly::layout;

/// Adds (extent - 1) * |stride| to `span`; false on overflow.
static bool addSpan(int64_t extent, int64_t stride, int64_t &span) {
  if (extent == 1 || stride == 0)
    return true;
  int64_t distance;
  return stride != INT64_MIN &&
         !llvm::MulOverflow(extent - 1, stride < 0 ? -stride : stride,
                            distance) &&
         !llvm::AddOverflow(span, distance, span);
}

llvm::Expected<Layout> Layout::get(IntTuple shape, IntTuple stride) {
  if (!congruent(shape, stride))
    return llvm::createStringError(llvm::formatv(
        "stride '{0}' does not nest like shape '{1}'", stride, shape));
  int64_t span = 1;
  for (const auto &[extent, step] :
       llvm::zip(shape.leaves(), stride.leaves())) {
    if (extent.factor() < 1)
      return llvm::createStringError(llvm::formatv(
          "extent {0} of shape '{1}': expected at least 1", extent, shape));
    if (extent.isStatic() && step.isStatic() &&
        !addSpan(extent.factor(), step.factor(), span))
      return llvm::createStringError(
          llvm::formatv("the indices of '{0}:{1}' overflow 64 bits at {2}:{3}",
                        shape, stride, extent, step));
  }
  llvm::Expected<Int> total = product(shape);
  if (!total)
    return llvm::createStringError(llvm::formatv(
        "size of shape '{0}': {1}", shape, llvm::toString(total.takeError())));
  return Layout(std::move(shape), std::move(stride), std::move(*total));
}

/// The compact strides of `shape`, the first or the last mode fastest. `next`
/// is the stride of the next leaf.
static IntTuple compactStrides(const IntTuple &shape, bool firstFastest,
                               Int &next, CheckedArithmetic &arithmetic) {
  if (shape.isLeaf()) {
    Int stride = next;
    next = arithmetic.multiply(next, shape.leaf());
    return stride;
  }
  unsigned rank = shape.rank();
  std::vector<IntTuple> strides(rank, IntTuple(0));
  for (unsigned i = 0; i < rank; ++i) {
    unsigned at = firstFastest ? i : rank - 1 - i;
    strides[at] =
        compactStrides(shape.mode(at), firstFastest, next, arithmetic);
  }
  return IntTuple::tuple(std::move(strides));
}

static llvm::Expected<Layout> compactLayout(IntTuple shape, bool firstFastest) {
  CheckedArithmetic arithmetic;
  Int next(1);
  IntTuple stride = compactStrides(shape, firstFastest, next, arithmetic);
  if (llvm::Error error = arithmetic.takeError())
    return llvm::createStringError(llvm::formatv(
        "size of shape '{0}': {1}", shape, llvm::toString(std::move(error))));
  return Layout::get(std::move(shape), std::move(stride));
}

llvm::Expected<Layout> Layout::compact(IntTuple shape) {
  return compactLayout(std::move(shape), /*firstFastest=*/true);
}

llvm::Expected<Layout> Layout::compactRowMajor(IntTuple shape) {
  return compactLayout(std::move(shape), /*firstFastest=*/false);
}

llvm::Expected<Layout> Layout::fromModes(llvm::ArrayRef<Layout> modes) {
  std::vector<IntTuple> shapes, strides;
  for (const Layout &mode : modes) {
    shapes.push_back(mode.shape());
    strides.push_back(mode.stride());
  }
  return get(IntTuple::tuple(std::move(shapes)),
             IntTuple::tuple(std::move(strides)));
}

llvm::Expected<Layout> Layout::fromLeaves(llvm::ArrayRef<Leaf> leaves) {
  if (leaves.empty())
    return Layout();
  if (leaves.size() == 1)
    return get(leaves.front().extent, leaves.front().stride);
  std::vector<IntTuple> shapes, strides;
  for (const Leaf &leaf : leaves) {
    shapes.push_back(leaf.extent);
    strides.push_back(leaf.stride);
  }
  return get(IntTuple::tuple(std::move(shapes)),
             IntTuple::tuple(std::move(strides)));
}

Layout Layout::mode(unsigned index) const {
  if (isLeaf())
    return *this;
  const IntTuple &shape = shapeTuple.mode(index);
  // The product of a part of the extents cannot overflow where all did not.
  Int size = llvm::cantFail(product(shape));
  return Layout(shape, strideTuple.mode(index), std::move(size));
}

llvm::SmallVector<Layout, 4> Layout::modes() const {
  llvm::SmallVector<Layout, 4> result;
  for (unsigned i = 0; i < rank(); ++i)
    result.push_back(mode(i));
  return result;
}

llvm::SmallVector<Leaf> Layout::leaves() const {
  llvm::SmallVector<Leaf> result;
  for (const auto &[extent, stride] :
       llvm::zip(shapeTuple.leaves(), strideTuple.leaves()))
    result.push_back({extent, stride});
  return result;
}

int64_t Layout::operator()(int64_t coordinate) const {
  assert(isStatic() && "unknown values have no index");
  assert(coordinate >= 0 && coordinate < total.factor() && "outside of shape");
  int64_t index = 0;
  for (const Leaf &leaf : leaves()) {
    index += coordinate % leaf.extent.factor() * leaf.stride.factor();
    coordinate /= leaf.extent.factor();
  }
  return index;
}

std::string Layout::str() const {
  return shapeTuple.str() + ":" + strideTuple.str();
}

llvm::Expected<Layout> Layout::bind(Bindings bindings) const {
  llvm::Expected<IntTuple> shape = shapeTuple.bind(bindings);
  if (!shape)
    return shape.takeError();
  llvm::Expected<IntTuple> stride = strideTuple.bind(bindings);
  if (!stride)
    return stride.takeError();
  return get(std::move(*shape), std::move(*stride));
}

llvm::Expected<int64_t> fly::layout::cosize(const Layout &layout) {
  int64_t span = 1;
  for (const Leaf &leaf : layout.leaves()) {
    if (leaf.extent.is(1) || leaf.stride.is(0))
      continue;
    for (const Int *part : {&leaf.extent, &leaf.stride})
      if (!part->isStatic())
        return llvm::createStringError(llvm::formatv(
            "cosize of '{0}': '{1}' must be static", layout, *part));
    bool fits = addSpan(leaf.extent.factor(), leaf.stride.factor(), span);
    assert(fits && "checked when the layout was made");
    (void)fits;
  }
  return span;
}
