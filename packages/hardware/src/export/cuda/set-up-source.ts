/** What a program needs before it runs, made and dropped again, and the devices' clocks. */
export const SET_UP_SOURCE = `
/** Maps a device's timer onto the host's clock: the shortest of several questions and answers counts. */
inline void setClock(int device, int questions) {
  Device& d = harness().devices[device];
  CHECK(cudaSetDevice(device));
  *d.asked = 0;
  for (int i = 0; i < questions; ++i) d.answer[i] = 0;
  answerKernel<<<1, 1, 0, d.own>>>(const_cast<unsigned*>(d.asked), d.answer, questions);
  d.roundTrip = 1ll << 60;
  for (int i = 0; i < questions; ++i) {
    const i64 sent = now();
    *d.asked = static_cast<unsigned>(i + 1);
    u64 answer;
    while ((answer = d.answer[i]) == 0) {
      if (now() - sent > 1000000000ll) return failure().note("the device's clock", cudaErrorTimeout);
    }
    const i64 back = now();
    if (back - sent >= d.roundTrip) continue;
    d.roundTrip = back - sent;
    d.offset = (sent + back) / 2 - static_cast<i64>(answer);
  }
  CHECK(cudaStreamSynchronize(d.own));
}
inline char* makeMemory(Memory& m) {
  void* made = nullptr;
  if (m.space == 'd') {
    CHECK(cudaSetDevice(m.device));
    CHECK(cudaMalloc(&made, m.bytes));
    if (made != nullptr) CHECK(cudaMemset(made, 0, m.bytes));
  } else if (m.space == 'p') {
    CHECK(cudaHostAlloc(&made, m.bytes, cudaHostAllocPortable | cudaHostAllocMapped));
    if (made != nullptr) std::memset(made, 0, m.bytes);
  } else {
    made = std::malloc(m.bytes);
    if (made != nullptr) std::memset(made, 0, m.bytes);
  }
  return static_cast<char*>(made);
}
inline void dropMemory(Memory& m) {
  if (m.pointer == nullptr) return;
  if (m.space == 'd') cudaFree(m.pointer);
  else if (m.space == 'p') cudaFreeHost(m.pointer);
  else std::free(m.pointer);
  m.pointer = nullptr;
}
inline void synchronizeAll(int devices) {
  for (int d = 0; d < devices; ++d) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaDeviceSynchronize());
  }
}

inline void setUp(Program& p) {
  Harness& h = harness();
  for (int a = 0; a < p.needs; ++a)
    for (int b = 0; b < p.needs; ++b)
      if (a != b) {
        cudaSetDevice(a);
        cudaDeviceDisablePeerAccess(b);
        cudaGetLastError();
      }
  for (Stream& s : p.streams) {
    CHECK(cudaSetDevice(s.device));
    if (s.kind == 'l') s.handle = cudaStreamLegacy;
    else if (s.kind == 't') s.handle = cudaStreamPerThread;
    else CHECK(cudaStreamCreateWithPriority(&s.handle, s.kind == 'b' ? cudaStreamDefault : cudaStreamNonBlocking, s.priority));
  }
  for (Event& e : p.events) {
    CHECK(cudaSetDevice(e.device));
    CHECK(cudaEventCreateWithFlags(&e.handle, e.timing ? cudaEventDefault : cudaEventDisableTiming));
  }
  for (Memory& m : p.memories)
    if (m.preallocated) m.pointer = makeMemory(m);
  std::vector<u64> words(static_cast<size_t>(h.count), 0);
  for (Launch& l : p.launches) {
    const Kernel& k = p.kernels[l.kernel];
    u64& own = words[static_cast<size_t>(p.streams[l.stream].device)];
    l.recordAt = own;
    own += static_cast<u64>(k.grid.x) * k.grid.y * k.grid.z * (RECORD_HEAD + p.bodies[l.kernel].phases.size());
    prepareLaunch(p, l);
  }
  for (int d = 0; d < p.needs; ++d) {
    Device& own = h.devices[static_cast<size_t>(d)];
    CHECK(cudaSetDevice(d));
    int most = 0;
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, d));
    for (int v = 0; v < 4; ++v)
      CHECK(cudaFuncSetAttribute(variantOf(v).function, cudaFuncAttributeMaxDynamicSharedMemorySize, most - STATIC_SHARED));
    if (words[static_cast<size_t>(d)] > own.recordWords) {
      if (own.records != nullptr) CHECK(cudaFree(own.records));
      own.recordWords = words[static_cast<size_t>(d)];
      CHECK(cudaMalloc(&own.records, own.recordWords * 8));
    }
    if (own.elsewhere == nullptr) {
      int l2 = 0;
      CHECK(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, d));
      own.elsewhereBytes = 3 * static_cast<u64>(l2);
      CHECK(cudaMalloc(&own.elsewhere, own.elsewhereBytes));
    }
    if (p.usesScratch && own.scratch == nullptr) {
      CHECK(cudaMalloc(&own.scratch, 2 * SCRATCH));
      CHECK(cudaMemset(own.scratch, 1, 2 * SCRATCH));
    }
  }
  synchronizeAll(p.needs);
}
inline void tearDown(Program& p) {
  for (Stream& s : p.streams)
    if (s.kind != 'l' && s.kind != 't') cudaStreamDestroy(s.handle);
  for (Event& e : p.events) cudaEventDestroy(e.handle);
  for (Memory& m : p.memories) dropMemory(m);
  cudaGetLastError();
}
`;
