#include "ndnf/nodes/actor_view.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/fresh_name.h"

namespace ndnf {
namespace {

std::shared_ptr<const Vocabulary> invented_vocabulary(const Encoder<double>& encoder,
                                                      const Vocabulary& environment) {
  std::vector<AtomGroup> groups;
  for (std::size_t f = 0; f < input_size(encoder, environment); ++f) {
    groups.push_back(AtomGroup::single(fresh_name(predicate_name(encoder, f), {&environment})));
  }
  return std::make_shared<Vocabulary>(std::move(groups), environment.actions());
}

/// The environment's groups and the truth values of comparisons.
ActorView view_of(const Comparisons& comparisons, const ObservationTable& environment) {
  auto table = std::make_shared<ObservationTable>(
      with_comparisons(environment.vocabulary(), comparisons.literals.size()));
  ActorView view;
  std::vector<bool> holds;
  for (ObsId obs = 0; obs < environment.size(); ++obs) {
    std::vector<std::uint32_t> values(environment.values(obs).begin(), environment.values(obs).end());
    truth_values(comparisons, environment, obs, holds);
    values.insert(values.end(), holds.begin(), holds.end());
    view.seen_as.push_back(table->intern(values));
  }
  view.table = std::move(table);
  view.comparisons = comparisons.literals;
  return view;
}

}  // namespace

ActorView own_view(std::shared_ptr<const ObservationTable> environment) {
  ActorView view{environment, std::vector<ObsId>(environment->size())};
  std::iota(view.seen_as.begin(), view.seen_as.end(), ObsId{0});
  return view;
}

ActorView view_of(const Encoder<double>& encoder, std::shared_ptr<const ObservationTable> environment) {
  if (!has_encoder(encoder)) return own_view(std::move(environment));
  if (const Comparisons* comparisons = comparisons_of(encoder)) return view_of(*comparisons, *environment);
  const Matrix<double> f = outputs_on(encoder, *environment);
  auto table = std::make_shared<ObservationTable>(invented_vocabulary(encoder, environment->vocabulary()));
  ActorView view;
  std::vector<std::uint32_t> values(f.cols());
  for (std::size_t k = 0; k < f.rows(); ++k) {
    std::transform(f.row(k), f.row(k) + f.cols(), values.begin(), [](double y) { return y > 0 ? 1u : 0u; });
    view.seen_as.push_back(table->intern(values));
  }
  view.table = std::move(table);
  return view;
}

std::vector<ObsId> seen(const ActorView& view, std::span<const ObsId> observations) {
  std::vector<ObsId> rows;
  for (const ObsId obs : observations) rows.push_back(view.seen_as[obs]);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::shared_ptr<const Vocabulary> with_comparisons(const Vocabulary& environment, std::size_t comparisons) {
  std::vector<AtomGroup> groups;
  for (std::size_t g = 0; g < environment.group_count(); ++g) groups.push_back(environment.group(g));
  for (std::size_t i = 0; i < comparisons; ++i)
    groups.push_back(AtomGroup::single(fresh_name("a_" + std::to_string(i), {&environment})));
  return std::make_shared<Vocabulary>(std::move(groups), environment.actions());
}

Program spelled_out(Program program, const ActorView& view, const Vocabulary& environment) {
  const std::size_t first = environment.atom_count();
  for (Statement& statement : program.statements) {
    Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule == nullptr) continue;
    for (BodyLiteral& literal : rule->body) {
      const auto atom = view.table->vocabulary().find_atom(literal.atom);
      if (!atom || *atom < first) continue;
      NumericLiteral said = view.comparisons[*atom - first];
      said.positive = said.positive == literal.positive;
      literal = comparison_literal(said, environment, literal.place);
    }
  }
  return program;
}

Program with_names(Program program, std::span<const LinearComparison> comparisons,
                   const Vocabulary& environment, const Vocabulary& names) {
  const std::size_t first = environment.atom_count();
  for (Statement& statement : program.statements) {
    Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule == nullptr) continue;
    for (BodyLiteral& literal : rule->body) {
      const auto comparison = comparison_of(literal.atom, environment);
      if (!comparison) continue;
      const auto found = std::find(comparisons.begin(), comparisons.end(), *comparison);
      literal.atom =
          names.atom_name(static_cast<AtomId>(first + static_cast<std::size_t>(found - comparisons.begin())));
    }
  }
  return program;
}

Program over_view(const ActorView& view, const ObservationTable& environment, Program program) {
  if (!view.invented(environment)) return program;
  std::erase_if(program.statements, [&](const Statement& statement) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    return rule != nullptr && view.table->vocabulary().find_atom(rule->heads.front().atom).has_value();
  });
  return program;
}

}  // namespace ndnf
