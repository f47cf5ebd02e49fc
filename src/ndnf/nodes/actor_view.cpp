#include "ndnf/nodes/actor_view.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

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

}  // namespace

ActorView own_view(std::shared_ptr<const ObservationTable> environment) {
  ActorView view{environment, std::vector<ObsId>(environment->size())};
  std::iota(view.seen_as.begin(), view.seen_as.end(), ObsId{0});
  return view;
}

ActorView view_of(const Encoder<double>& encoder, std::shared_ptr<const ObservationTable> environment) {
  if (!has_encoder(encoder)) return own_view(std::move(environment));
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

Program over_view(const ActorView& view, const ObservationTable& environment, Program program) {
  if (!view.invented(environment)) return program;
  std::erase_if(program.statements, [&](const Statement& statement) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    return rule != nullptr && view.table->vocabulary().find_atom(rule->heads.front().atom).has_value();
  });
  return program;
}

}  // namespace ndnf
