// No recorded reference data is unused: some test mentions every key of every golden file.
#include <map>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "project/project_files.h"

namespace ndnf::project {
namespace {

using ::testing::IsEmpty;

void collect_keys(const nlohmann::json& node, std::set<std::string>& keys) {
  for (auto item = node.begin(); node.is_structured() && item != node.end(); ++item) {
    if (node.is_object()) keys.insert(item.key());
    collect_keys(*item, keys);
  }
}

/// Keys that are not results.
const std::map<std::string, std::string> kNotCompared = {
    {"note", "prose"},
    {"batch", "the size of what is compared"},
    {"T", "the size of what is compared"},
    {"scale", "how the numbers were drawn"},
    {"float64_eps", "where the recording clamps, see the tolerance there"},
    {"n_float_margin", "always null"},
    {"direction", "no part of what the agent sees"},
    {"zero_output", "inputs on a node's border, where either answer will do"},
    {"old_approx_kl", "an estimate that nobody uses"},
    {"entropy_per_sample", "their mean is compared, and its gradient"},
    {"pg_loss_clipped_per_sample", "their mean is compared, and its gradient"},
    {"pg_loss_per_sample", "their mean is compared, and its gradient"},
    {"pg_loss_unclipped_per_sample", "their mean is compared, and its gradient"},
    {"v_loss_clipped_per_sample", "their mean is compared, and its gradient"},
    {"v_loss_max_per_sample", "their mean is compared, and its gradient"},
    {"v_loss_unclipped_per_sample", "their mean is compared, and its gradient"},
    {"positive_disentangle_j_minus_limit", "an option of the recording that we do not have"},
    {"negative_disentangle_j_minus_limit", "an option of the recording that we do not have"},
    {"upper_bound", "the grid of thresholds: ours are the weights themselves"},
    {"n_taus", "the grid of thresholds: ours are the weights themselves"},
    {"first_taus", "the grid of thresholds: ours are the weights themselves"},
    {"last_tau", "the grid of thresholds: ours are the weights themselves"},
    {"Wd_thresholded", "read as the layer's name with _thresholded behind it"},
};

TEST(Golden, EveryKeyIsReadByATest) {
  std::string sources;
  for (const auto& file : files("tests", {".cpp", ".h"})) {
    if (file.filename() != "golden_test.cpp") sources += read(file);
  }
  std::set<std::string> unread;
  std::set<std::string> excused;
  for (const auto& file : files("tests/golden", {".json"})) {
    std::set<std::string> keys;
    collect_keys(nlohmann::json::parse(read(file)), keys);
    for (const std::string& key : keys) {
      if (kNotCompared.contains(key)) excused.insert(key);
      const bool mentioned = sources.find('"' + key + '"') != std::string::npos;
      if (!mentioned && !kNotCompared.contains(key)) unread.insert(file.filename().string() + ": " + key);
    }
  }
  EXPECT_THAT(unread, IsEmpty());
  EXPECT_EQ(excused.size(), kNotCompared.size());
}

}  // namespace
}  // namespace ndnf::project
