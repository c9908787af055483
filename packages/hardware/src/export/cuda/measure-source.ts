/** How an exported program is repeated, what is taken down of each repetition, and how the file of cases is written. */
export const MEASURE_SOURCE = String.raw`
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

/** What a launch's blocks took down, and the calls' times; all in ns from the zero of the case. */
inline void takeDown(Program& p, i64 finished, bool detail) {
  Harness& h = harness();
  const Call& zeroCall = p.calls[0][static_cast<size_t>(p.zeroCall)];
  const i64 zero = p.gated ? static_cast<i64>(h.opened[0]) + h.devices[0].offset : zeroCall.begin;
  p.totals.push_back(static_cast<double>(finished - zero));
  size_t n = 0;
  for (const std::vector<Call>& thread : p.calls)
    for (const Call& c : thread) {
      p.begins[n].push_back(static_cast<double>(c.begin - zero));
      p.ends[n++].push_back(static_cast<double>(c.end - zero));
    }
  std::vector<u64> all;
  for (int d = 0; d < p.needs; ++d) {
    const Device& own = h.devices[static_cast<size_t>(d)];
    u64 words = 0;
    for (const Launch& l : p.launches) {
      if (p.streams[l.stream].device != d) continue;
      const Kernel& k = p.kernels[l.kernel];
      words = std::max(words, l.recordAt + static_cast<u64>(k.grid.x) * k.grid.y * k.grid.z * (RECORD_HEAD + p.bodies[l.kernel].phases.size()));
    }
    if (words == 0) continue;
    all.resize(words);
    CHECK(cudaSetDevice(d));
    CHECK(cudaMemcpy(all.data(), own.records, words * 8, cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(own.records, 0, words * 8));
    const i64 shift = own.offset - zero;
    for (Launch& l : p.launches) {
      if (p.streams[l.stream].device != d) continue;
      const Kernel& k = p.kernels[l.kernel];
      const KernelBody& body = p.bodies[l.kernel];
      const u64 width = RECORD_HEAD + body.phases.size();
      const u64 blocks = static_cast<u64>(k.grid.x) * k.grid.y * k.grid.z;
      double start = 1e300, lastStart = -1e300, end = -1e300, firstEnd = 1e300, stale = 0;
      double firstTrigger = 1e300, lastTrigger = -1e300, firstRelease = 1e300, lastRelease = -1e300;
      std::map<u64, int> residents;
      if (detail) l.blocks.clear();
      bool ran = true;
      for (u64 b = 0; b < blocks; ++b) {
        const u64* r = &all[l.recordAt + b * width];
        if (r[2] == 0) {
          ran = false;
          break;
        }
        const auto instant = [&](u64 t) { return static_cast<double>(static_cast<i64>(t) + shift); };
        start = std::min(start, instant(r[1]));
        lastStart = std::max(lastStart, instant(r[1]));
        firstEnd = std::min(firstEnd, instant(r[2]));
        end = std::max(end, instant(r[2]));
        stale += static_cast<double>(r[3]);
        ++residents[r[0]];
        for (size_t i = 0; i < body.phases.size(); ++i) {
          const double t = instant(r[RECORD_HEAD + i]);
          if (body.phases[i].op == TRIGGER) {
            firstTrigger = std::min(firstTrigger, t);
            lastTrigger = std::max(lastTrigger, t);
          } else if (body.phases[i].op == WAIT) {
            firstRelease = std::min(firstRelease, t);
            lastRelease = std::max(lastRelease, t);
          }
        }
      }
      if (!ran) continue;
      int most = 0;
      for (const auto& one : residents) most = std::max(most, one.second);
      l.seen["start"].push_back(start);
      l.seen["lastStart"].push_back(lastStart);
      if (lastTrigger > -1e299) {
        l.seen["firstTrig"].push_back(firstTrigger);
        l.seen["lastTrig"].push_back(lastTrigger);
      }
      if (lastRelease > -1e299) {
        l.seen["firstRel"].push_back(firstRelease);
        l.seen["lastRel"].push_back(lastRelease);
      }
      l.seen["end"].push_back(end);
      l.seen["firstEnd"].push_back(firstEnd);
      l.seen["stale"].push_back(stale);
      l.seen["sms"].push_back(static_cast<double>(residents.size()));
      l.seen["maxPerSm"].push_back(most);
    }
  }
  for (Copy& c : p.copies) {
    float before = 0, after = 0;
    const cudaEvent_t base = p.ev(c.gate);
    const cudaError_t first = cudaEventElapsedTime(&before, base, p.ev(c.before));
    const cudaError_t second = cudaEventElapsedTime(&after, base, p.ev(c.after));
    cudaGetLastError();
    if (first != cudaSuccess || second != cudaSuccess) continue;
    const double from = static_cast<double>(static_cast<i64>(h.opened[c.device]) + h.devices[static_cast<size_t>(c.device)].offset - zero);
    c.starts.push_back(from + before * 1e6);
    c.ends.push_back(from + after * 1e6);
  }
}

/** Leaves nothing of the repetition before in L2: a simulation begins with an empty one. */
inline void displace(int d) {
  const Device& own = harness().devices[static_cast<size_t>(d)];
  displaceKernel<<<264, 1024, 0, own.own>>>(own.elsewhere, own.elsewhereBytes / 16);
}

/** Host threads of a program, for all its repetitions: the first calls of a new thread take several times as long. */
class HostThreads {
 public:
  explicit HostThreads(Program& p) : program(p) {
    for (size_t t = 1; t < p.calls.size(); ++t) others.emplace_back([this, t] { serve(static_cast<int>(t)); });
  }
  ~HostThreads() {
    begun = -1;
    for (std::thread& other : others) other.join();
  }
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;
  /** Runs the program's calls, a thread for each of its threads; returns when all are through. */
  void run() {
    ended = 0;
    ++begun;
    program.thread(program, 0);
    while (ended.load() < static_cast<int>(others.size())) std::this_thread::yield();
  }

 private:
  void serve(int t) {
    for (int seen = 0;;) {
      const int now = begun.load();
      if (now < 0) return;
      if (now == seen) {
        std::this_thread::yield();
        continue;
      }
      seen = now;
      program.thread(program, t);
      ++ended;
    }
  }
  Program& program;
  std::vector<std::thread> others;
  std::atomic<int> begun{0}, ended{0};
};

inline void runOnce(Program& p, HostThreads& threads, bool first) {
  Harness& h = harness();
  for (int d = 0; d < p.needs; ++d) {
    CHECK(cudaSetDevice(d));
    displace(d);
    warmKernel<<<264, 256, 0, h.devices[static_cast<size_t>(d)].own>>>(first ? 3000000ull : 200000ull);
  }
  synchronizeAll(p.needs);
  for (int d = 0; d < p.needs; ++d) setClock(d, first ? 48 : 12);
  for (int i = 0; i < MOST_FLAGS; ++i) h.flags[i * 16] = 0;
  for (int d = 0; d < p.needs; ++d) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaMemset(h.words[static_cast<size_t>(d)], 0, MOST_WORDS * sizeof(unsigned)));
  }
  synchronizeAll(p.needs);
  threads.run();
}

/** Notes a kernel that gave up waiting. */
inline void checkWaits(int devices) {
  for (int d = 0; d < devices; ++d) {
    unsigned late = 0;
    CHECK(cudaSetDevice(d));
    CHECK(cudaMemcpyFromSymbol(&late, timedOut, sizeof late));
    if (late == 0) continue;
    failure().note("a flag or barrier that a kernel awaits", cudaErrorTimeout);
    late = 0;
    CHECK(cudaMemcpyToSymbol(timedOut, &late, sizeof late));
  }
}

inline void measure(Program& p, int repetitions, bool detail, i64 until) {
  failure().failed = false;
  failure().text.clear();
  size_t calls = 0;
  for (const auto& thread : p.calls) calls += thread.size();
  p.begins.resize(calls);
  p.ends.resize(calls);
  setUp(p);
  HostThreads threads(p);
  for (int r = -2; r < repetitions && !failure().failed; ++r) {
    if (r > 2 && now() > until) break;
    p.repetition = static_cast<unsigned>(r + 3);
    runOnce(p, threads, r == -2);
    i64 finished = 0;
    for (const auto& thread : p.calls)
      if (!thread.empty()) finished = std::max(finished, thread.back().end);
    synchronizeAll(p.needs);
    checkWaits(p.needs);
    if (r >= 0 && !failure().failed) takeDown(p, finished, detail && r + 1 == repetitions);
    else
      for (int d = 0; d < p.needs; ++d) {
        const Device& own = harness().devices[static_cast<size_t>(d)];
        CHECK(cudaSetDevice(d));
        if (own.records != nullptr) CHECK(cudaMemset(own.records, 0, own.recordWords * 8));
      }
    for (cudaGraphExec_t& e : p.executables) {
      if (e != nullptr) CHECK(cudaGraphExecDestroy(e));
      e = nullptr;
    }
    for (cudaGraph_t& g : p.graphs) {
      if (g != nullptr) CHECK(cudaGraphDestroy(g));
      g = nullptr;
    }
  }
  tearDown(p);
  p.ok = !failure().failed;
  p.error = failure().text;
}

inline double quantile(std::vector<double> v, double share) {
  std::sort(v.begin(), v.end());
  const size_t last = v.size() - 1;
  return v[static_cast<size_t>(std::lround(share * static_cast<double>(last)))];
}
inline void writeSpread(FILE* f, const char* name, const std::vector<double>& v) {
  std::fprintf(f, ",\"%s\":%.0f,\"%sLo\":%.0f,\"%sHi\":%.0f", name, quantile(v, 0.5), name, quantile(v, 0.1), name, quantile(v, 0.9));
}
/** Runs in which a read was stale. */
inline int staleRuns(const std::vector<double>& v) {
  return static_cast<int>(std::count_if(v.begin(), v.end(), [](double x) { return x > 0; }));
}
inline void writeCase(FILE* f, const Program& p) {
  std::fprintf(f, "{%s,\"kernels\":{", p.text);
  for (size_t i = 0; i < p.kernels.size(); ++i) {
    cudaFuncAttributes a{};
    cudaFuncGetAttributes(&a, variantOf(p.kernels[i].variant).function);
    std::fprintf(f, "%s\"%s\":{\"registersPerThread\":%d,\"staticSharedMemory\":%d}", i == 0 ? "" : ",", p.kernels[i].name, a.numRegs,
                 static_cast<int>(a.sharedSizeBytes));
  }
  std::fprintf(f, "},\"reps\":%d", static_cast<int>(p.totals.size()));
  if (!p.ok) std::fprintf(f, ",\"error\":\"%s\"", p.error.c_str());
  std::fprintf(f, ",\"measured\":{\"ops\":[");
  bool first = true;
  for (const Launch& l : p.launches) {
    const auto start = l.seen.find("start");
    if (start == l.seen.end() || !p.ok) continue;
    std::fprintf(f, "%s\n{\"label\":\"%s\"", first ? "" : ",", l.label);
    first = false;
    writeSpread(f, "start", start->second);
    writeSpread(f, "end", l.seen.at("end"));
    for (const auto& one : l.seen) {
      if (one.first == "start" || one.first == "end") continue;
      const double value = one.first == "stale" ? quantile(one.second, 1.0) : quantile(one.second, 0.5);
      std::fprintf(f, ",\"%s\":%.0f", one.first.c_str(), value);
    }
    if (staleRuns(l.seen.at("stale")) > 0) std::fprintf(f, ",\"staleRuns\":%d", staleRuns(l.seen.at("stale")));
    std::fprintf(f, "}");
  }
  for (const Copy& c : p.copies) {
    if (c.starts.empty() || !p.ok) continue;
    std::fprintf(f, "%s\n{\"label\":\"%s\"", first ? "" : ",", c.label);
    first = false;
    writeSpread(f, "start", c.starts);
    writeSpread(f, "end", c.ends);
    std::fprintf(f, "}");
  }
  std::fprintf(f, "],\n\"calls\":[");
  size_t n = 0;
  for (size_t t = 0; t < p.calls.size(); ++t) {
    std::fprintf(f, "%s[", t == 0 ? "" : ",");
    for (size_t i = 0; i < p.calls[t].size(); ++i, ++n) {
      if (p.ok && !p.begins[n].empty())
        std::fprintf(f, "%s[%.0f,%.0f]", i == 0 ? "" : ",", quantile(p.begins[n], 0.5), quantile(p.ends[n], 0.5));
    }
    std::fprintf(f, "]");
  }
  std::fprintf(f, "]");
  if (p.ok && !p.totals.empty()) std::fprintf(f, ",\"hostObservedTotal\":%.0f", quantile(p.totals, 0.5));
  std::fprintf(f, "}}");
}

inline bool startHarness() {
  Harness& h = harness();
  if (cudaGetDeviceCount(&h.count) != cudaSuccess || h.count == 0) {
    std::fprintf(stderr, "no CUDA device\n");
    return false;
  }
  void* made = nullptr;
  CHECK(cudaSetDevice(0));
  CHECK(cudaHostAlloc(&made, MOST_FLAGS * 64, cudaHostAllocPortable | cudaHostAllocMapped));
  h.flags = static_cast<volatile unsigned*>(made);
  CHECK(cudaHostAlloc(&made, 64 * sizeof(u64), cudaHostAllocPortable | cudaHostAllocMapped));
  h.opened = static_cast<volatile u64*>(made);
  h.devices.resize(static_cast<size_t>(h.count));
  h.words.resize(static_cast<size_t>(h.count));
  for (int i = 0; i < h.count; ++i) {
    Device& d = h.devices[static_cast<size_t>(i)];
    CHECK(cudaSetDevice(i));
    CHECK(cudaStreamCreateWithFlags(&d.own, cudaStreamNonBlocking));
    CHECK(cudaHostAlloc(&made, 64, cudaHostAllocPortable | cudaHostAllocMapped));
    d.asked = static_cast<volatile unsigned*>(made);
    CHECK(cudaHostAlloc(&made, 64 * sizeof(u64), cudaHostAllocPortable | cudaHostAllocMapped));
    d.answer = static_cast<volatile u64*>(made);
    CHECK(cudaMalloc(&h.words[static_cast<size_t>(i)], MOST_WORDS * sizeof(unsigned)));
    warmKernel<<<264, 256, 0, d.own>>>(100000000ull);
    CHECK(cudaDeviceSynchronize());
  }
  return !failure().failed;
}
inline void usage() {
  std::fprintf(stderr,
               "runs programs on the GPUs of this machine and writes what it measured\n"
               "  -o FILE    file of measured cases (default: standard output)\n"
               "  -n N       repetitions of each program (default 15)\n"
               "  -t S       seconds for one program at the most (default 20)\n"
               "  -p NAME    only programs whose name contains this\n"
               "  -j NS      makes busy waits of kernels longer by up to so many ns, each another time: shows races\n"
               "  -l         list the programs\n");
}
inline int runPrograms(std::vector<Program>& programs, int argc, char** argv) {
  const char* output = nullptr;
  const char* only = nullptr;
  int repetitions = 15, seconds = 20;
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "-l") {
      for (const Program& p : programs) std::printf("%s (%d %s)\n", p.name, p.needs, p.needs == 1 ? "device" : "devices");
      return 0;
    }
    if (i + 1 >= argc || (a != "-o" && a != "-n" && a != "-p" && a != "-t" && a != "-j")) {
      usage();
      return 2;
    }
    if (a == "-o") output = argv[++i];
    else if (a == "-n") repetitions = std::min(4000, std::max(1, std::atoi(argv[++i])));
    else if (a == "-j") shaking() = std::strtoull(argv[++i], nullptr, 10);
    else if (a == "-t") seconds = std::max(1, std::atoi(argv[++i]));
    else only = argv[++i];
  }
  if (!startHarness()) {
    std::fprintf(stderr, "%s\n", failure().text.c_str());
    return 1;
  }
  FILE* f = output == nullptr ? stdout : std::fopen(output, "w");
  if (f == nullptr) {
    std::perror(output);
    return 1;
  }
  cudaDeviceProp properties{};
  int driver = 0;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  CHECK(cudaDriverGetVersion(&driver));
  char date[32] = "";
  const std::time_t seconds1970 = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&seconds1970, &parts);
  std::strftime(date, sizeof date, "%Y-%m-%d", &parts);
  std::fprintf(f, "{\"schema\":\"griddep/cases@1\",\n\"device\":{\"gpu\":\"%s\",\"devices\":%d,\"sms\":%d,\"driver\":%d,\"runtime\":%d,\"date\":\"%s\"",
               properties.name, harness().count, properties.multiProcessorCount, driver, CUDART_VERSION, date);
  if (FILE* version = std::fopen("/sys/module/nvidia/version", "r")) {
    char text[64] = "";
    if (std::fscanf(version, "%63[0-9.]", text) == 1) std::fprintf(f, ",\"driverVersion\":\"%s\"", text);
    std::fclose(version);
  }
  if (shaking() > 0) std::fprintf(f, ",\"shakenNs\":%llu", shaking());
  std::fprintf(f, "},\n\"cases\":[");
  bool first = true;
  int failures = 0;
  for (Program& p : programs) {
    if (only != nullptr && std::strstr(p.name, only) == nullptr) continue;
    if (p.needs > harness().count) {
      std::fprintf(stderr, "%s: left out: it needs %d devices\n", p.name, p.needs);
      continue;
    }
    measure(p, repetitions, false, now() + seconds * 1000000000ll);
    if (!p.ok) {
      ++failures;
      std::fprintf(stderr, "%s: %s\n", p.name, p.error.c_str());
      continue;
    }
    std::fprintf(f, "%s\n", first ? "" : ",");
    first = false;
    writeCase(f, p);
    std::fflush(f);
  }
  std::fprintf(f, "\n]}\n");
  if (f != stdout) std::fclose(f);
  return failures == 0 ? 0 : 1;
}
`;
