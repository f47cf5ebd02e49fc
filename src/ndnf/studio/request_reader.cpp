#include "ndnf/studio/request_reader.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/inputs/run_folder.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

using Fields = nlohmann::json;

constexpr std::size_t kMostContents = std::size_t{1} << 20;
constexpr std::size_t kMostTexts = 100;

[[noreturn]] void refuse(const char* key, const std::string& expected) {
  throw Error(argument(key), "has the wrong type", "it is " + expected);
}

void require_short(const char* key, const std::string& text) {
  if (text.size() > kMostContents)
    throw Error(argument(key), fmt::format("has {} bytes", text.size()),
                fmt::format("the page takes up to {} MB; copy larger files to the studio's folder",
                            kMostContents >> 20));
}

bool is_count(const Fields& value) {
  return value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
}

bool is_registered(const std::string& spec) {
  const std::string name = spec.substr(0, spec.find(':'));
  const auto& kinds = task_kinds();
  return std::any_of(kinds.begin(), kinds.end(), [&name](const TaskKind& kind) { return kind.name == name; });
}

}  // namespace

void require_own_task(const std::string& spec, const Workspace& workspace) {
  if (is_registered(spec) || workspace.contains(spec)) return;
  throw Error(spec, "is neither a built-in task nor a file of the studio's folder",
              "drop the model file on the page, or copy it to the folder");
}

RequestReader::RequestReader(const Fields& body, const Workspace& workspace)
    : body_(body), workspace_(workspace) {
  if (!body.is_object()) throw Error("", "a request is a JSON object");
}

const Fields* RequestReader::find(const char* key) {
  read_.push_back(key);
  const auto found = body_.find(key);
  return found == body_.end() || found->is_null() ? nullptr : &*found;
}

bool RequestReader::has(std::string_view key) const {
  const auto found = body_.find(key);
  return found != body_.end() && !found->is_null();
}

std::optional<std::string> RequestReader::maybe_text(const char* key) {
  const Fields* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) refuse(key, "a text");
  require_short(key, value->get_ref<const std::string&>());
  return value->get<std::string>();
}

std::string RequestReader::text(const char* key, const std::string& fallback) {
  return maybe_text(key).value_or(fallback);
}

std::string RequestReader::word(const char* key, std::initializer_list<const char*> allowed,
                                const std::string& fallback) {
  const std::string given = text(key, fallback);
  const std::vector<std::string> words(allowed.begin(), allowed.end());
  if (given == fallback || std::find(words.begin(), words.end(), given) != words.end()) return given;
  throw Error(argument(key), "there is no " + given, suggestion(given, words));
}

std::vector<std::string> RequestReader::texts(const char* key) {
  const Fields* value = find(key);
  std::vector<std::string> all;
  if (value == nullptr) return all;
  const bool fits = value->is_array() && value->size() <= kMostTexts;
  if (!fits) refuse(key, fmt::format("a list of at most {} texts", kMostTexts));
  for (const Fields& one : *value) {
    if (!one.is_string()) refuse(key, "a list of texts");
    require_short(key, one.get_ref<const std::string&>());
    all.push_back(one.get<std::string>());
  }
  return all;
}

bool RequestReader::flag(const char* key, bool fallback) {
  const Fields* value = find(key);
  if (value == nullptr) return fallback;
  if (!value->is_boolean()) refuse(key, "true or false");
  return value->get<bool>();
}

std::uint64_t RequestReader::count(const char* key, std::uint64_t fallback, std::uint64_t most) {
  const Fields* value = find(key);
  if (value == nullptr) return fallback;
  if (!is_count(*value) || value->get<std::uint64_t>() > most)
    refuse(key, fmt::format("a whole number from 0 to {}", most));
  return value->get<std::uint64_t>();
}

std::vector<std::uint32_t> RequestReader::numbers(const char* key, std::size_t most) {
  const Fields* value = find(key);
  std::vector<std::uint32_t> all;
  if (value == nullptr) return all;
  if (!value->is_array() || value->size() > most)
    refuse(key, fmt::format("a list of at most {} numbers", most));
  for (const Fields& one : *value) {
    if (!is_count(one) || one.get<std::uint64_t>() > UINT32_MAX) refuse(key, "a list of whole numbers");
    all.push_back(one.get<std::uint32_t>());
  }
  return all;
}

std::optional<double> RequestReader::number(const char* key) {
  const Fields* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number() || !std::isfinite(value->get<double>())) refuse(key, "a number");
  return value->get<double>();
}

std::optional<Selection> RequestReader::selection() {
  const auto given = maybe_text("select");
  if (!given) return std::nullopt;
  return Selection::parse(argument("select"), *given);
}

Input RequestReader::contents_of(const char* key, const Fields& value) const {
  const auto name = value.find("name");
  const auto contents = value.find("contents");
  const bool whole = value.size() == 2 && name != value.end() && contents != value.end() &&
                     name->is_string() && contents->is_string();
  if (!whole) refuse(key, "an object with the texts name and contents");
  require_short(key, contents->get_ref<const std::string&>());
  const std::string file = name->get<std::string>();
  if (file.find('/') != std::string::npos || file.find('.') == std::string::npos)
    throw Error(argument(key), file + " is not the name of a file", "write policy.lp");
  return {file, contents->get<std::string>()};
}

Input RequestReader::input_of(const char* key, const Fields& value) const {
  if (value.is_object()) return contents_of(key, value);
  if (!value.is_string()) refuse(key, "a name, or an object with name and contents");
  const std::string name = value.get<std::string>();
  if (name == "uniform" || name == "optimal") return name;
  return workspace_.readable(name);
}

Input RequestReader::policy(const char* key) {
  const Fields* value = find(key);
  if (value == nullptr) throw Error(argument(key), "is missing");
  Input input = input_of(key, *value);
  require_own_task_of(input);
  return input;
}

void RequestReader::require_own_task_of(const Input& input) const {
  if (has("env") || input.name == "uniform" || input.name == "optimal") return;
  const auto task = PolicySource(input).task();
  if (task) require_own_task(task->spec, workspace_);
}

std::vector<Input> RequestReader::policies(const char* key) {
  const Fields* value = find(key);
  if (value == nullptr) throw Error(argument(key), "is missing");
  std::vector<Input> all;
  if (!value->is_array() || value->empty() || value->size() > kMostTexts) refuse(key, "a list of policies");
  for (const Fields& one : *value) {
    all.push_back(input_of(key, one));
    for (const Input& policy : policies_in({all.back()})) require_own_task_of(policy);
  }
  return all;
}

std::optional<Input> RequestReader::shield() {
  const Fields* value = find("shield");
  if (value == nullptr) return std::nullopt;
  return input_of("shield", *value);
}

std::optional<Input> RequestReader::env() {
  const Fields* value = find("env");
  if (value == nullptr) return std::nullopt;
  if (value->is_object()) return contents_of("env", *value);
  if (!value->is_string()) refuse("env", "a name, or an object with name and contents");
  const std::string spec = value->get<std::string>();
  if (is_registered(spec)) return Input(spec);
  if (spec.starts_with("gym:"))
    throw Error(spec, "Gymnasium's environments need the Python package, whose command has no studio",
                "ndnf.studio(policy) shows the watch view in a notebook");
  if (spec.find('.') != std::string::npos) return Input(workspace_.readable(spec));
  std::vector<std::string> names;
  for (const TaskKind& kind : task_kinds()) names.push_back(kind.name);
  throw Error(argument("env"), "there is no environment " + spec, suggestion(spec, names));
}

void RequestReader::finish() const {
  for (const auto& [key, value] : body_.items()) {
    if (std::find(read_.begin(), read_.end(), key) == read_.end())
      throw Error(key, "there is no such field", suggestion(key, read_));
  }
}

}  // namespace ndnf
