/** Host code of an exported program: objects, clocks, the gate, and how a call is timed. */
export const HOST_SOURCE = String.raw`
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/** Tables of objects are made once: compilers need not spend minutes on them. */
#if defined(__GNUC__) && !defined(__clang__)
#define MADE_ONCE __attribute__((optimize("O0"), noinline))
#else
#define MADE_ONCE
#endif

inline i64 now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
inline void spinFor(i64 ns) {
  const i64 from = now();
  while (now() - from < ns) {
  }
}
inline void CUDART_CB hostFunction(void* ns) { spinFor(static_cast<i64>(reinterpret_cast<size_t>(ns))); }

/** The first error of a program, and whether there was one. */
struct Failure {
  std::atomic<bool> failed{false};
  std::string text;
  void note(const char* what, cudaError_t error) {
    cudaGetLastError();
    if (!failed.exchange(true)) text = std::string(what) + ": " + cudaGetErrorName(error);
  }
};
inline Failure& failure() {
  static Failure one;
  return one;
}
#define CHECK(x)                                                    \
  do {                                                              \
    const cudaError_t error_ = (x);                                 \
    if (error_ != cudaSuccess) failure().note(#x, error_);          \
  } while (0)

struct Stream { int device; char kind; int priority; cudaStream_t handle; };
struct Event { int device; bool timing; cudaEvent_t handle; };
/** Space: d device, p pinned, g pageable. */
struct Memory { int device; char space; u64 bytes; bool preallocated; char* pointer; };
/** A buffer is a part of an allocation. */
struct Buffer { int memory; u64 offset; };
struct Kernel { const char* name; int variant; dim3 grid, block, cluster; int shared; };
struct Use { int buffer; Range range; };
struct Phase { int op; u64 arg; };
struct Attribute { cudaLaunchAttributeID id; int a, b, c; };
struct Launch {
  const char* label; int kernel, stream;
  std::vector<Attribute> attributes;
  std::vector<Use> uses;
  bool graphNode;
  std::shared_ptr<void> body;
  void* argument[1];
  cudaLaunchConfig_t config;
  cudaLaunchAttribute attribute[8];
  u64 recordAt;
  std::map<std::string, std::vector<double>> seen;
};
struct Copy { const char* label; int device, before, after, gate; std::vector<double> starts, ends; };
struct Call { i64 begin, end; };
struct KernelBody { std::vector<Phase> phases; std::vector<int> firstWarp, firstPhase; };

/** What a device has for the measuring itself. */
struct Device {
  char* scratch; u64 scratchBytes; u64* records; u64 recordWords; cudaStream_t own;
  volatile unsigned* asked; volatile u64* answer; i64 offset, roundTrip;
  /** Read to fill L2 with what no program uses. */
  uint4* elsewhere; u64 elsewhereBytes;
};
constexpr int MOST_FLAGS = 4096, MOST_WORDS = 4096;
constexpr u64 SCRATCH = 1ull << 29;

struct Harness {
  int count = 0;
  std::vector<Device> devices;
  volatile unsigned* flags = nullptr;
  volatile u64* opened = nullptr;
  /** Of each device: flags of its kernels, and counters of grid barriers. */
  std::vector<unsigned*> words;
};
inline Harness& harness() {
  static Harness one;
  return one;
}

/** Busy waits of kernels are made longer by up to so many ns, each time by another amount: what nothing orders comes apart. */
inline u64& shaking() {
  static u64 most = 0;
  return most;
}
inline u64 shaken(u64 ns) {
  static std::atomic<u64> state{88172645463325252ull};
  if (shaking() == 0) return ns;
  u64 x = state.load();
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  state.store(x);
  return ns + x % shaking();
}

struct Program {
  const char* name; const char* text; int needs; bool gated;
  int zeroCall; int zeroLaunchDevice;
  bool keepPeers;
  std::vector<Stream> streams; std::vector<Event> events; std::vector<Memory> memories; std::vector<Buffer> buffers;
  std::vector<Kernel> kernels; std::vector<KernelBody> bodies; std::vector<Launch> launches; std::vector<Copy> copies;
  std::vector<std::vector<Call>> calls; std::vector<i64> gaps;
  std::vector<std::vector<double>> begins, ends;
  std::vector<cudaGraph_t> graphs; std::vector<cudaGraphExec_t> executables;
  std::vector<double> totals;
  unsigned repetition = 0; bool usesScratch = false;
  void (*thread)(Program&, int) = nullptr;
  bool ok = true; std::string error;

  cudaStream_t st(int i) const { return streams[i].handle; }
  cudaEvent_t ev(int i) const { return events[i].handle; }
  char* at(int buffer, u64 offset) const {
    const Buffer& b = buffers[buffer];
    return memories[b.memory].pointer + b.offset + offset;
  }
  volatile unsigned* flag(int i) const { return harness().flags + i * 16; }
};

#define CALL(t, i, x)                                               \
  do {                                                              \
    Call& call_ = p.calls[t][i];                                    \
    call_.begin = now();                                            \
    const cudaError_t error_ = (x);                                 \
    call_.end = now();                                              \
    if (error_ != cudaSuccess) failure().note(#x, error_);          \
    if (p.gaps[t] > 0) spinFor(p.gaps[t]);                          \
  } while (0)
#define HOST(t, i, x)                                               \
  do {                                                              \
    Call& call_ = p.calls[t][i];                                    \
    call_.begin = now();                                            \
    x;                                                              \
    call_.end = now();                                              \
    if (p.gaps[t] > 0) spinFor(p.gaps[t]);                          \
  } while (0)

inline cudaError_t notReadyIsFine(cudaError_t e) {
  if (e == cudaErrorNotReady) cudaGetLastError();
  return e == cudaErrorNotReady ? cudaSuccess : e;
}
inline cudaError_t enabledIsFine(cudaError_t e) {
  if (e == cudaErrorPeerAccessAlreadyEnabled || e == cudaErrorPeerAccessNotEnabled) {
    cudaGetLastError();
    return cudaSuccess;
  }
  return e;
}
inline void awaitFlag(const volatile unsigned* flag, unsigned value) {
  const i64 from = now();
  while (static_cast<int>(*flag) < static_cast<int>(value)) {
    if (now() - from > 5000000000ll) {
      failure().note("a flag that the host awaits", cudaErrorTimeout);
      return;
    }
  }
  std::atomic_thread_fence(std::memory_order_acquire);
}
inline void raiseFlag(volatile unsigned* flag, unsigned value) {
  std::atomic_thread_fence(std::memory_order_release);
  if (static_cast<int>(*flag) < static_cast<int>(value)) *flag = value;
}

struct Variant { const void* function; size_t bytes; void (*fill)(void*, const KernelBody&, const std::vector<Range>&, u64*); };
template <class B> void fillBody(void* place, const KernelBody& k, const std::vector<Range>& ranges, u64* records) {
  B& b = *static_cast<B*>(place);
  b.phases = static_cast<int>(k.phases.size());
  b.roles = static_cast<int>(k.firstWarp.size()) - 1;
  b.records = records;
  for (size_t i = 0; i < k.phases.size() && i < static_cast<size_t>(B::mostPhases); ++i) {
    b.op[i] = k.phases[i].op;
    b.arg[i] = k.phases[i].op == SPIN ? shaken(k.phases[i].arg) : k.phases[i].arg;
  }
  for (size_t i = 0; i < ranges.size() && i < static_cast<size_t>(B::mostRanges); ++i) b.range[i] = ranges[i];
  for (size_t i = 0; i < k.firstWarp.size() && i <= static_cast<size_t>(B::mostRoles); ++i) {
    b.firstWarp[i] = k.firstWarp[i];
    b.firstPhase[i] = k.firstPhase[i];
  }
}
inline const Variant& variantOf(int i) {
  static const Variant all[] = {
      {reinterpret_cast<const void*>(&synthetic<SmallBody, false>), sizeof(SmallBody), &fillBody<SmallBody>},
      {reinterpret_cast<const void*>(&synthetic<LargeBody, false>), sizeof(LargeBody), &fillBody<LargeBody>},
      {reinterpret_cast<const void*>(&synthetic<LargeBody, true>), sizeof(LargeBody), &fillBody<LargeBody>},
      {reinterpret_cast<const void*>(&synthetic<HugeBody, true>), sizeof(HugeBody), &fillBody<HugeBody>}};
  return all[i];
}

/** Makes what a launch passes: its attributes, once the events are there, and its place among the records. */
inline void prepareLaunch(Program& p, Launch& l) {
  const Kernel& k = p.kernels[l.kernel];
  const Variant& v = variantOf(k.variant);
  if (!l.body) l.body = std::shared_ptr<void>(std::calloc(1, v.bytes), std::free);
  l.argument[0] = l.body.get();
  l.config = cudaLaunchConfig_t{};
  l.config.gridDim = k.grid;
  l.config.blockDim = k.block;
  l.config.dynamicSmemBytes = static_cast<size_t>(k.shared);
  l.config.stream = l.stream < 0 ? nullptr : p.st(l.stream);
  l.config.attrs = l.attribute;
  unsigned n = 0;
  for (const Attribute& a : l.attributes) {
    cudaLaunchAttribute& to = l.attribute[n++];
    std::memset(&to, 0, sizeof to);
    to.id = a.id;
    if (a.id == cudaLaunchAttributeProgrammaticStreamSerialization) to.val.programmaticStreamSerializationAllowed = 1;
    else if (a.id == cudaLaunchAttributeProgrammaticEvent) {
      to.val.programmaticEvent.event = p.ev(a.a);
      to.val.programmaticEvent.triggerAtBlockStart = a.b;
    } else if (a.id == cudaLaunchAttributeLaunchCompletionEvent) to.val.launchCompletionEvent.event = p.ev(a.a);
    else if (a.id == cudaLaunchAttributeCooperative) to.val.cooperative = 1;
    else if (a.id == cudaLaunchAttributePriority) to.val.priority = a.a;
    else if (a.id == cudaLaunchAttributeClusterDimension) {
      to.val.clusterDim.x = static_cast<unsigned>(a.a);
      to.val.clusterDim.y = static_cast<unsigned>(a.b);
      to.val.clusterDim.z = static_cast<unsigned>(a.c);
    } else if (a.id == cudaLaunchAttributeDeviceUpdatableKernelNode) to.val.deviceUpdatableKernelNode.deviceUpdatable = 1;
  }
  l.config.numAttrs = n;
}
/** Fills a launch's argument: memory may have been allocated since, and every repetition has tags of its own. */
inline void bindLaunch(Program& p, Launch& l) {
  const Kernel& k = p.kernels[l.kernel];
  const int device = p.streams[l.stream].device;
  const Device& d = harness().devices[device];
  std::vector<Range> ranges;
  for (const Use& u : l.uses) {
    Range r = u.range;
    if (u.buffer >= 0) r.base = p.at(u.buffer, 0);
    else if (u.buffer == -1) r.base = d.scratch;
    else if (u.buffer == -2) r.base = const_cast<char*>(reinterpret_cast<volatile char*>(p.flag(static_cast<int>(r.bytes))));
    else r.base = reinterpret_cast<char*>(harness().words[device] + r.bytes);
    if (u.buffer >= 0 && r.tag != 0) r.tag += p.repetition << 20;
    ranges.push_back(r);
  }
  variantOf(k.variant).fill(l.body.get(), p.bodies[l.kernel], ranges, d.records + l.recordAt);
}
#define LAUNCH(t, i, n)                                             \
  do {                                                              \
    bindLaunch(p, p.launches[n]);                                   \
    const Launch& l_ = p.launches[n];                               \
    const void* f_ = variantOf(p.kernels[l_.kernel].variant).function; \
    CALL(t, i, cudaLaunchKernelExC(&l_.config, f_, const_cast<void**>(l_.argument))); \
  } while (0)
#define GATE(t, i, d, stream, f)                                    \
  do {                                                              \
    const volatile unsigned* flag_ = p.flag(f);                     \
    u64* opened_ = const_cast<u64*>(harness().opened) + d;          \
    void* arguments_[] = {&flag_, &opened_};                        \
    CALL(t, i, cudaLaunchKernel(reinterpret_cast<const void*>(&gateKernel), dim3(1), dim3(1), arguments_, 0, p.st(stream))); \
  } while (0)

/** A kernel node with the attributes of its launch; those that are not for nodes were refused before. */
inline cudaGraphNode_t kernelNode(Program& p, cudaGraph_t graph, int n) {
  Launch& l = p.launches[n];
  bindLaunch(p, l);
  cudaKernelNodeParams node{};
  node.func = const_cast<void*>(variantOf(p.kernels[l.kernel].variant).function);
  node.gridDim = l.config.gridDim;
  node.blockDim = l.config.blockDim;
  node.sharedMemBytes = static_cast<unsigned>(l.config.dynamicSmemBytes);
  node.kernelParams = l.argument;
  cudaGraphNode_t made{};
  CHECK(cudaSetDevice(p.streams[l.stream].device));
  CHECK(cudaGraphAddKernelNode(&made, graph, nullptr, 0, &node));
  for (unsigned i = 0; i < l.config.numAttrs; ++i) CHECK(cudaGraphKernelNodeSetAttribute(made, l.attribute[i].id, &l.attribute[i].val));
  return made;
}
inline cudaError_t addEdge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to, int port, bool programmatic) {
  cudaGraphEdgeData edge{};
  edge.from_port = static_cast<unsigned char>(port);
  edge.type = static_cast<unsigned char>(programmatic ? cudaGraphDependencyTypeProgrammatic : cudaGraphDependencyTypeDefault);
#if CUDART_VERSION >= 13000
  return cudaGraphAddDependencies(graph, &from, &to, &edge, 1);
#else
  return cudaGraphAddDependencies_v2(graph, &from, &to, &edge, 1);
#endif
}
inline cudaError_t removeEdge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to, int port, bool programmatic) {
  cudaGraphEdgeData edge{};
  edge.from_port = static_cast<unsigned char>(port);
  edge.type = static_cast<unsigned char>(programmatic ? cudaGraphDependencyTypeProgrammatic : cudaGraphDependencyTypeDefault);
#if CUDART_VERSION >= 13000
  return cudaGraphRemoveDependencies(graph, &from, &to, &edge, 1);
#else
  return cudaGraphRemoveDependencies_v2(graph, &from, &to, &edge, 1);
#endif
}
inline cudaError_t captureInfo(cudaStream_t stream) {
  cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* nodes = nullptr;
  const cudaGraphEdgeData* edges = nullptr;
  size_t count = 0;
#if CUDART_VERSION >= 13000
  return cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &edges, &count);
#else
  return cudaStreamGetCaptureInfo_v3(stream, &status, &id, &graph, &nodes, &edges, &count);
#endif
}
inline cudaError_t edgesOf(cudaGraph_t graph) {
  size_t count = 0;
#if CUDART_VERSION >= 13000
  return cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count);
#else
  return cudaGraphGetEdges_v2(graph, nullptr, nullptr, nullptr, &count);
#endif
}
inline cudaError_t updateExecutable(cudaGraphExec_t executable, cudaGraph_t graph) {
  cudaGraphExecUpdateResultInfo info{};
  return cudaGraphExecUpdate(executable, graph, &info);
}
/** Flags that streams wait for or write are the driver's: looked up, so that nothing but the runtime is linked. */
inline cudaError_t streamValue(const char* name, cudaStream_t stream, volatile unsigned* flag, unsigned value) {
  typedef int (*Operation)(cudaStream_t, unsigned long long, unsigned, unsigned);
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result;
#if CUDART_VERSION >= 12050
  const cudaError_t error = cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result);
#else
  const cudaError_t error = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#endif
  if (error != cudaSuccess) return error;
  if (found == nullptr) return cudaErrorSymbolNotFound;
  const int status = reinterpret_cast<Operation>(found)(stream, reinterpret_cast<unsigned long long>(flag), value, 0);
  return status == 0 ? cudaSuccess : cudaErrorUnknown;
}
`;
