// A HIP runtime without a GPU, for tests: memory is the host's, a kernel named
// `copy` copies M * N elements of two bytes from its first buffer to its second
// one, others do nothing, events are 10, 11, 12, 10, ... us apart. What is
// called is written to the file FAKE_HIP_LOG names. FAKE_HIP_NAME is the
// device's name, FAKE_HIP_GPUS how many there are (1), FAKE_HIP_FAIL names a
// call that gives error 2, FAKE_HIP_SPOIL a byte of the second buffer, from its
// start, that `copy` changes besides.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

static std::vector<std::pair<char *, size_t>> memory;
static std::string kernel;
static unsigned pairs = 0;

template <typename... T>
static void log(const char *format, T... values) {
  const char *path = getenv("FAKE_HIP_LOG");
  FILE *file = path ? fopen(path, "a") : nullptr;
  if (!file)
    return;
  fprintf(file, format, values...);
  fputc('\n', file);
  fclose(file);
}

/// The number of the allocation that an address is in, from 1.
static size_t find(const void *address) {
  for (size_t i = 0; i != memory.size(); ++i)
    if (address >= memory[i].first &&
        address < memory[i].first + memory[i].second)
      return i + 1;
  return 0;
}

static int result(const char *call) {
  const char *failing = getenv("FAKE_HIP_FAIL");
  return failing && !strcmp(failing, call) ? 2 : 0;
}

extern "C" {
const char *hipGetErrorString(int code) {
  return code == 2 ? "out of memory" : "no error";
}
int hipGetDeviceCount(int *count) {
  const char *given = getenv("FAKE_HIP_GPUS");
  *count = given ? atoi(given) : 1;
  return result("hipGetDeviceCount");
}
int hipSetDevice(int device) {
  if (device)
    log("device %d", device);
  return result("hipSetDevice");
}
int hipDeviceGetName(char *name, int bytes, int device) {
  const char *given = getenv("FAKE_HIP_NAME");
  if (device)
    snprintf(name, size_t(bytes), "Fake GPU %d", device);
  else
    snprintf(name, size_t(bytes), "%s", given ? given : "Fake GPU");
  return result("hipDeviceGetName");
}
int hipModuleLoadData(void **module, const void *image) {
  *module = &kernel;
  log("load %.3s", static_cast<const char *>(image) + 1);
  return result("hipModuleLoadData");
}
int hipModuleUnload(void *) {
  log("%s", "unload");
  return 0;
}
int hipModuleGetFunction(void **function, void *, const char *name) {
  kernel = name;
  *function = &kernel;
  return result("hipModuleGetFunction");
}
int hipMalloc(void **address, size_t bytes) {
  if (int code = result("hipMalloc"))
    return code;
  size_t whole = (bytes + 255) / 256 * 256;
  char *place = static_cast<char *>(aligned_alloc(256, whole));
  memset(place, 0x77, whole);
  memory.push_back({place, whole});
  *address = place;
  return 0;
}
int hipFree(void *address) {
  log("free %zu", find(address));
  free(address);
  return 0;
}
int hipMemcpy(void *to, const void *from, size_t bytes, int kind) {
  log("%s %zu, %zu bytes", kind == 1 ? "to" : "from",
      find(kind == 1 ? to : from), bytes);
  memcpy(to, from, bytes);
  return result("hipMemcpy");
}
int hipModuleLaunchKernel(void *, unsigned gridX, unsigned gridY,
                          unsigned gridZ, unsigned blockX, unsigned blockY,
                          unsigned blockZ, unsigned lds, void *, void **values,
                          void **) {
  char *first = *static_cast<char **>(values[0]);
  log("launch %s on %zu: grid %u %u %u, block %u %u %u, LDS %u", kernel.c_str(),
      find(first), gridX, gridY, gridZ, blockX, blockY, blockZ, lds);
  if (kernel == "copy") {
    char *second = *static_cast<char **>(values[1]);
    int m = *static_cast<int *>(values[2]), n = *static_cast<int *>(values[3]);
    memcpy(second, first, size_t(m) * size_t(n) * 2);
    if (const char *place = getenv("FAKE_HIP_SPOIL"))
      second[atoi(place)] ^= 0x40;
  }
  return result("hipModuleLaunchKernel");
}
int hipDeviceSynchronize() { return result("hipDeviceSynchronize"); }
int hipEventCreate(void **event) {
  *event = &pairs;
  return result("hipEventCreate");
}
int hipEventDestroy(void *) { return 0; }
int hipEventRecord(void *, void *) { return result("hipEventRecord"); }
int hipEventSynchronize(void *) { return result("hipEventSynchronize"); }
int hipEventElapsedTime(float *milliseconds, void *, void *) {
  *milliseconds = 0.010f + 0.001f * float(pairs++ % 3);
  return result("hipEventElapsedTime");
}
}
