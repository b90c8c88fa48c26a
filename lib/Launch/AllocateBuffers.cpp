//===- AllocateBuffers.cpp - Memory of a kernel's pointers ----------------===//
//
// Extents come from the kernel's views, else from what the user wrote; contents
// from the user, else from what suits the kernel's access.
//
//===----------------------------------------------------------------------===//
#include "fly/Launch/Arguments.h"
#include "fly/Launch/Npy.h"

using namespace fly;
using namespace fly::launch;
using llvm::StringRef;

/// What an argument holds that the user did not mention.
static llvm::Expected<Spec> defaultSpec(const Parameter &parameter,
                                        unsigned index, uint64_t seed) {
  if (parameter.isWorkspace)
    return Spec::parse(parameter.fill.empty()      ? "bytes:0xff"
                       : parameter.fill == "zeros" ? "zeros"
                                                   : "fill:" + parameter.fill);
  // All ones are NaN in every float type: an element that the kernel forgot
  // to write is seen.
  if (!parameter.isRead)
    return Spec::parse("bytes:0xff");
  return Spec::parse("rand:" + std::to_string(seed * 64 + index + 1));
}

/// A buffer that the host cannot hold is an error, not a crash.
static llvm::Error checkSize(const Parameter &parameter, const Shape &shape,
                             ElementType type, int64_t elements) {
  constexpr uint64_t limitGiB = 64;
  int64_t count = 1;
  bool isTooLarge = elements > int64_t(limitGiB << 30);
  for (int64_t extent : shape.extents)
    isTooLarge |= extent < 0 || __builtin_mul_overflow(count, extent, &count);
  isTooLarge |= count > int64_t(limitGiB << 30);
  uint64_t bytes = isTooLarge ? 0 : type.bytesFor(std::max(elements, count));
  if (!isTooLarge && bytes <= limitGiB << 30) {
    // Freed at once: this asks whether there is so much memory at all.
    std::unique_ptr<uint8_t[]> probe(new (std::nothrow) uint8_t[bytes + 1]);
    if (probe)
      return llvm::Error::success();
  }
  return llvm::createStringError(
      "buffer '" + parameter.name + "' of " + type.name() + " " + shape.str() +
      " is larger than the host can hold (at most " + llvm::Twine(limitGiB) +
      " GiB); choose smaller extents");
}

llvm::Error fly::launch::allocateBuffer(Argument &argument, unsigned index,
                                        std::optional<Shape> shape,
                                        int64_t elements,
                                        llvm::ArrayRef<NamedSpec> specs,
                                        uint64_t seed) {
  const Parameter &parameter = argument.parameter;
  const NamedSpec *given = findSpec(specs, parameter.name);
  std::optional<ElementType> type = parameter.type;
  if (!type && given)
    type = given->spec.type;
  // `0` is a null pointer, for arguments that the kernel does not touch.
  if (parameter.isPositional && given &&
      given->spec.kind == Spec::Kind::Scalar && given->spec.isInteger &&
      given->spec.integer == 0)
    return llvm::Error::success();
  // Where the views do not say, the user's TYPE[...] or file does.
  if (!shape && given && given->spec.extents) {
    shape = Shape::contiguous(*given->spec.extents);
  } else if (!shape && given && given->spec.kind == Spec::Kind::File) {
    llvm::Expected<std::pair<ElementType, Shape>> file =
        peekNpy(given->spec.path);
    if (!file)
      return file.takeError();
    if (!type)
      type = file->first;
    shape = file->second;
    if (type->bits() < 8 && !shape->extents.empty()) {
      shape->extents.back() *= 8 / type->bits();
      shape = Shape::contiguous(shape->extents);
    }
  }
  if (!shape || !type)
    return llvm::createStringError(
        "the size of buffer '" + parameter.name +
        "' is not known from the kernel; give it as " +
        (parameter.isPositional ? "--arg" : parameter.name) + "=" +
        (type ? type->name() : "bf16") + "[16x32]=rand:1");
  if (llvm::Error error = checkSize(parameter, *shape, *type, elements))
    return error;
  argument.buffer.emplace(parameter.name, *type, *shape,
                          std::max(elements, shape->span()));
  if (given)
    return fillBuffer(*argument.buffer, given->spec);
  llvm::Expected<Spec> spec = defaultSpec(parameter, index, seed);
  if (!spec)
    return spec.takeError();
  return fillBuffer(*argument.buffer, *spec);
}

llvm::Error
fly::launch::allocateBuffers(std::vector<Argument> &arguments,
                             const contract::LaunchContract &contract,
                             llvm::ArrayRef<NamedSpec> specs, uint64_t seed) {
  auto bindings = [&](StringRef name) { return lookupScalar(arguments, name); };
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (!argument.parameter.isPointer)
      continue;
    const contract::Argument *described =
        contract.findArgument(argument.parameter.name);
    std::optional<Shape> shape;
    int64_t elements = 0;
    if (described && described->view) {
      const contract::View &view = *described->view;
      auto extents = contract::evaluateAll(view.extents, bindings);
      if (!extents)
        return extents.takeError();
      auto strides = contract::evaluateAll(view.strides, bindings);
      if (!strides)
        return strides.takeError();
      llvm::Expected<int64_t> span = contract::viewElements(view, bindings);
      if (!span)
        return span.takeError();
      shape.emplace();
      shape->extents.assign(extents->begin(), extents->end());
      shape->strides.assign(strides->begin(), strides->end());
      elements = *span;
    }
    if (llvm::Error error =
            allocateBuffer(argument, index, shape, elements, specs, seed))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error fly::launch::checkGuards(llvm::ArrayRef<Argument> arguments) {
  for (const Argument &argument : arguments)
    if (argument.buffer)
      if (llvm::Error error = argument.buffer->checkGuards())
        return error;
  return llvm::Error::success();
}

llvm::Error fly::launch::checkZeroed(StringRef name,
                                     llvm::ArrayRef<uint8_t> bytes) {
  const uint8_t *wrong =
      llvm::find_if(bytes, [](uint8_t byte) { return byte; });
  if (wrong == bytes.end())
    return llvm::Error::success();
  return llvm::createStringError(
      "workspace '" + name + "' is not left zeroed: byte " +
      llvm::Twine(wrong - bytes.begin()) + " of " + llvm::Twine(bytes.size()) +
      " is " + llvm::Twine(unsigned(*wrong)));
}

llvm::Error fly::launch::checkZeroed(llvm::ArrayRef<Argument> arguments) {
  for (const Argument &argument : arguments)
    if (argument.buffer && argument.parameter.isWorkspace &&
        argument.parameter.fill == "zeros")
      if (llvm::Error error = checkZeroed(
              argument.parameter.name,
              {argument.buffer->data(), size_t(argument.buffer->bytes())}))
        return error;
  return llvm::Error::success();
}
