/** What is taken down of a repetition. */
export const TAKE_DOWN_SOURCE = `
/** What a launch's blocks took down, and the calls' times; all in ns from the zero of the case. */
inline void takeDown(Program& p, i64 finished) {
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
`;
