#include "ndnf/model/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/model/architecture.h"
#include "ndnf/model/tensor_file.h"
#include "ndnf/system/file.h"

namespace ndnf {
namespace {

using nlohmann::ordered_json;
using Shape = std::vector<std::size_t>;

constexpr const char* kFormat = "ndnf-checkpoint";
constexpr const char* kVersion = "3";
/// Files of these versions have no checksum; only the second may have a shield.
constexpr const char* kPlainVersion = "1";
constexpr const char* kShieldVersion = "2";
constexpr const char* kShield = "shield";
constexpr const char* kEnvFingerprint = "env.fingerprint";
constexpr const char* kQuantities = "quantities";
constexpr const char* kThreshold = "extract.threshold";
constexpr const char* kDefaultThreshold = "kl";
constexpr const char* kTable = "q-table";
constexpr const char* kObservations = "observations";
constexpr const char* kValues = "q";

std::string quantities_text(const Vocabulary& vocabulary) {
  const auto finite = [](double number) {
    return std::isfinite(number) ? ordered_json(number) : ordered_json(nullptr);
  };
  ordered_json quantities = ordered_json::array();
  for (const Quantity& quantity : vocabulary.quantities()) {
    const auto& grid = quantity.grid;
    quantities.push_back({{"name", quantity.name},
                          {"unit", quantity.unit},
                          {"low", finite(quantity.low)},
                          {"high", finite(quantity.high)},
                          {"quantum", grid ? ordered_json(grid->quantum) : ordered_json(nullptr)},
                          {"lowest", grid ? ordered_json(grid->lowest) : ordered_json(nullptr)},
                          {"highest", grid ? ordered_json(grid->highest) : ordered_json(nullptr)}});
  }
  return quantities.dump();
}

std::string groups_text(const Vocabulary& vocabulary) {
  ordered_json list = ordered_json::array();
  for (std::size_t g = 0; g < vocabulary.group_count(); ++g) {
    const AtomGroup& group = vocabulary.group(g);
    list.push_back({{"name", group.name}, {"one_hot", group.one_hot}, {"atoms", group.atoms}});
  }
  return list.dump();
}

/// PyTorch's shape of a parameter: outputs first, a vector for a bias, 1×1 for the kernel of a convolution.
Shape stored_shape(const Encoder<float>& encoder, const std::string& name, const Matrix<float>& m) {
  if (name.ends_with(".bias")) return {m.cols()};
  if (is_kernel(encoder, name)) return {m.cols(), m.rows(), 1, 1};
  return {m.cols(), m.rows()};
}

void add_network(const ActorCritic<float>& network, TensorFile& file) {
  visit_parameters(network, [&](const std::string& name, Part, const Matrix<float>& m) {
    std::vector<float> transposed;
    transposed.reserve(m.size());
    for (std::size_t c = 0; c < m.cols(); ++c) {
      for (std::size_t r = 0; r < m.rows(); ++r) transposed.push_back(m(r, c));
    }
    file.tensors.emplace(
        name, Tensor::of(std::span<const float>(transposed), stored_shape(network.encoder, name, m)));
  });
}

template <class T>
Tensor to_tensor(const Matrix<T>& m) {
  return Tensor::of(m.values(), {m.rows(), m.cols()});
}

/// Safe to print: quoted, and without control characters.
std::string quoted(const std::string& text) { return ordered_json(text).dump(); }

/// Reads one checkpoint; every mistake in it becomes an Error that names the file.
class Reader {
 public:
  Reader(std::string_view where, std::string_view bytes)
      : where_(where), size_(bytes.size()), file_(parse_safetensors(where, bytes)) {}

  Checkpoint read() const {
    check_version();
    Checkpoint checkpoint;
    checkpoint.model = choice("model", {"ndnf-mt", "ndnf", "ndnf-eo", "mlp", kTable});
    checkpoint.vocabulary = read_vocabulary();
    checkpoint.env = text("env");
    checkpoint.preset = text("preset");
    checkpoint.select = Selection::parse(fmt::format("{}: eval.select", where_), text("eval.select"));
    checkpoint.extract_as = choice("extract.as", {"asp", "problog"});
    checkpoint.seed = whole_number("seed");
    checkpoint.steps = whole_number("steps");
    if (text("version") != kPlainVersion &&
        (text("version") == kShieldVersion || file_.metadata.contains(kShield)))
      checkpoint.shield = text(kShield);
    if (file_.metadata.contains(kEnvFingerprint)) checkpoint.env_fingerprint = text(kEnvFingerprint);
    if (file_.metadata.contains(kThreshold))
      checkpoint.extract_threshold = choice(kThreshold, {kDefaultThreshold, "actions"});
    if (checkpoint.model == kTable) {
      checkpoint.policy = read_table(*checkpoint.vocabulary);
    } else {
      checkpoint.policy = read_network(checkpoint.model, *checkpoint.vocabulary);
    }
    return checkpoint;
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& hint = "") const {
    throw Error(std::string(where_), what, hint);
  }

  void check_version() const {
    const auto format = file_.metadata.find("format");
    if (format == file_.metadata.end() || format->second != kFormat) {
      fail("holds tensors but no policy", fmt::format("its metadata does not say format {}", kFormat));
    }
    const std::string& version = text("version");
    if (version != kVersion && version != kPlainVersion && version != kShieldVersion) {
      fail(fmt::format("has version {} of the format", quoted(version)),
           fmt::format("this program reads versions {} to {}", kPlainVersion, kVersion));
    }
    if (version == kVersion && !file_.checked) fail("has no checksum in its metadata");
  }

  const std::string& text(const char* key) const {
    const auto found = file_.metadata.find(key);
    if (found == file_.metadata.end()) fail(fmt::format("its metadata has no {}", key));
    return found->second;
  }
  std::string choice(const char* key, const std::vector<std::string>& known) const {
    if (std::find(known.begin(), known.end(), text(key)) == known.end()) {
      fail(fmt::format("its {} is {}", key, quoted(text(key))),
           fmt::format("known: {}", fmt::join(known, ", ")));
    }
    return text(key);
  }
  std::uint64_t whole_number(const char* key) const {
    const std::string& digits = text(key);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size()) {
      fail(fmt::format("its {} is {}", key, quoted(digits)), "a whole number is needed here");
    }
    return number;
  }

  /// None in older files, whose networks read numbers without names.
  std::vector<Quantity> read_quantities() const {
    std::vector<Quantity> quantities;
    if (!file_.metadata.contains(kQuantities)) return quantities;
    for (const ordered_json& quantity : ordered_json::parse(text(kQuantities))) {
      Quantity read{quantity.at("name"), quantity.at("unit")};
      if (!quantity.at("low").is_null()) read.low = quantity.at("low");
      if (!quantity.at("high").is_null()) read.high = quantity.at("high");
      if (!quantity.at("quantum").is_null())
        read.grid = Grid{quantity.at("quantum"), quantity.at("lowest"), quantity.at("highest")};
      if (read.grid && !(read.grid->quantum > 0 && read.grid->lowest < read.grid->highest))
        fail(fmt::format("the grid of its quantity {} is empty", read.name));
      quantities.push_back(std::move(read));
    }
    return quantities;
  }

  std::shared_ptr<const Vocabulary> read_vocabulary() const {
    const std::string& atoms = text("atoms");
    const std::string& actions = text("actions");
    std::shared_ptr<const Vocabulary> vocabulary;
    try {
      std::vector<AtomGroup> groups;
      for (const ordered_json& group : ordered_json::parse(atoms)) {
        groups.push_back({group.at("name"), group.at("one_hot"), group.at("atoms")});
      }
      vocabulary = std::make_shared<Vocabulary>(
          std::move(groups), ordered_json::parse(actions).get<std::vector<std::string>>(), read_quantities());
    } catch (const ordered_json::exception&) {
      fail("its atoms and actions are not lists of names");
    } catch (const Error& error) {
      fail(error.what());
    }
    if (vocabulary->fingerprint() != text("fingerprint")) {
      fail("its atoms and actions do not match its fingerprint");
    }
    return vocabulary;
  }

  /// The tensor's finite numbers, row by row.
  template <class T>
  std::vector<T> numbers(const std::string& name, const Shape& shape) const {
    const Tensor& tensor = file_.at(where_, name);
    if (tensor.shape != shape) {
      fail(fmt::format("the tensor {} has the shape [{}]", name, fmt::join(tensor.shape, ", ")),
           fmt::format("[{}] is needed here", fmt::join(shape, ", ")));
    }
    std::vector<T> values = tensor.as<T>(fmt::format("{}: {}", where_, name));
    const auto finite = [](T x) { return std::isfinite(static_cast<double>(x)); };
    if (!std::all_of(values.begin(), values.end(), finite)) {
      fail(fmt::format("the tensor {} holds a number that is not finite", name));
    }
    return values;
  }
  template <class T>
  Matrix<T> matrix(const std::string& name, std::size_t rows, std::size_t cols) const {
    const std::vector<T> values = numbers<T>(name, {rows, cols});
    Matrix<T> result(rows, cols);
    std::copy(values.begin(), values.end(), result.values().begin());
    return result;
  }
  void require_only(const std::set<std::string>& names) const {
    for (const auto& [name, tensor] : file_.tensors) {
      if (names.count(name) == 0) {
        fail(fmt::format("the tensor {} is not part of a {} policy", quoted(name), text("model")));
      }
    }
  }

  ActorCritic<float> read_network(const std::string& model, const Vocabulary& vocabulary) const {
    ActorCritic<float> network = parse_architecture(where_, text("architecture"), model, vocabulary, size_);
    std::set<std::string> names;
    visit_parameters(network, [&](const std::string& name, Part, Matrix<float>& m) {
      names.insert(name);
      const std::vector<float> transposed = numbers<float>(name, stored_shape(network.encoder, name, m));
      for (std::size_t r = 0; r < m.rows(); ++r) {
        for (std::size_t c = 0; c < m.cols(); ++c) m(r, c) = transposed[c * m.rows() + r];
      }
    });
    require_only(names);
    return network;
  }

  QTable read_table(const Vocabulary& vocabulary) const {
    require_only({kObservations, kValues});
    const Shape& shape = file_.at(where_, kValues).shape;
    const std::size_t rows = shape.empty() ? 0 : shape[0];
    QTable table{matrix<std::uint32_t>(kObservations, rows, vocabulary.group_count()),
                 matrix<double>(kValues, rows, vocabulary.action_count())};
    check_observations(table, vocabulary);
    return table;
  }

  void check_observations(const QTable& table, const Vocabulary& vocabulary) const {
    std::set<std::vector<std::uint32_t>> seen;
    for (std::size_t r = 0; r < table.observations.rows(); ++r) {
      const std::uint32_t* values = table.observations.row(r);
      for (std::size_t g = 0; g < vocabulary.group_count(); ++g) {
        if (values[g] >= vocabulary.group(g).value_count()) {
          fail(fmt::format("row {} of its observations gives {} the value {}", r, vocabulary.group(g).name,
                           values[g]),
               fmt::format("it has {} values, counted from 0", vocabulary.group(g).value_count()));
        }
      }
      if (!seen.emplace(values, values + vocabulary.group_count()).second) {
        fail(fmt::format("row {} of its observations appears twice", r));
      }
    }
  }

  std::string_view where_;
  std::size_t size_;
  TensorFile file_;
};

/// "its atom 3 is in_s_3, the environment's hand(3)", for the first names that differ; "" if there are none.
std::string first_difference(std::string_view kind, const std::vector<std::string>& ours,
                             const std::vector<std::string>& theirs) {
  const auto name = [](const std::vector<std::string>& names, std::size_t i) {
    return i < names.size() ? names[i] : std::string("none");
  };
  for (std::size_t i = 0; i < std::max(ours.size(), theirs.size()); ++i) {
    if (name(ours, i) == name(theirs, i)) continue;
    return fmt::format("its {} {} is {}, the environment's {}", kind, i, name(ours, i), name(theirs, i));
  }
  return "";
}

std::string first_difference(const Vocabulary& ours, const Vocabulary& theirs) {
  std::string difference = first_difference("atom", ours.atom_names(), theirs.atom_names());
  if (difference.empty()) difference = first_difference("action", ours.actions(), theirs.actions());
  if (difference.empty() && ours.fingerprint(false) == theirs.fingerprint(false))
    return "its quantities have other names or steps";
  return difference.empty() ? "the same atoms are grouped differently" : difference;
}

}  // namespace

std::string to_bytes(const Checkpoint& checkpoint) {
  const Vocabulary& vocabulary = *checkpoint.vocabulary;
  TensorFile file;
  file.metadata = {{"format", kFormat},
                   {"version", kVersion},
                   {"model", checkpoint.model},
                   {"env", checkpoint.env},
                   {"preset", checkpoint.preset},
                   {"eval.select", checkpoint.select.to_string()},
                   {"extract.as", checkpoint.extract_as},
                   {"seed", std::to_string(checkpoint.seed)},
                   {"steps", std::to_string(checkpoint.steps)},
                   {"atoms", groups_text(vocabulary)},
                   {"actions", ordered_json(vocabulary.actions()).dump()},
                   {"fingerprint", vocabulary.fingerprint()}};
  if (checkpoint.extract_threshold != kDefaultThreshold)
    file.metadata[kThreshold] = checkpoint.extract_threshold;
  if (!checkpoint.shield.empty()) file.metadata[kShield] = checkpoint.shield;
  if (!checkpoint.env_fingerprint.empty()) file.metadata[kEnvFingerprint] = checkpoint.env_fingerprint;
  if (!vocabulary.quantities().empty()) file.metadata[kQuantities] = quantities_text(vocabulary);
  if (const auto* table = std::get_if<QTable>(&checkpoint.policy)) {
    file.tensors.emplace(kObservations, to_tensor(table->observations));
    file.tensors.emplace(kValues, to_tensor(table->q));
  } else {
    const auto& network = std::get<ActorCritic<float>>(checkpoint.policy);
    file.metadata.emplace("architecture", to_architecture(network));
    add_network(network, file);
  }
  return to_checked_safetensors(std::move(file));
}

Checkpoint parse_checkpoint(std::string_view where, std::string_view bytes) {
  return Reader(where, bytes).read();
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  return parse_checkpoint(path.string(), read_file(path));
}

void check_fits(std::string_view where, const Checkpoint& checkpoint, const ObservationTable& table) {
  const auto fail = [&](const std::string& difference) {
    throw Error(std::string(where), fmt::format("was made for another environment, {}", checkpoint.env),
                difference);
  };
  const bool named = !checkpoint.vocabulary->quantities().empty();  // not in older files
  if (checkpoint.vocabulary->fingerprint() != table.vocabulary().fingerprint(named)) {
    fail(first_difference(*checkpoint.vocabulary, table.vocabulary()));
  }
  const auto* network = std::get_if<ActorCritic<float>>(&checkpoint.policy);
  if (network == nullptr) return;
  if (const std::string difference = misfit(network->encoder, table); !difference.empty()) fail(difference);
}

std::unique_ptr<Policy> policy_of(const Checkpoint& checkpoint, const ActionMask* mask) {
  if (const auto* table = std::get_if<QTable>(&checkpoint.policy)) {
    return std::make_unique<QTablePolicy>(*table, mask);
  }
  const auto& network = std::get<ActorCritic<float>>(checkpoint.policy);
  return std::make_unique<ActorPolicy>(converted<double>(network), checkpoint.vocabulary->action_count(),
                                       mask);
}

}  // namespace ndnf
