#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ndnf/env/json_file.h"
#include "ndnf/env/task.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// A table of action probabilities in a `.json` file (docs/policy-file.md).
class PolicyFile {
 public:
  /// Throws Error with the place in the file.
  explicit PolicyFile(const Input& input);

  /// The file as it was read.
  const std::string& text() const { return document_->text(); }
  /// The environment that it names.
  const std::optional<std::string>& env() const { return env_; }
  /// Its rows in a task. Observations that it does not mention are undefined ("names no action").
  PolicyTable rows(const Task& task) const;

 private:
  std::shared_ptr<const JsonDocument> document_;
  std::optional<std::string> env_;
};

/// The table as such a file, with one row per observation of a decision state.
std::string to_policy_file(const PolicyTable& policy, const Task& task);

}  // namespace ndnf
