//===- Metadata.cpp - kernels of the msgpack note -------------------------===//
//
// What problem: argument offsets, sizes and kinds exist only in the metadata.
// What idea: walk the document with accessors that check the kind of every
// node; a missing optional key keeps its default, a wrong kind is an error
// that names the key.
// What it refuses: arguments outside the kernarg segment, sizes over 4 GiB,
// more than 1 MiB of kernarg.
//
//===----------------------------------------------------------------------===//

#include "Metadata.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/BinaryFormat/MsgPackReader.h"

using namespace fly::isa;
using namespace llvm;

/// Larger kernarg segments do not exist; a larger number is a damaged file.
constexpr uint32_t maxKernargBytes = 1u << 20;
/// Nesting of honest metadata is 5.
constexpr size_t maxDepth = 32;

static Error wrongKind(StringRef key, const char *expected) {
  return createStringError("metadata key '%s' is not %s", key.str().c_str(),
                           expected);
}

/// LLVM's document reader ends the process on node types it does not know, so
/// the structure is checked first: known types, string keys, closed containers.
static Error checkStructure(StringRef blob) {
  auto malformed = [] {
    return createStringError("the metadata note is not a msgpack document of "
                             "lists and maps with string keys");
  };
  struct Container {
    size_t remaining; ///< Nodes still to come; keys count as nodes.
    bool isMap;
  };
  msgpack::Reader reader(blob);
  std::vector<Container> open = {{1, false}};
  while (!open.empty()) {
    if (open.back().remaining == 0) {
      open.pop_back();
      continue;
    }
    bool isKey = open.back().isMap && open.back().remaining % 2 == 0;
    --open.back().remaining;
    msgpack::Object node;
    Expected<bool> more = reader.read(node);
    if (!more) {
      consumeError(more.takeError());
      return malformed();
    }
    if (!*more || (isKey && node.Kind != msgpack::Type::String))
      return malformed();
    switch (node.Kind) {
    case msgpack::Type::Nil:
    case msgpack::Type::Int:
    case msgpack::Type::UInt:
    case msgpack::Type::Boolean:
    case msgpack::Type::Float:
    case msgpack::Type::String:
      break;
    case msgpack::Type::Array:
    case msgpack::Type::Map: {
      bool isMap = node.Kind == msgpack::Type::Map;
      // Each node takes a byte, which bounds honest lengths.
      if (node.Length > blob.size() || open.size() > maxDepth)
        return malformed();
      open.push_back({node.Length * (isMap ? 2 : 1), isMap});
      break;
    }
    default:
      return malformed();
    }
  }
  return Error::success();
}

/// Looks a key up without creating it. Null if absent.
static msgpack::DocNode *findKey(msgpack::MapDocNode map, StringRef key) {
  auto it = map.find(key);
  return it == map.end() ? nullptr : &it->second;
}

static Error readInteger(msgpack::MapDocNode map, StringRef key,
                         uint32_t &value) {
  msgpack::DocNode *node = findKey(map, key);
  if (!node)
    return Error::success();
  uint64_t number;
  if (node->getKind() == msgpack::Type::UInt)
    number = node->getUInt();
  else if (node->getKind() == msgpack::Type::Int && node->getInt() >= 0)
    number = uint64_t(node->getInt());
  else
    return wrongKind(key, "a non-negative integer");
  if (number > UINT32_MAX)
    return createStringError("metadata key '%s' is %llu, limit is 4294967295",
                             key.str().c_str(), (unsigned long long)number);
  value = uint32_t(number);
  return Error::success();
}

static Error readString(msgpack::MapDocNode map, StringRef key,
                        std::string &value) {
  msgpack::DocNode *node = findKey(map, key);
  if (!node)
    return Error::success();
  if (node->getKind() != msgpack::Type::String)
    return wrongKind(key, "a string");
  value = node->getString().str();
  return Error::success();
}

static ArgumentKind argumentKindOf(StringRef valueKind) {
  return StringSwitch<ArgumentKind>(valueKind)
      .Case("by_value", ArgumentKind::ByValue)
      .Case("global_buffer", ArgumentKind::GlobalBuffer)
      .Case("dynamic_shared_pointer", ArgumentKind::DynamicSharedPointer)
      .Case("hidden_block_count_x", ArgumentKind::HiddenBlockCountX)
      .Case("hidden_block_count_y", ArgumentKind::HiddenBlockCountY)
      .Case("hidden_block_count_z", ArgumentKind::HiddenBlockCountZ)
      .Case("hidden_group_size_x", ArgumentKind::HiddenGroupSizeX)
      .Case("hidden_group_size_y", ArgumentKind::HiddenGroupSizeY)
      .Case("hidden_group_size_z", ArgumentKind::HiddenGroupSizeZ)
      .Case("hidden_remainder_x", ArgumentKind::HiddenRemainderX)
      .Case("hidden_remainder_y", ArgumentKind::HiddenRemainderY)
      .Case("hidden_remainder_z", ArgumentKind::HiddenRemainderZ)
      .Case("hidden_global_offset_x", ArgumentKind::HiddenGlobalOffsetX)
      .Case("hidden_global_offset_y", ArgumentKind::HiddenGlobalOffsetY)
      .Case("hidden_global_offset_z", ArgumentKind::HiddenGlobalOffsetZ)
      .Case("hidden_grid_dims", ArgumentKind::HiddenGridDims)
      .Case("hidden_dynamic_lds_size", ArgumentKind::HiddenDynamicLdsSize)
      .Case("hidden_private_base", ArgumentKind::HiddenPrivateBase)
      .Case("hidden_shared_base", ArgumentKind::HiddenSharedBase)
      .Case("hidden_queue_ptr", ArgumentKind::HiddenQueuePtr)
      .StartsWith("hidden_", ArgumentKind::HiddenNull)
      .Default(ArgumentKind::Unsupported);
}

static Expected<KernelArgument> readArgument(msgpack::DocNode &node,
                                             uint32_t kernargSize) {
  if (!node.isMap())
    return wrongKind(".args", "a list of maps");
  msgpack::MapDocNode map = node.getMap();
  KernelArgument argument;
  if (Error error = readString(map, ".name", argument.name))
    return std::move(error);
  if (Error error = readString(map, ".type_name", argument.typeName))
    return std::move(error);
  if (Error error = readString(map, ".value_kind", argument.valueKind))
    return std::move(error);
  if (Error error = readInteger(map, ".offset", argument.offset))
    return std::move(error);
  if (Error error = readInteger(map, ".size", argument.size))
    return std::move(error);
  argument.kind = argumentKindOf(argument.valueKind);
  if (uint64_t(argument.offset) + argument.size > kernargSize)
    return createStringError(
        "argument '%s' at offset %u with %u bytes ends behind the kernarg "
        "segment of %u bytes",
        argument.name.c_str(), argument.offset, argument.size, kernargSize);
  return argument;
}

static Error readWorkgroupSize(msgpack::MapDocNode map, Kernel &kernel) {
  msgpack::DocNode *node = findKey(map, ".reqd_workgroup_size");
  if (!node)
    return Error::success();
  if (!node->isArray() || node->getArray().size() != 3)
    return wrongKind(".reqd_workgroup_size", "a list of three");
  for (unsigned dim = 0; dim != 3; ++dim) {
    msgpack::DocNode &entry = node->getArray()[dim];
    if (entry.getKind() != msgpack::Type::UInt || entry.getUInt() > UINT32_MAX)
      return wrongKind(".reqd_workgroup_size", "a list of integers");
    kernel.requiredWorkgroupSize[dim] = uint32_t(entry.getUInt());
  }
  return Error::success();
}

static Expected<Kernel> readKernel(msgpack::DocNode &node) {
  if (!node.isMap())
    return wrongKind("amdhsa.kernels", "a list of maps");
  msgpack::MapDocNode map = node.getMap();
  Kernel kernel;
  if (Error error = readString(map, ".name", kernel.name))
    return std::move(error);
  if (Error error = readString(map, ".symbol", kernel.symbol))
    return std::move(error);
  if (kernel.name.empty() || kernel.symbol.empty())
    return createStringError("a kernel of the metadata has no name or symbol");
  struct {
    const char *key;
    uint32_t *value;
  } numbers[] = {
      {".kernarg_segment_size", &kernel.kernargSegmentSize},
      {".kernarg_segment_align", &kernel.kernargSegmentAlign},
      {".group_segment_fixed_size", &kernel.groupSegmentFixedSize},
      {".private_segment_fixed_size", &kernel.privateSegmentFixedSize},
      {".vgpr_count", &kernel.vgprCount},
      {".agpr_count", &kernel.agprCount},
      {".sgpr_count", &kernel.sgprCount},
      {".vgpr_spill_count", &kernel.vgprSpillCount},
      {".sgpr_spill_count", &kernel.sgprSpillCount},
      {".max_flat_workgroup_size", &kernel.maxFlatWorkgroupSize},
      {".wavefront_size", &kernel.wavefrontSize},
  };
  for (auto &number : numbers)
    if (Error error = readInteger(map, number.key, *number.value))
      return std::move(error);
  if (kernel.kernargSegmentSize > maxKernargBytes)
    return createStringError("kernel '%s' has a kernarg segment of %u bytes, "
                             "limit is %u",
                             kernel.name.c_str(), kernel.kernargSegmentSize,
                             maxKernargBytes);
  if (Error error = readWorkgroupSize(map, kernel))
    return std::move(error);
  if (msgpack::DocNode *args = findKey(map, ".args")) {
    if (!args->isArray())
      return wrongKind(".args", "a list");
    for (msgpack::DocNode &arg : args->getArray()) {
      Expected<KernelArgument> argument =
          readArgument(arg, kernel.kernargSegmentSize);
      if (!argument)
        return createStringError("kernel '%s': %s", kernel.name.c_str(),
                                 toString(argument.takeError()).c_str());
      kernel.arguments.push_back(std::move(*argument));
    }
  }
  return kernel;
}

Expected<Metadata> fly::isa::parseMetadata(ArrayRef<uint8_t> note) {
  msgpack::Document document;
  StringRef blob(reinterpret_cast<const char *>(note.data()), note.size());
  if (Error error = checkStructure(blob))
    return std::move(error);
  if (!document.readFromBlob(blob, /*Multi=*/false))
    return createStringError("the metadata note is not a msgpack document");
  if (!document.getRoot().isMap())
    return createStringError("the metadata note is not a map");
  msgpack::MapDocNode root = document.getRoot().getMap();
  Metadata metadata;
  if (Error error = readString(root, "amdhsa.target", metadata.target))
    return std::move(error);
  msgpack::DocNode *kernels = findKey(root, "amdhsa.kernels");
  if (!kernels)
    return metadata;
  if (!kernels->isArray())
    return wrongKind("amdhsa.kernels", "a list");
  for (msgpack::DocNode &node : kernels->getArray()) {
    Expected<Kernel> kernel = readKernel(node);
    if (!kernel)
      return kernel.takeError();
    metadata.kernels.push_back(std::move(*kernel));
  }
  return metadata;
}
