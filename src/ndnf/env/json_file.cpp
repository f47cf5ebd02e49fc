#include "ndnf/env/json_file.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/nearest.h"
#include "ndnf/base/plain_text.h"
#include "ndnf/system/file.h"

namespace ndnf {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = 256u << 20;
constexpr std::size_t kMaxDepth = 16;
constexpr std::uint64_t kVersion = 1;

/// Builds the document while the parser reads it. The parser's own builder would accept repeated keys.
class Builder final : public nlohmann::json_sax<json> {
 public:
  Builder(const JsonDocument& document, std::string_view text, json& root)
      : document_(document), text_(text), root_(root) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    json& object = *open_.back();
    if (object.contains(name)) {
      JsonNode(document_, object).fail(fmt::format("the key {} appears twice", json_text(name)));
    }
    member_ = &object[name];
    return true;
  }

  bool parse_error(std::size_t read, const std::string&, const json::exception& error) override {
    const std::string_view before = text_.substr(0, std::min(read, text_.size() + 1) - 1);
    const auto line = static_cast<std::uint32_t>(1 + std::count(before.begin(), before.end(), '\n'));
    const auto column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
    const std::string why = reason(error.what());
    throw Error({document_.place(root_), {line, static_cast<std::uint32_t>(column)}},
                fmt::format("this is not JSON ({})", why),
                why == "invalid literal" ? "a value is a number, true, false, null or a quoted string" : "");
  }

 private:
  /// Extracts the readable part of messages such as "… while parsing value - invalid literal; last read:
  /// 'N'".
  static std::string reason(const std::string& message) {
    const std::size_t dash = message.find(" - ");
    const std::size_t begin = dash == std::string::npos ? message.find("] ") + 2 : dash + 3;
    return message.substr(begin, message.find("; last read") - begin);
  }

  json& place(json&& value) {
    if (open_.empty()) return root_ = std::move(value);
    if (!open_.back()->is_array()) return *member_ = std::move(value);
    open_.back()->push_back(std::move(value));
    return open_.back()->back();
  }
  bool add(json value) {
    place(std::move(value));
    return true;
  }
  bool open(json value) {
    if (open_.size() == kMaxDepth) JsonNode(document_, root_).fail("is nested too deeply");
    open_.push_back(&place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const JsonDocument& document_;
  std::string_view text_;
  json& root_;
  json* member_ = nullptr;   // where the value of the key just read goes
  std::vector<json*> open_;  // objects and arrays being read, outermost first
};

/// The path from `from` down to `target`, if it is in there. Computed only when reporting an error, so that
/// reading a valid file need not track paths.
std::optional<std::string> path_to(const json& target, const json& from) {
  if (&target == &from) return "";
  std::size_t index = 0;
  for (auto it = from.begin(); from.is_structured() && it != from.end(); ++it, ++index) {
    if (const auto rest = path_to(target, *it)) {
      return (from.is_array() ? fmt::format("[{}]", index) : "." + it.key()) + *rest;
    }
  }
  return std::nullopt;
}

std::string_view type_of(const json& value) {
  switch (value.type()) {
    case json::value_t::null:
      return "null";
    case json::value_t::object:
      return "an object";
    case json::value_t::array:
      return "a list";
    case json::value_t::string:
      return "a string";
    case json::value_t::boolean:
      return "true or false";
    default:
      return "a number";
  }
}

}  // namespace

void JsonNode::check_keys(const std::vector<std::string>& known) const {
  if (!value_->is_object()) fail_type("an object");
  for (const auto& [key, value] : value_->items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      fail(fmt::format("the key {} is not known", json_text(key)), suggestion(key, known));
    }
  }
}

JsonNode JsonNode::at(const std::string& key) const {
  const auto found = find(key);
  if (!found) fail(fmt::format("the key {} is missing", json_text(key)));
  return *found;
}

std::optional<JsonNode> JsonNode::find(const std::string& key) const {
  if (!value_->is_object()) fail_type("an object");
  const auto found = value_->find(key);
  if (found == value_->end()) return std::nullopt;
  return JsonNode(*document_, *found);
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const {
  if (!value_->is_object()) fail_type("an object");
  std::vector<std::pair<std::string, JsonNode>> all;
  for (const auto& [key, value] : value_->items()) all.emplace_back(key, JsonNode(*document_, value));
  return all;
}

bool JsonNode::is_list() const { return value_->is_array(); }

bool JsonNode::is_null() const { return value_->is_null(); }

std::vector<JsonNode> JsonNode::elements() const {
  if (!value_->is_array()) fail_type("a list");
  std::vector<JsonNode> all;
  all.reserve(value_->size());
  for (const json& element : *value_) all.emplace_back(*document_, element);
  return all;
}

std::vector<std::string> JsonNode::texts() const {
  std::vector<std::string> all;
  for (const JsonNode& element : elements()) all.push_back(element.text());
  return all;
}

std::vector<double> JsonNode::numbers() const {
  std::vector<double> all;
  for (const JsonNode& element : elements()) all.push_back(element.number());
  return all;
}

std::string JsonNode::text() const {
  if (!value_->is_string()) fail_type("a string");
  auto text = value_->get<std::string>();
  const auto breaks = [](char c) { return c == '\t' || c == '\n'; };
  if (find_hidden(text) || std::any_of(text.begin(), text.end(), breaks))
    fail("contains a control character");
  return text;
}

double JsonNode::number() const {
  if (!value_->is_number()) fail_type("a number");
  return value_->get<double>();
}

bool JsonNode::flag() const {
  if (!value_->is_boolean()) fail_type("true or false");
  return value_->get<bool>();
}

std::uint64_t JsonNode::whole_number() const {
  if (!value_->is_number()) fail_type("a whole number");
  if (!value_->is_number_unsigned())
    fail(fmt::format("{} is not a non-negative whole number", value_->dump()));
  return value_->get<std::uint64_t>();
}

std::uint32_t JsonNode::index_of(std::string_view noun, std::size_t count) const {
  const std::uint64_t index = whole_number();
  if (index >= count) {
    fail(fmt::format("there is no {} {}", noun, index),
         count == 0 ? "" : fmt::format("they are numbered 0 to {}", count - 1));
  }
  return static_cast<std::uint32_t>(index);
}

void JsonNode::fail(const std::string& what, const std::string& hint) const {
  throw Error(document_->place(*value_), what, hint);
}

void JsonNode::fail_type(std::string_view wanted) const {
  fail(fmt::format("this is {}", type_of(*value_)), fmt::format("{} is needed here", wanted));
}

JsonDocument::JsonDocument(const Input& input, const std::string& format)
    : file_(input.name), text_(input.read(kMaxBytes)), root_(std::make_unique<json>()) {
  if (text_.find('\0') != std::string::npos)  // which the parser treats as the end
    throw Error(file_, "this is not JSON (it has a zero byte)");
  Builder builder(*this, text_, *root_);
  json::sax_parse(text_, &builder);

  const JsonNode found = root().at("format");
  if (found.text() != format) {
    found.fail(fmt::format("this is \"{}\"", found.text()), format + " is needed here");
  }
  const JsonNode version = root().at("version");
  if (version.whole_number() != kVersion) {
    version.fail(fmt::format("version {} is not known", version.whole_number()),
                 fmt::format("this program reads version {}", kVersion));
  }
}

JsonDocument::~JsonDocument() = default;

std::string JsonDocument::place(const json& value) const {
  const std::string path = path_to(value, *root_).value_or("");
  if (path.empty()) return file_;
  return fmt::format("{}: {}", file_, path.substr(path.front() == '.' ? 1 : 0));
}

std::vector<std::uint32_t> read_observation(const JsonNode& atoms, const Vocabulary& vocabulary) {
  constexpr auto kUnset = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> values;
  for (std::size_t g = 0; g < vocabulary.group_count(); ++g) {
    values.push_back(vocabulary.group(g).one_hot ? kUnset : 0);
  }
  for (const JsonNode& node : atoms.elements()) {
    const auto atom = vocabulary.find_atom(node.text());
    if (!atom) {
      node.fail(fmt::format("there is no atom {}", node.text()),
                suggestion(node.text(), vocabulary.atom_names()));
    }
    const std::size_t g = vocabulary.group_of(*atom);
    const AtomGroup& group = vocabulary.group(g);
    const std::uint32_t value = group.one_hot ? *atom - vocabulary.first_atom(g) : 1;
    if (values[g] == value) node.fail(fmt::format("{} is listed twice", node.text()));
    if (group.one_hot && values[g] != kUnset) {
      node.fail(fmt::format("{} and {} cannot both be true", group.atoms[values[g]], node.text()),
                fmt::format("exactly one atom of the group {} is", group.name));
    }
    values[g] = value;
  }
  for (std::size_t g = 0; g < values.size(); ++g) {
    if (values[g] == kUnset) {
      atoms.fail(fmt::format("no atom of the group {} is true", vocabulary.group(g).name),
                 "exactly one must be");
    }
  }
  return values;
}

std::string observation_text(const ObservationTable& table, ObsId obs) {
  std::vector<std::string> atoms;
  for (const AtomId atom : table.facts(obs)) atoms.push_back(table.vocabulary().atom_name(atom));
  return json_text(atoms);
}

std::string json_text(const std::string& text) { return json(text).dump(); }

std::string json_text(double number) {
  if (number == 0 && std::signbit(number)) return "-0.0";  // "-0" would read back as the integer 0
  return fmt::format("{}", number);
}

std::string json_text(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  quoted.reserve(texts.size());
  for (const std::string& text : texts) quoted.push_back(json_text(text));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

}  // namespace ndnf
