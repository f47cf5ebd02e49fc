#include "ndnf/inputs/run_folder.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>

#include "ndnf/inputs/file_kind.h"
#include "ndnf/system/file.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

/// N of a folder seed-N.
std::optional<std::uint64_t> seed_of(const fs::path& run) {
  constexpr std::string_view kPrefix = "seed-";
  const std::string name = run.filename().string();
  if (!name.starts_with(kPrefix)) return std::nullopt;
  std::uint64_t seed = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + kPrefix.size(), end, seed);
  return error == std::errc() && rest == end ? std::optional(seed) : std::nullopt;
}

std::vector<fs::path> runs_in(const fs::path& folder) {
  std::vector<fs::path> runs;
  std::error_code unreadable;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, unreadable)) {
    if (kind_of(entry.path()) != FileKind::kRun) continue;
    require_own_folder(entry.path());
    runs.push_back(entry.path());
  }
  if (std::any_of(runs.begin(), runs.end(), seed_of))
    std::erase_if(runs, [](const fs::path& run) { return !seed_of(run); });
  std::sort(runs.begin(), runs.end(), [](const fs::path& a, const fs::path& b) {
    return std::tuple(seed_of(a), a) < std::tuple(seed_of(b), b);
  });
  return runs;
}

bool is_folder(const Input& input) {
  if (!input.is_file() || input.name == "uniform" || input.name == "optimal") return false;
  return kind_of(input) == FileKind::kFolder;
}

}  // namespace

std::vector<Input> policies_in(const std::vector<Input>& named) {
  std::vector<Input> policies;
  for (const Input& input : named) {
    const std::vector<fs::path> runs = is_folder(input) ? runs_in(input.name) : std::vector<fs::path>();
    if (runs.empty()) policies.push_back(input);
    policies.insert(policies.end(), runs.begin(), runs.end());
  }
  return policies;
}

}  // namespace ndnf
