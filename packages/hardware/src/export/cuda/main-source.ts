/** The command that an exported file becomes: its options, the devices' preparation, the file of cases. */
export const MAIN_SOURCE = String.raw`
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
    measure(p, repetitions, now() + seconds * 1000000000ll);
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
