#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/base/error.h"
#include "ndnf/mdp/observation_table.h"
#include "ndnf/system/input.h"

namespace ndnf {

class JsonDocument;

/// A value in a JSON document. Accessing it as a wrong type throws an Error naming the file and the path to
/// the value, as in `task.json: states[3].outcomes.left[0].next: …`. Cheap to copy; the document must
/// outlive it.
class JsonNode {
 public:
  JsonNode(const JsonDocument& document, const nlohmann::json& value)
      : document_(&document), value_(&value) {}

  /// Checks that the value is an object whose keys are all among these.
  void check_keys(const std::vector<std::string>& known) const;
  JsonNode at(const std::string& key) const;
  std::optional<JsonNode> find(const std::string& key) const;
  std::vector<std::pair<std::string, JsonNode>> members() const;

  bool is_list() const;
  bool is_null() const;
  std::vector<JsonNode> elements() const;
  std::vector<std::string> texts() const;
  std::vector<double> numbers() const;

  /// A string without control characters, which could not be displayed.
  std::string text() const;
  double number() const;
  bool flag() const;
  std::uint64_t whole_number() const;
  /// An index into `count` things called `noun`, counted from 0.
  std::uint32_t index_of(std::string_view noun, std::size_t count) const;

  [[noreturn]] void fail(const std::string& what, const std::string& hint = "") const;

  /// The result of `make`; an Error thrown by it is rethrown with this location prepended.
  template <class Make>
  auto located(Make make) const {
    try {
      return make();
    } catch (const Error& error) {
      fail(error.what());
    }
  }

 private:
  [[noreturn]] void fail_type(std::string_view wanted) const;

  const JsonDocument* document_;
  const nlohmann::json* value_;
};

/// A JSON file in one of our formats: an object with `format` and `version`. Syntax errors carry line and
/// column; a key that appears twice in one object is an error too.
class JsonDocument {
 public:
  JsonDocument(const Input& input, const std::string& format);
  ~JsonDocument();
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  JsonNode root() const { return {*this, *root_}; }
  /// The file as it was read.
  const std::string& text() const { return text_; }
  /// The file name and, unless the value is the root, its path in this document.
  std::string place(const nlohmann::json& value) const;

 private:
  std::string file_;
  std::string text_;
  std::unique_ptr<nlohmann::json> root_;
};

/// An observation given as the list of its true atoms: one value per group, as ObservationTable stores them.
std::vector<std::uint32_t> read_observation(const JsonNode& atoms, const Vocabulary& vocabulary);
std::string observation_text(const ObservationTable& table, ObsId obs);

/// A quoted string, a number that reads back bit for bit, a list on one line.
std::string json_text(const std::string& text);
std::string json_text(double number);
std::string json_text(const std::vector<std::string>& texts);

}  // namespace ndnf
