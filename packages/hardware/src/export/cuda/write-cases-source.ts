/** How a measured case is written. */
export const WRITE_CASES_SOURCE = String.raw`
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
`;
