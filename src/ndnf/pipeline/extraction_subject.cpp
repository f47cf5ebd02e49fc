#include "ndnf/pipeline/extraction_subject.h"

#include "ndnf/base/fingerprint.h"
#include "ndnf/inputs/shield_source.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/verify/cells.h"

namespace ndnf {

Subject subject_of(const PolicySource& source, const Task& task, bool ties) {
  const FiniteModel& model = task.model();
  if (source.is_optimal() && ties) return make_subject(with_ties(model, find_optimum(model)), model);
  if (!source.is_network()) return make_subject(source.in(task).table, model, source.name());
  const Checkpoint& checkpoint = source.checkpoint();
  check_fits(source.name(), checkpoint, model.observations());
  const auto shield = shield_of(source.name(), checkpoint, model.observations());
  const auto mask = allowed_actions(source.name(), model, shield);
  return make_subject(checkpoint, model, mask ? &*mask : nullptr);
}

void compare_kinds(const Subject& subject, const Policy& network, const Policy& program, const Task& task,
                   SampledScope& scope) {
  if (subject.view.comparisons.empty()) return;
  std::vector<LinearComparison> comparisons;
  for (const NumericLiteral& literal : subject.view.comparisons) comparisons.push_back(literal.comparison);
  const auto kinds = listed_kinds(task.vocabulary, std::move(comparisons));
  if (!kinds) return;
  const PolicyTable wanted = tabulate(network, *kinds);
  const PolicyTable found = tabulate(program, *kinds);
  scope.kinds = kinds->size();
  for (ObsId obs = 0; obs < kinds->size(); ++obs) {
    const bool same = found.defined(obs) && found.argmax(obs) == wanted.argmax(obs);
    scope.kind_disagreements += same ? 0 : 1;
  }
}

Original original_of(const PolicySource& source) {
  if (source.is_word()) return {"policy", source.name()};
  return {source.is_network() ? "network" : "policy", fingerprint(source.bytes())};
}

}  // namespace ndnf
