#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "ndnf/mdp/policy.h"
#include "ndnf/studio/workspace.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// Reads the fields of a request of the page, each checked: a value of the wrong type, a file outside the
/// workspace or a field that nobody reads is an Error naming the field.
class RequestReader {
 public:
  /// Throws Error if the body is not an object. Both must outlive the reader.
  RequestReader(const nlohmann::json& body, const Workspace& workspace);

  /// All of it, as it was sent.
  const nlohmann::json& body() const { return body_; }
  bool has(std::string_view key) const;
  std::string text(const char* key, const std::string& fallback = "");
  std::optional<std::string> maybe_text(const char* key);
  std::string word(const char* key, std::initializer_list<const char*> allowed, const std::string& fallback);
  std::vector<std::string> texts(const char* key);
  bool flag(const char* key, bool fallback = false);
  std::uint64_t count(const char* key, std::uint64_t fallback, std::uint64_t most);
  std::vector<std::uint32_t> numbers(const char* key, std::size_t most);
  std::optional<double> number(const char* key);
  std::optional<Selection> selection();

  /// A policy: `uniform`, `optimal`, a name in the workspace, or {"name", "contents"}. Throws Error if it
  /// names a task outside of the workspace and the request has no `env`.
  Input policy(const char* key);
  std::vector<Input> policies(const char* key);
  /// A shield, or nothing.
  std::optional<Input> shield();
  /// A task: one of ours with its settings, a model file of the workspace, or {"name", "contents"}.
  std::optional<Input> env();

  /// Throws Error for fields that were not read.
  void finish() const;

 private:
  const nlohmann::json* find(const char* key);
  Input contents_of(const char* key, const nlohmann::json& value) const;
  Input input_of(const char* key, const nlohmann::json& value) const;
  void require_own_task_of(const Input& input) const;

  const nlohmann::json& body_;
  const Workspace& workspace_;
  std::vector<std::string> read_;
};

/// Throws Error if a task is neither one of ours nor a file of the workspace.
void require_own_task(const std::string& spec, const Workspace& workspace);

}  // namespace ndnf
