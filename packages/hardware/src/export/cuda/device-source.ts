/**
 * Device code of an exported program: one kernel that reads its phases from its argument, as the measuring kernel does whose
 * stamps the machine's constants were fitted to. A body written out as code of its own would pay less at its boundaries.
 */
export const DEVICE_SOURCE = `
#include <cuda_runtime.h>

#if CUDART_VERSION < 12040
#error "needs CUDA 12.4 or newer"
#endif

typedef unsigned long long u64;
typedef long long i64;

enum PhaseOp : int {
  NOTHING, SPIN, RAMP, FMA, LOAD, STORE, FENCE, TRIGGER, WAIT, BLOCK_BARRIER, GRID_BARRIER, SIGNAL, AWAIT
};
enum RangeFlag : int { WIDE = 1, EVICT_FIRST = 2, CHECKED = 4, SLOW = 8, FAR = 16 };

/** Bytes that a block touches; or a flag and its value; or the counter of a barrier. */
struct Range {
  char* base;
  u64 offset, bytes, stride, wrap, amount;
  unsigned tag;
  int flags;
};

/** Argument of a launch. */
template <int PHASES, int RANGES, int ROLES> struct Body {
  static constexpr int mostPhases = PHASES, mostRanges = RANGES, mostRoles = ROLES;
  int phases, roles;
  int op[PHASES];
  u64 arg[PHASES];
  u64* records;
  Range range[RANGES];
  int firstWarp[ROLES + 1], firstPhase[ROLES + 1];
};
typedef Body<12, 6, 1> SmallBody;
typedef Body<64, 24, 8> LargeBody;
typedef Body<400, 200, 16> HugeBody;

/** Of a block: multiprocessor, start, end, stale words, then a stamp a phase. */
constexpr int RECORD_HEAD = 4;
/** Bytes of the kernel's own shared memory, at the most. */
constexpr int STATIC_SHARED = 16;
constexpr u64 AWAIT_LIMIT = 3000000000ull;

__device__ float sink[1024];
__device__ unsigned timedOut;

__device__ __forceinline__ u64 deviceTime() {
  u64 t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}
__device__ __forceinline__ unsigned multiprocessor() {
  unsigned id;
  asm volatile("mov.u32 %0, %smid;" : "=r"(id));
  return id;
}
__device__ __forceinline__ void busyWait(u64 ns) {
  const u64 from = deviceTime();
#pragma unroll 1
  while (deviceTime() - from < ns) {
  }
}
__device__ __forceinline__ void meet(int barrier, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ __forceinline__ char* placeOf(const Range& r, unsigned block) {
  u64 at = r.stride * block;
  if (r.wrap != 0) {
    at %= r.wrap;
    if (at + r.bytes > r.wrap) at = r.wrap - r.bytes;
  }
  return r.base + r.offset + at;
}
__device__ __forceinline__ unsigned differing(uint4 v, unsigned tag) {
  return (v.x != tag) + (v.y != tag) + (v.z != tag) + (v.w != tag);
}

__device__ __forceinline__ unsigned folded(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

/** What the two functions below need beside the place, by value: through a pointer every field would be a load from memory. */
struct RangePart {
  unsigned bytes, amount, tag;
  int flags;
};
__device__ __forceinline__ RangePart partOf(const Range& r) {
  return {static_cast<unsigned>(r.bytes), static_cast<unsigned>(r.amount), r.tag, r.flags};
}

/** Reads the range of a block and returns how many of its words do not hold the tag, where that is asked for. */
__device__ __noinline__ unsigned loadRange(const char* place, RangePart r, unsigned thread, unsigned threads) {
  unsigned stale = 0;
  if ((r.flags & WIDE) == 0 || (r.flags & SLOW) != 0) {
    const unsigned* words = reinterpret_cast<const unsigned*>(place);
    const unsigned count = r.bytes / 4;
#pragma unroll 1
    for (unsigned i = thread; i < count; i += threads) {
      unsigned v;
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(words + i));
      stale += v != r.tag;
    }
    return (r.flags & CHECKED) != 0 ? stale : 0;
  }
  const uint4* quads = reinterpret_cast<const uint4*>(place);
  const unsigned most = r.bytes / 16;
  const bool streams = (r.flags & EVICT_FIRST) != 0;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned left = r.amount / 16; left > 0;) {
    const unsigned count = left < most ? left : most;
    left -= count;
    // One load of a thread in flight, as in the kernel that the rates of a thread were measured with.
    if ((r.flags & CHECKED) != 0) {
#pragma unroll 1
      for (unsigned i = thread; i < count; i += threads) stale += differing(__ldcg(quads + i), r.tag);
    } else if (streams) {
#pragma unroll 1
      for (unsigned i = thread; i < count; i += threads) sum ^= folded(__ldcs(quads + i));
    } else {
#pragma unroll 1
      for (unsigned i = thread; i < count; i += threads) sum ^= folded(__ldcg(quads + i));
    }
  }
  if (sum == 0x12345679u) sink[thread] = 1.0f;
  return stale;
}
__device__ __noinline__ void storeRange(char* place, RangePart r, unsigned thread, unsigned threads) {
  if ((r.flags & WIDE) == 0) {
    unsigned* words = reinterpret_cast<unsigned*>(place);
    const unsigned count = r.bytes / 4;
#pragma unroll 1
    for (unsigned i = thread; i < count; i += threads) words[i] = r.tag;
    return;
  }
  uint4* quads = reinterpret_cast<uint4*>(place);
  const uint4 v = make_uint4(r.tag, r.tag, r.tag, r.tag);
  const unsigned most = r.bytes / 16;
#pragma unroll 1
  for (unsigned left = r.amount / 16; left > 0;) {
    const unsigned count = left < most ? left : most;
    left -= count;
    if ((r.flags & EVICT_FIRST) != 0) {
#pragma unroll 4
      for (unsigned i = thread; i < count; i += threads) __stcs(quads + i, v);
    } else {
#pragma unroll 4
      for (unsigned i = thread; i < count; i += threads) quads[i] = v;
    }
  }
}
__device__ __forceinline__ void multiplyAdd(u64 iterations, int thread) {
  float x = thread, y = x + 1, z = x + 2, w = x + 3;
  for (u64 i = 0; i < iterations; ++i) {
    x = x * 1.0001f + 0.1f;
    y = y * 1.0001f + 0.1f;
    z = z * 1.0001f + 0.1f;
    w = w * 1.0001f + 0.1f;
  }
  if (x + y + z + w == 1.2345f) sink[thread] = x;
}
__device__ __noinline__ void awaitValue(const Range& flag) {
  const volatile unsigned* word = reinterpret_cast<const volatile unsigned*>(flag.base);
  const u64 from = deviceTime();
#pragma unroll 1
  while (static_cast<int>(*word) < static_cast<int>(flag.tag)) {
    if (deviceTime() - from > AWAIT_LIMIT) {
      atomicAdd(&timedOut, 1u);
      break;
    }
  }
  if ((flag.flags & FAR) != 0) __threadfence_system();
  else __threadfence();
}
__device__ __noinline__ void signalValue(const Range& flag) {
  if ((flag.flags & FAR) == 0) {
    __threadfence();
    atomicMax(reinterpret_cast<int*>(flag.base), static_cast<int>(flag.tag));
    return;
  }
  // A device has no atomic maximum on the host's memory.
  volatile unsigned* word = reinterpret_cast<volatile unsigned*>(flag.base);
  __threadfence_system();
  if (static_cast<int>(*word) < static_cast<int>(flag.tag)) *word = flag.tag;
}
__device__ __noinline__ void meetGrid(const Range& counter, unsigned blocks) {
  unsigned* count = reinterpret_cast<unsigned*>(counter.base);
  __threadfence();
  const unsigned target = (atomicAdd(count, 1u) / blocks + 1) * blocks;
  const u64 from = deviceTime();
  while (*reinterpret_cast<volatile unsigned*>(count) < target) {
    if (deviceTime() - from > AWAIT_LIMIT) {
      atomicAdd(&timedOut, 1u);
      break;
    }
  }
  __threadfence();
}

/**
 * Does the phases of its argument. The timer is read before anything else; what streams, polls or meets the grid is kept out of
 * the loop, which then fits few lines of the instruction cache: a phase that begins in a cold one costs a third of a microsecond.
 */
template <class B, bool HAS_ROLES>
__global__ void __launch_bounds__(1024, HAS_ROLES ? 1 : 2) synthetic(const __grid_constant__ B a) {
  __shared__ unsigned stale;
  u64 began = 0;
  int thread = threadIdx.x + threadIdx.y + threadIdx.z;
  if (thread == 0) began = deviceTime();
  unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  u64* record = a.records + static_cast<u64>(block) * (RECORD_HEAD + a.phases);
  // Kept in registers: worked out anew after each phase they would take 50 to 100 ns of it.
  asm volatile("" : "+r"(block), "+l"(record));
  if (thread == 0) {
    record[0] = multiprocessor();
    record[1] = began;
    stale = 0;
  }
  thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int roleThreads = 0, first = 0, last = a.phases, barrier = 0;
  const auto threads = [&]() -> int { return HAS_ROLES ? roleThreads : static_cast<int>(blockDim.x * blockDim.y * blockDim.z); };
  __syncthreads();
  if (HAS_ROLES) {
    int role = 0;
    while (role + 1 < a.roles && thread / 32 >= a.firstWarp[role + 1]) ++role;
    const int from = a.firstWarp[role] * 32, to = a.firstWarp[role + 1] * 32;
    const int all = blockDim.x * blockDim.y * blockDim.z;
    roleThreads = ((to < all ? to : all) - from + 31) & ~31;
    thread -= from;
    first = a.firstPhase[role];
    last = a.firstPhase[role + 1];
    barrier = role + 1;
  }
  asm volatile("" : "+r"(last), "+r"(thread));
  const auto together = [&] {
    if (HAS_ROLES) meet(barrier, roleThreads);
    else __syncthreads();
  };
  for (int p = first; p < last; ++p) {
    switch (a.op[p]) {
      case SPIN: {
        if (thread == 0) busyWait(a.arg[p]);
        together();
        break;
      }
#if __CUDA_ARCH__ >= 900
      case TRIGGER: {
        const unsigned modulus = static_cast<unsigned>(a.arg[p] >> 32);
        if (modulus == 0 || block % modulus == static_cast<unsigned>(a.arg[p])) cudaTriggerProgrammaticLaunchCompletion();
        break;
      }
      case WAIT: {
        cudaGridDependencySynchronize();
        together();
        break;
      }
#endif
      case FMA: {
        multiplyAdd(a.arg[p], thread);
        together();
        break;
      }
      case LOAD: {
        const unsigned bad = loadRange(placeOf(a.range[a.arg[p]], block), partOf(a.range[a.arg[p]]), thread, threads());
        if (bad != 0) atomicAdd(&stale, bad);
        together();
        break;
      }
      case STORE: {
        storeRange(placeOf(a.range[a.arg[p]], block), partOf(a.range[a.arg[p]]), thread, threads());
        together();
        break;
      }
      case RAMP: {
        if (thread == 0) busyWait((a.arg[p] >> 16) * (1 + block % (a.arg[p] & 0xffff)));
        together();
        break;
      }
      case FENCE: {
        if (a.arg[p] == 0) __threadfence_block();
        else if (a.arg[p] == 1) __threadfence();
        else __threadfence_system();
        together();
        break;
      }
      case BLOCK_BARRIER: __syncthreads(); break;
      case GRID_BARRIER: {
        __syncthreads();
        if (thread == 0 && first == 0) meetGrid(a.range[a.arg[p]], gridDim.x * gridDim.y * gridDim.z);
        __syncthreads();
        break;
      }
      case SIGNAL: {
        if (thread == 0) signalValue(a.range[a.arg[p]]);
        together();
        break;
      }
      case AWAIT: {
        if (thread == 0) awaitValue(a.range[a.arg[p]]);
        together();
        break;
      }
      default: break;
    }
    if (thread == 0) record[RECORD_HEAD + p] = deviceTime();
  }
  if (HAS_ROLES) __syncthreads();
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
    record[3] = stale;
    record[2] = deviceTime();
  }
}

/** Holds back what waits for it until the host raises a flag, and tells when it saw that. */
__global__ void gateKernel(const volatile unsigned* flag, u64* opened) {
  const u64 from = deviceTime();
  while (*flag == 0) {
    if (deviceTime() - from > AWAIT_LIMIT) {
      atomicAdd(&timedOut, 1u);
      break;
    }
  }
  *opened = deviceTime();
}
/** Answers the host's calls with the device's time. */
__global__ void answerKernel(const volatile unsigned* asked, volatile u64* answer, int count) {
  for (int i = 0; i < count; ++i) {
    const u64 from = deviceTime();
    while (*asked < static_cast<unsigned>(i + 1)) {
      if (deviceTime() - from > AWAIT_LIMIT) return;
    }
    answer[i] = deviceTime();
    __threadfence_system();
  }
}
/** Reads so much that L2 holds nothing else. */
__global__ void displaceKernel(const uint4* from, u64 count) {
  unsigned sum = 0;
  for (u64 i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum ^= folded(__ldcg(from + i));
  if (sum == 0x12345679u) sink[threadIdx.x] = 1.0f;
}
/** Work that brings the clocks up. */
__global__ void warmKernel(u64 ns) {
  const u64 from = deviceTime();
  float x = threadIdx.x;
  while (deviceTime() - from < ns) {
    for (int i = 0; i < 64; ++i) x = x * 1.0001f + 0.1f;
  }
  if (x == 1.23f) sink[0] = x;
}
`;
