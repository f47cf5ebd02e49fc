// Usage: fuzz_TARGET SEEDS COUNT. Tries every file in the folder SEEDS, then COUNT mutations of them. The
// inputs are the same each time, so failures are reproducible.

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

#include "harness.h"

namespace {

namespace fs = std::filesystem;

constexpr unsigned kSecondsPerInput = 10;
constexpr std::size_t kMaxBytes = 1u << 16;

std::string current;  ///< The input being tried, kept for debugging.

/// Saves the input that caused a crash.
extern "C" void on_failure(int signal) {
  constexpr char kFile[] = "finding.bin";
  if (std::FILE* file = std::fopen(kFile, "wb")) {
    std::fwrite(current.data(), 1, current.size(), file);
    std::fclose(file);
  }
  std::fprintf(stderr, "signal %d; the input is in %s\n", signal, kFile);
  ::_exit(1);
}

std::vector<std::string> read_seeds(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> seeds;
  for (const fs::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return seeds;
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& seeds) : seeds_(seeds) {}

  std::string next() {
    std::string text = seed();
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) edit(text);
    text.resize(std::min(text.size(), kMaxBytes));
    return text;
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_()) % bound; }
  const std::string& seed() { return seeds_[below(seeds_.size())]; }

  /// A piece of a seed.
  std::string piece() {
    const std::string& text = seed();
    if (text.empty()) return "";
    return text.substr(below(text.size()), 1 + below(16));
  }

  void edit(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(below(8) + 1, text.size() - at);
    switch (below(6)) {
      case 0:
        text.erase(at, length);
        return;
      case 1:
        text.insert(at, piece());
        return;
      case 2:
        text.replace(at, length, piece());
        return;
      case 3:
        text.insert(at, 1, static_cast<char>(below(256)));
        return;
      case 4:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        return;
      default: {
        const std::string& other = seed();
        text = text.substr(0, at) + other.substr(std::min(at, other.size()));
      }
    }
  }

  const std::vector<std::string>& seeds_;
  std::mt19937_64 random_{1};
};

void attempt(std::string input) {
  current = std::move(input);
  ::alarm(kSecondsPerInput);
  ndnf::fuzz::run_once(current);
  ::alarm(0);
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t count = 0;
  if (argc != 3 || std::from_chars(argv[2], argv[2] + std::strlen(argv[2]), count).ec != std::errc()) {
    std::fprintf(stderr, "usage: %s SEEDS COUNT\n", argv[0]);
    return 2;
  }
  for (const int signal : {SIGSEGV, SIGABRT, SIGALRM, SIGFPE, SIGBUS}) std::signal(signal, on_failure);
  const std::vector<std::string> seeds = read_seeds(argv[1]);
  ndnf::fuzz::require(!seeds.empty(), "there are no seeds");
  for (const std::string& seed : seeds) attempt(seed);
  Mutator mutator(seeds);
  for (std::size_t i = 0; i < count; ++i) attempt(mutator.next());
  std::printf("%zu seeds and %zu mutations\n", seeds.size(), count);
}
