#include "ndnf/extract/extraction.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/extract/judge.h"
#include "ndnf/extract/view_extraction.h"

namespace ndnf {
namespace {

/// The method that needs only the policy's rows.
std::string lossless(Syntax as) { return as == Syntax::kAsp ? "exact" : "classes"; }

bool reads_nodes(const std::string& method) { return method == "threshold" || method == "disentangle"; }

bool has_predicates(const Subject& subject, const FiniteModel& model) {
  return subject.view.invented(model.observations()) && subject.view.comparisons.empty();
}

void require_sense(const Subject& subject, const FiniteModel& model, const ExtractionOptions& options) {
  const bool asp = options.as == Syntax::kAsp;
  const std::string& method = options.method;
  if (method == (asp ? "classes" : "exact")) {
    throw Error(argument("method"), fmt::format("{} gives {}", method, asp ? "ProbLog" : "ASP"),
                fmt::format("add {}, or use {}", argument("as", asp ? "problog" : "asp"),
                            argument("method", asp ? "exact" : "classes")));
  }
  const std::string instead = "use " + argument("method", lossless(options.as));
  if (reads_nodes(method) && !subject.dnf) {
    throw Error(argument("method"),
                fmt::format("{} reads the nodes of a neural DNF, and this policy has none", method), instead);
  }
  const bool predicates = has_predicates(subject, model);
  if (options.over == Over::kPredicates && !predicates) {
    throw Error(argument("over"), "this network has no encoder that invents predicates", "leave it out");
  }
  if (options.over == Over::kAtoms && predicates && reads_nodes(method)) {
    throw Error(argument("over"), fmt::format("{} reads nodes over the encoder's predicates", method),
                instead);
  }
  if (options.rules && (asp || reads_nodes(method))) {
    throw Error(argument("rules"), "only classes, which gives ProbLog, can limit the number", "leave it out");
  }
  if (!asp && options.ties == Ties::kFree) {
    throw Error(argument("ties"), "a distribution has no ties to break",
                "leave it out, or add " + argument("as", "asp"));
  }
  if (!asp && options.form != Form::kExactlyOne) {
    throw Error(argument("form"), "only ASP has several forms",
                "leave it out, or add " + argument("as", "asp"));
  }
  if (reads_nodes(method) && options.form != Form::kExactlyOne) {
    throw Error(argument("form"), fmt::format("{} reads rules as they are in the network", method), instead);
  }
}

/// The methods to try over these atoms, in this order.
std::vector<std::string> methods(const Subject& subject, const ExtractionOptions& options) {
  if (options.method != "auto") return {options.method};
  const bool stochastic_nodes = options.as == Syntax::kProbLog && subject.dnf && subject.dnf->exactly_one;
  if (!subject.dnf || stochastic_nodes || options.rules || options.form != Form::kExactlyOne) {
    return {lossless(options.as)};
  }
  return {"threshold", "disentangle", lossless(options.as)};
}

/// The subjects to extract from, one per kind of atoms: the requested one, or all available.
std::vector<Subject> views(const Subject& subject, const FiniteModel& model,
                           const ExtractionOptions& options) {
  if (!has_predicates(subject, model)) return {subject};
  if (options.over == Over::kPredicates || reads_nodes(options.method)) return {subject};
  if (options.over == Over::kAtoms || options.rules) return {on_atoms(subject, model)};
  return {subject, on_atoms(subject, model)};
}

std::pair<std::size_t, std::size_t> size(const Attempt& attempt) {
  return {attempt.size.rules, attempt.size.literals};
}

/// The smallest program among the most faithful ones, the first of equals. If none is faithful to anything,
/// the one with the fewest differences.
std::size_t choose(const std::vector<Attempt>& attempts) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < attempts.size(); ++k) {
    const Attempt& next = attempts[k];
    const Attempt& last = attempts[best];
    if (!next.program) continue;
    if (!last.program || next.faithful_to > last.faithful_to) {
      best = k;
    } else if (next.faithful_to == last.faithful_to) {
      const bool better = next.faithful_to == FaithfulTo::kNothing
                              ? next.reachable.disagreements <= last.reachable.disagreements
                              : size(next) < size(last);
      if (better) best = k;
    }
  }
  return best;
}

void begin(const ExtractionOptions& options, const std::string& step) {
  if (options.on_step) options.on_step(step);
}

/// Details beside the chosen program: other forms, proofs, the frontier.
void add_details(ViewExtraction& chosen, const ExtractionOptions& options, Extraction& result) {
  begin(options, "other forms");
  for (const Form form : {Form::kExactlyOne, Form::kDefault, Form::kList}) {
    if (!options.bounds || !chosen.searched() || options.as != Syntax::kAsp || form == options.form) continue;
    Attempt other = chosen.attempt("exact", form);
    if (other.program) result.other_forms.push_back(std::move(other));
  }
  begin(options, "frontier");
  result.epsilon = chosen.epsilon();
  result.witnesses = chosen.witnesses();
  result.changed_actions = chosen.changed_actions();
  result.return_discretised = chosen.return_of_actor();
  result.frontier = chosen.frontier();
}

}  // namespace

std::string_view word(Over over) {
  constexpr std::string_view kWords[] = {"atoms", "predicates", "comparisons"};
  return kWords[static_cast<std::size_t>(over)];
}

std::string_view word(Form form) {
  constexpr std::string_view kWords[] = {"exactly-one", "default", "list", "annotated-disjunctions"};
  return kWords[static_cast<std::size_t>(form)];
}

std::string_view word(FaithfulTo what) {
  constexpr std::string_view kWords[] = {"nothing", "truth-values", "network"};
  return kWords[static_cast<std::size_t>(what)];
}

std::string_view word(Ties ties) { return ties == Ties::kEval ? "eval" : "free"; }

Extraction extract(const Subject& subject, const FiniteModel& model, const ExtractionOptions& options) {
  require_sense(subject, model, options);
  const Judge judge(subject, model, options);
  const std::vector<Subject> subjects = views(subject, model, options);
  std::vector<ViewExtraction> extractions;
  extractions.reserve(subjects.size());
  Extraction result;
  result.as = options.as;
  result.ties = options.ties;
  result.return_network = judge.return_network();
  for (const Subject& own : subjects) {
    const std::string over = has_predicates(own, model) ? " over predicates" : " over atoms";
    begin(options, "boxes" + over);
    ViewExtraction& extraction = extractions.emplace_back(own, model, judge, options);
    for (const std::string& method : methods(own, options)) {
      const Form form = options.as == Syntax::kAsp ? options.form : Form::kAnnotatedDisjunctions;
      begin(options, method + over);
      result.attempts.push_back(extraction.attempt(method, form));
    }
  }
  result.chosen = choose(result.attempts);
  add_details(*std::find_if(
                  extractions.begin(), extractions.end(),
                  [&](const ViewExtraction& extraction) { return extraction.over() == result.best().over; }),
              options, result);
  return result;
}

}  // namespace ndnf
