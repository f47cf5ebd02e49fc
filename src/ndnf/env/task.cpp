#include "ndnf/env/task.h"

#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/fingerprint.h"
#include "ndnf/simulation/table_env.h"

namespace ndnf {
namespace {

/// The sampler of a model, made when the first environment needs it: many commands never simulate.
class LazySampler {
 public:
  explicit LazySampler(std::shared_ptr<const FiniteModel> model) : model_(std::move(model)) {}

  std::shared_ptr<const TransitionSampler> get() {
    const std::lock_guard lock(mutex_);
    if (!made_) made_ = std::make_shared<const Owned>(model_);
    return {made_, &made_->sampler};
  }

 private:
  struct Owned {
    explicit Owned(std::shared_ptr<const FiniteModel> its_model)
        : model(std::move(its_model)), sampler(*model) {}
    std::shared_ptr<const FiniteModel> model;
    TransitionSampler sampler;
  };

  std::mutex mutex_;
  std::shared_ptr<const FiniteModel> model_;
  std::shared_ptr<const Owned> made_;
};

}  // namespace

const FiniteModel& Task::model() const& {
  if (finite) return *finite;
  throw Error(spec, "this task has no finite model: " + not_enumerated,
              vocabulary->atom_count() > 0
                  ? "it can be used with train, eval, extract, draw and export"
                  : "it can be used with train, eval, extract, draw and export; rules over "
                    "its numbers also with compile, check, diff, edit and explain");
}

std::shared_ptr<const ObservationTable> Task::observations() const {
  if (finite) return finite->shared_observations();
  return std::make_shared<const ObservationTable>(vocabulary, vocabulary->quantities().size());
}

Task finite_task(FiniteModel model, std::function<std::string(StateId)> draw_text,
                 std::function<Svg(StateId)> draw_svg, std::optional<Layout> layout) {
  Task task;
  task.vocabulary = model.observations().shared_vocabulary();
  task.step_limit = model.step_limit();
  task.discount = model.discount();
  task.finite = std::make_shared<const FiniteModel>(std::move(model));
  task.environments = [sampler = std::make_shared<LazySampler>(task.finite)](std::size_t count,
                                                                             std::uint64_t stream) {
    return std::make_unique<TableEnv>(sampler->get(), count, stream);
  };
  task.draw_text = std::move(draw_text);
  task.draw_svg = std::move(draw_svg);
  if (layout) {
    if (layout->marks.empty()) layout->marks = default_marks(task.vocabulary->actions());
    task.layout = std::make_shared<const Layout>(*std::move(layout));
  }
  return task;
}

Task Task::discounted(double other) const {
  Task task = *this;
  if (finite) {
    task.finite = std::make_shared<const FiniteModel>(finite->discounted(other));
  } else if (!(other > 0 && other <= 1)) {
    throw Error("discount", fmt::format("{} is not allowed", other), "it is above 0 and at most 1");
  }
  task.discount = other;
  return task;
}

std::string Task::fingerprint() const { return source.empty() ? "" : ndnf::fingerprint(source); }

std::string canonical_spec(std::string_view where, const std::string& name,
                           const std::vector<ConfigField>& fields,
                           const std::vector<ConfigAssignment>& assignments) {
  std::map<std::string, ConfigValue> assigned;
  for (const ConfigAssignment& assignment : assignments) {
    const ConfigField& field = find_field(where, fields, assignment);
    assigned[field.key] = field.checked(where, assignment.value);
  }
  std::string spec = name;
  char separator = ':';
  for (const ConfigField& field : fields) {
    const auto found = assigned.find(field.key);
    if (found == assigned.end() || found->second == field.fallback) continue;
    spec += separator + field.key + "=" + to_text(found->second, true);
    separator = ',';
  }
  return spec;
}

}  // namespace ndnf
