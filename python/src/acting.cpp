#include "python/src/acting.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "ndnf/base/error.h"
#include "ndnf/base/random.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/inputs/shield_source.h"
#include "python/src/arrays.h"
#include "python/src/observation_encoder.h"

namespace ndnf::python {
namespace {

namespace nb = nanobind;

/// A policy that acts: it reads observations as arrays and answers with arrays. In a finite task it is a
/// table; elsewhere its network or program is evaluated.
class Actor {
 public:
  Actor(const Input& policy, const std::optional<Input>& env, const std::optional<Input>& shield,
        const ObservationEncoder* encoder)
      : source_(policy), task_(task_for(env, {&source_})), select_(source_.selection()) {
    if (encoder != nullptr) fit(*encoder);
    if (task_.is_finite()) {
      const auto mask = read_shield_option(shield, task_.model().observations());
      rows_ = source_.in(task_, mask).table;
    } else {
      if (shield) task_.model();  // says that there is none
      policy_ = source_.policy(task_);
    }
  }

  const PolicySource& source() const { return source_; }
  const Task& task() const { return task_; }
  const Selection& selection() const { return select_; }

  /// One row of probabilities per observation.
  std::vector<double> probabilities(const std::vector<LeafArray>& arrays) const {
    std::vector<double> rows(encoder().batch_size(arrays) * actions());
    if (rows_) {
      look_up(arrays, rows);
    } else {
      evaluate(arrays, rows);
    }
    return rows;
  }

  /// `masks`, if not empty, says for each observation and action whether it may be taken.
  std::vector<std::int64_t> act(const std::vector<LeafArray>& arrays, std::span<const bool> masks,
                                const Selection& how) {
    std::vector<double> rows = probabilities(arrays);
    if (!masks.empty()) restrict(rows, masks);
    std::vector<std::int64_t> chosen(rows.size() / actions());
    const std::lock_guard lock(drawing_);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      chosen[i] = pick(std::span(rows).subspan(i * actions(), actions()),
                       masks.empty() ? masks : masks.subspan(i * actions(), actions()), how);
    }
    return chosen;
  }

  void seed(std::uint64_t number) {
    const std::lock_guard lock(drawing_);
    random_ = RandomSequence(RandomStream(number, 0));
  }

  void fit(const ObservationEncoder& encoder) {
    if (encoder.vocabulary()->fingerprint() != task_.vocabulary->fingerprint())
      throw Error(source_.name(), "is for other atoms or actions than these observations have");
    encoder_ = std::make_shared<const ObservationEncoder>(task_.vocabulary, encoder);
  }

  std::size_t actions() const { return task_.vocabulary->action_count(); }

 private:
  const ObservationEncoder& encoder() const {
    if (!encoder_) throw Error(source_.name(), "does not know how its observations are given as arrays");
    return *encoder_;
  }

  void look_up(const std::vector<LeafArray>& arrays, std::span<double> rows) const {
    const ObservationTable& table = task_.model().observations();
    std::vector<std::uint32_t> values(task_.vocabulary->group_count());
    std::vector<float> dense(encoder().dense_size());
    for (std::size_t i = 0; i * actions() < rows.size(); ++i) {
      encoder().encode(arrays, i, values, dense);
      const auto found = table.find(values, dense);
      if (!found) throw Error("obs", fmt::format("row {} is an observation that the task never shows", i));
      const auto row = rows_->row(*found);
      std::copy(row.begin(), row.end(), rows.begin() + static_cast<std::ptrdiff_t>(i * actions()));
    }
  }

  void evaluate(const std::vector<LeafArray>& arrays, std::span<double> rows) const {
    const std::size_t count = rows.size() / actions();
    if (count == 0) return;
    std::vector<std::uint32_t> values(task_.vocabulary->group_count());
    std::vector<float> dense(encoder().dense_size());
    ObservationTable table = ObservationTable::buffer(task_.vocabulary, dense.size(), count);
    std::vector<ObsId> ids;
    for (std::size_t i = 0; i < count; ++i) {
      encoder().encode(arrays, i, values, dense);
      ids.push_back(static_cast<ObsId>(i));
      table.overwrite(ids.back(), values, dense);
    }
    policy_->probabilities(table, ids, rows);
  }

  /// Conditions the rows on allowed actions, as ActionMask::apply does.
  void restrict(std::span<double> rows, std::span<const bool> masks) const {
    if (masks.size() != rows.size())
      throw Error(
          "action_masks", fmt::format("has {} elements", masks.size()),
          fmt::format("there are {} observations and {} actions", rows.size() / actions(), actions()));
    for (std::size_t begin = 0; begin < rows.size(); begin += actions()) {
      double kept = 0;
      bool any = false;
      for (std::size_t a = begin; a < begin + actions(); ++a) {
        rows[a] = masks[a] ? rows[a] : 0;
        kept += rows[a];
        any = any || masks[a];
      }
      if (!any) throw Error("action_masks", fmt::format("row {} allows no action", begin / actions()));
      for (std::size_t a = begin; a < begin + actions() && kept > 0; ++a) rows[a] /= kept;
    }
  }

  std::int64_t pick(std::span<const double> row, std::span<const bool> allowed, const Selection& how) {
    double sum = 0;
    std::size_t best = 0;
    for (std::size_t a = 0; a < row.size(); ++a) {
      sum += row[a];
      if (row[a] > row[best]) best = a;
    }
    if (std::abs(sum - 1) > 1e-6)
      throw Error(source_.name(), sum != 0          ? fmt::format("its probabilities sum to {:.6g}", sum)
                                  : allowed.empty() ? "names no action for an observation"
                                                    : "names no action that action_masks allows");
    if (how.kind == Selection::Kind::kArgmax) return static_cast<std::int64_t>(best);
    if (how.kind == Selection::Kind::kEpsilon) {
      if (random_.uniform() >= how.epsilon) return static_cast<std::int64_t>(best);
      return any_action(row.size(), allowed);
    }
    double left = random_.uniform();
    std::size_t action = 0;
    for (; action + 1 < row.size() && left >= row[action]; ++action) left -= row[action];
    while (row[action] == 0) --action;  // rounding may overshoot the last possible action
    return static_cast<std::int64_t>(action);
  }

  std::int64_t any_action(std::size_t count, std::span<const bool> allowed) {
    if (allowed.empty()) return random_.below(static_cast<std::uint32_t>(count));
    auto rank = random_.below(static_cast<std::uint32_t>(std::count(allowed.begin(), allowed.end(), true)));
    std::size_t action = 0;
    while (!allowed[action] || rank-- > 0) ++action;
    return static_cast<std::int64_t>(action);
  }

  PolicySource source_;
  Task task_;
  Selection select_;
  std::shared_ptr<const ObservationEncoder> encoder_;
  std::optional<PolicyTable> rows_;
  std::unique_ptr<Policy> policy_;
  std::mutex drawing_;
  RandomSequence random_{RandomStream(0, 0)};
};

nb::object probabilities(const Actor& actor, const nb::object& leaves) {
  const auto arrays = leaf_arrays(leaves);
  std::vector<double> rows = actor.probabilities(arrays);
  const std::size_t count = rows.size() / actor.actions();
  return to_array(std::move(rows), {count, actor.actions()});
}

using Masks = nb::ndarray<const bool, nb::c_contig, nb::device::cpu>;

std::vector<std::int64_t> chosen(Actor& actor, const nb::object& leaves,
                                 const std::optional<std::string>& select,
                                 const std::optional<Masks>& masks) {
  const auto arrays = leaf_arrays(leaves);
  const Selection how = select ? Selection::parse("select", *select) : actor.selection();
  return actor.act(arrays, masks ? std::span(masks->data(), masks->size()) : std::span<const bool>(), how);
}

nb::object act(Actor& actor, const nb::object& leaves, const std::optional<std::string>& select,
               const std::optional<Masks>& masks) {
  std::vector<std::int64_t> actions = chosen(actor, leaves, select, masks);
  const std::size_t count = actions.size();
  return to_array(std::move(actions), {count});
}

std::int64_t act_once(Actor& actor, const nb::object& leaves, const std::optional<std::string>& select,
                      const std::optional<Masks>& masks) {
  const auto actions = chosen(actor, leaves, select, masks);
  if (actions.size() != 1) throw Error("obs", "is not one observation");
  return actions[0];
}

}  // namespace

void bind_acting(nb::module_& module) {
  nb::class_<Actor>(module, "Actor", "A policy that acts on arrays.")
      .def(
          "__init__",
          [](Actor* self, const Input& policy, const std::optional<Input>& env,
             const std::optional<Input>& shield) {
            const nb::gil_scoped_release released;
            new (self) Actor(policy, env, shield, nullptr);
          },
          nb::arg("policy"), nb::arg("env").none(), nb::arg("shield").none())
      .def("fit", &Actor::fit, nb::arg("encoder"))
      .def("seed", &Actor::seed, nb::arg("number"))
      .def("probabilities", probabilities, nb::arg("leaves"),
           nb::sig("def probabilities(self, leaves: typing.Sequence[typing.Any]) -> "
                   "numpy.typing.NDArray[numpy.float64]"))
      .def("act", act, nb::arg("leaves"), nb::arg("select").none(), nb::arg("masks").none(),
           nb::sig("def act(self, leaves: typing.Sequence[typing.Any], select: str | None, "
                   "masks: typing.Any) -> numpy.typing.NDArray[numpy.int64]"))
      .def("act_once", act_once, nb::arg("leaves"), nb::arg("select").none(), nb::arg("masks").none(),
           nb::sig("def act_once(self, leaves: typing.Sequence[typing.Any], select: str | None, "
                   "masks: typing.Any) -> int"))
      .def_prop_ro("task", [](const Actor& self) { return self.task(); })
      .def_prop_ro("name", [](const Actor& self) { return self.source().name(); })
      .def_prop_ro("contents",
                   [](const Actor& self) {
                     const std::string& bytes = self.source().bytes();
                     return nb::bytes(bytes.data(), bytes.size());
                   })
      .def_prop_ro("is_network", [](const Actor& self) { return self.source().is_network(); })
      .def_prop_ro("is_program", [](const Actor& self) { return self.source().is_program(); })
      .def_prop_ro("is_asp",
                   [](const Actor& self) {
                     return self.source().is_program() && self.source().syntax() == Syntax::kAsp;
                   })
      .def_prop_ro("select", [](const Actor& self) { return self.selection().to_string(); });
}

}  // namespace ndnf::python
