#include "python/src/teachers.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/inputs/policy_file.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/pipeline/import_weights.h"
#include "python/src/arrays.h"
#include "python/src/json_objects.h"
#include "python/src/observation_encoder.h"
#include "python/src/shared_object.h"

namespace ndnf::python {
namespace {

namespace nb = nanobind;
using Rows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// The integer with these atoms; the first if several mean the same.
std::int64_t integer_of(const IntegerPart& part, std::span<const std::uint32_t> values) {
  const std::size_t width = part.groups.size();
  for (std::size_t k = 0; k < part.value_count(); ++k) {
    const auto own = std::span(part.values).subspan(k * width, width);
    bool same = true;
    for (std::size_t g = 0; g < width; ++g) same = same && own[g] == values[part.groups[g]];
    if (same) return part.low + static_cast<std::int64_t>(k);
  }
  throw Error(part.name, "has no value that means these atoms");
}

/// Observations as the arrays that ObservationEncoder::encode reads: (observations, size) each, int64 or
/// float.
nb::list decoded(const ObservationEncoder& encoder, const ObservationTable& table,
                 std::span<const ObsId> ids) {
  nb::list arrays;
  for (const LeafPlan& leaf : encoder.leaves()) {
    std::vector<std::int64_t> integers;
    std::vector<float> numbers;
    for (const ObsId obs : ids) {
      for (const IntegerPart& part : leaf.integers) integers.push_back(integer_of(part, table.values(obs)));
      if (!leaf.integers.empty()) continue;
      const auto dense = table.dense(obs).subspan(leaf.dense_begin, leaf.size);
      numbers.insert(numbers.end(), dense.begin(), dense.end());
    }
    const std::vector<std::size_t> shape{ids.size(), leaf.size};
    arrays.append(leaf.integers.empty() ? to_array(std::move(numbers), shape)
                                        : to_array(std::move(integers), shape));
  }
  return arrays;
}

/// A policy that a Python function computes: it gets arrays of observations and returns (observations,
/// actions).
class PythonPolicy final : public Policy {
 public:
  PythonPolicy(SharedObject function, std::shared_ptr<const ObservationEncoder> encoder)
      : function_(std::move(function)), encoder_(std::move(encoder)) {}

  std::size_t action_count() const override { return encoder_->vocabulary()->action_count(); }

  void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                     std::span<double> rows) const override {
    for (std::size_t begin = 0; begin < ids.size(); begin += kMost) {
      const std::size_t count = std::min(kMost, ids.size() - begin);
      ask(table, ids.subspan(begin, count), rows.subspan(begin * action_count(), count * action_count()));
    }
  }

 private:
  static constexpr std::size_t kMost = 10'000;  // observations at a time

  void ask(const ObservationTable& table, std::span<const ObsId> ids, std::span<double> rows) const {
    const nb::gil_scoped_acquire gil;
    const auto answer = nb::cast<Rows>(function_.get()(decoded(*encoder_, table, ids)));
    if (answer.size() != rows.size()) throw Error("teacher", "gives an answer of another size");
    std::copy_n(answer.data(), rows.size(), rows.begin());
  }

  SharedObject function_;
  std::shared_ptr<const ObservationEncoder> encoder_;
};

std::shared_ptr<const ObservationEncoder> fitting(const ObservationEncoder& encoder, const Task& task) {
  if (encoder.vocabulary()->fingerprint() != task.vocabulary->fingerprint())
    throw Error("teacher", "is for other atoms or actions than the task has");
  return std::make_shared<const ObservationEncoder>(task.vocabulary, encoder);
}

Teacher asking(const nb::object& function, const ObservationEncoder& encoder) {
  const TeacherMaker policy = [shared = SharedObject(function), encoder](const Task& task) {
    return std::make_shared<const PythonPolicy>(shared, fitting(encoder, task));
  };
  return {[policy](const Task& task, const DistillOptions& options, std::uint64_t seed) {
            return lessons_of(*policy(task), task, options, seed);
          },
          policy};
}

/// Observations with their rows, kept without Python.
struct Examples {
  ObservationEncoder encoder;
  std::vector<std::vector<std::uint32_t>> values;
  std::vector<std::vector<float>> dense;
  std::vector<double> rows;  // (examples, actions)

  /// Where an observation is in the table: one of the model, or a new one of a task without a model.
  static ObsId place(ObservationTable* kept, const ObservationTable& table, std::size_t row,
                     std::span<const std::uint32_t> its_values, std::span<const float> its_dense) {
    if (kept != nullptr) return kept->intern(its_values, its_dense);
    const auto found = table.find(its_values, its_dense);
    if (!found) {
      throw Error("teacher", fmt::format("row {} of its observations is one that the task never shows", row));
    }
    return *found;
  }

  /// Several rows for one observation are averaged.
  Lessons lessons(const Task& task) const {
    fitting(encoder, task);
    const std::size_t actions = task.vocabulary->action_count();
    std::shared_ptr<ObservationTable> kept;
    if (!task.is_finite()) kept = std::make_shared<ObservationTable>(task.vocabulary, encoder.dense_size());
    const std::shared_ptr<const ObservationTable> table = kept ? kept : task.model().shared_observations();
    std::map<ObsId, std::vector<std::size_t>> examples;
    for (std::size_t i = 0; i < values.size(); ++i) {
      examples[place(kept.get(), *table, i, values[i], dense[i])].push_back(i);
    }
    std::vector<double> means(table->size() * actions, 0);
    std::vector<ObsId> observations;
    for (const auto& [obs, numbers] : examples) {
      observations.push_back(obs);
      for (std::size_t a = 0; a < actions; ++a) {
        double sum = 0;
        for (const std::size_t i : numbers) sum += rows[i * actions + a];
        means[obs * actions + a] = sum / static_cast<double>(numbers.size());
      }
    }
    return {table, std::move(observations), PolicyTable(actions, std::move(means))};
  }
};

Teacher showing(const ObservationEncoder& encoder, const nb::object& leaves, const Rows& rows) {
  const auto arrays = leaf_arrays(leaves);
  const std::size_t count = encoder.batch_size(arrays);
  const std::size_t actions = encoder.vocabulary()->action_count();
  if (rows.shape(0) != count || rows.shape(1) != actions)
    throw Error("teacher", "has another number of rows than of observations");
  auto examples = std::make_shared<Examples>(Examples{encoder, {}, {}, {}});
  examples->rows.assign(rows.data(), rows.data() + rows.size());
  for (std::size_t i = 0; i < count; ++i) {
    examples->values.emplace_back(encoder.vocabulary()->group_count());
    examples->dense.emplace_back(encoder.dense_size());
    encoder.encode(arrays, i, examples->values.back(), examples->dense.back());
  }
  return {
      [examples](const Task& task, const DistillOptions&, std::uint64_t) { return examples->lessons(task); }};
}

/// What a teacher does in a finite task, as a policy file.
std::string teacher_table(const Teacher& teacher, const Input& env) {
  const nb::gil_scoped_release released;
  const Task task = open_task(env);
  task.model();  // says if there is none
  const Lessons lessons = teacher.lessons(task, DistillOptions{}, 0);
  check_lessons("teacher", lessons);
  return to_policy_file(lessons.teacher, task);
}

nb::object import_from(const Input& weights, const Input& env, const std::optional<std::string>& select,
                       const std::string& model, const std::string& inputs, double delta,
                       const std::string& output) {
  ImportRequest request;
  request.weights = weights;
  request.env = env;
  if (select) request.select = Selection::parse("select", *select);
  request.model = model;
  request.inputs = inputs;
  request.delta = delta;
  request.output = output;
  ImportedWeights imported;
  nlohmann::ordered_json json;
  {
    const nb::gil_scoped_release released;
    imported = import_weights(request);
    json = to_json(imported);
  }
  nb::object result = to_python(json);
  result["contents"] = nb::bytes(imported.bytes.data(), imported.bytes.size());
  return result;
}

}  // namespace

void bind_teachers(nb::module_& module) {
  nb::class_<Teacher>(module, "Teacher", "A policy to be imitated.")
      .def_static("asking", asking, nb::arg("function"), nb::arg("encoder"),
                  "One that is asked: function(arrays of observations) returns rows of probabilities.")
      .def_static("showing", showing, nb::arg("encoder"), nb::arg("leaves"), nb::arg("rows"),
                  "One of which observations and rows are known.",
                  nb::sig("def showing(encoder: ObservationEncoder, leaves: typing.Sequence[typing.Any], "
                          "rows: typing.Any) -> Teacher"));
  module.def("teacher_table", teacher_table, nb::arg("teacher"), nb::arg("env"));
  module.def(
      "import_weights", import_from, nb::arg("weights"), nb::arg("env"), nb::arg("select").none(),
      nb::arg("model"), nb::arg("inputs"), nb::arg("delta"), nb::arg("output"),
      nb::sig("def import_weights(weights: Input, env: Input, select: str | None, model: str, inputs: str, "
              "delta: float, output: str) -> dict[str, typing.Any]"));
}

}  // namespace ndnf::python
