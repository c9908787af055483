/** How an exported program is repeated. */
export const REPEAT_SOURCE = `
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

inline void measure(Program& p, int repetitions, i64 until) {
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
    if (r >= 0 && !failure().failed) takeDown(p, finished);
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
`;
