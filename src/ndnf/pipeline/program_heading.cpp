#include "ndnf/pipeline/program_heading.h"

#include <cmath>

#include <fmt/format.h>

#include "ndnf/base/plain_text.h"

namespace ndnf {
namespace {

std::string atoms_text(Over over) {
  constexpr const char* kTexts[] = {"the environment's atoms", "its encoder's predicates", "its comparisons"};
  return kTexts[static_cast<std::size_t>(over)];
}

std::string count_text(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string value_text(const Expectation& expected) {
  if (std::isnan(expected.value)) return "none: it may never end";
  return expected.exact() ? fmt::format("{:.7g}", expected.value)
                          : with_error(fmt::format("{:.4g}", expected.value), expected.standard_error);
}

std::string minimal_text(const Extraction& extraction) {
  const Attempt& best = extraction.best();
  if (extraction.sample) return "not claimed: the observations are a sample";
  if (!best.program_class) {
    return fmt::format("not claimed: the program is outside class {}",
                       best.form == Form::kAnnotatedDisjunctions ? 'P' : 'E');
  }
  if (!best.faithful()) return "not claimed: the program is not faithful";
  return fmt::format("{} in {}", proof_text(best), class_text(*best.program_class, best.over));
}

std::string other_forms_text(const std::vector<Attempt>& forms) {
  std::string text;
  for (const Attempt& form : forms) {
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", word(form.form),
                        count_text(form.size.rules, "rule"), proof_text(form));
  }
  return text;
}

std::string method_text(const Extraction& extraction) {
  const Attempt& best = extraction.best();
  std::string text = fmt::format("{} over {}", best.method, atoms_text(best.over));
  if (extraction.as == Syntax::kProbLog) text += fmt::format("; epsilon {}", extraction.epsilon);
  if (extraction.ties == Ties::kFree) text += "; ties free";
  return text;
}

}  // namespace

std::string faithfulness_text(const Attempt& best, Ties ties, std::string_view noun, std::string_view scope) {
  const bool asp = best.form != Form::kAnnotatedDisjunctions;
  const Agreement& reachable = best.reachable;
  const std::string where = fmt::format("in all {} {} observations", reachable.observations, scope);
  if (best.faithful()) {
    if (!asp) return fmt::format("the {}'s probabilities to {:.2g} {}", noun, reachable.max_dp, where);
    if (ties == Ties::kEval) return fmt::format("the {}'s action {}", noun, where);
    return fmt::format("one of the {}'s best actions, ties free, {}", noun, where);
  }
  std::string text = fmt::format("NO, {} of {} {} observations differ", reachable.disagreements,
                                 reachable.observations, scope);
  if (!asp) text += fmt::format(", probabilities by up to {:.2g}", reachable.max_dp);
  if (best.faithful_to == FaithfulTo::kTruthValues) {
    text += "; only to the actor on the truth values of its encoder's outputs";
  }
  return text;
}

std::string return_text(const Expectation& program, std::string_view noun, const Expectation& original) {
  return fmt::format("{} ({} {})", value_text(program), noun, value_text(original));
}

std::string size_text(Syntax as, const ProgramSize& size) {
  const std::string counted = as == Syntax::kAsp
                                  ? count_text(size.action_rules, "rule") + " for actions"
                                  : count_text(size.annotated_disjunctions, "annotated disjunction");
  return fmt::format("{}; {} and {} in all", counted, count_text(size.rules, "rule"),
                     count_text(size.literals, "literal"));
}

std::string class_text(ProgramClass of, Over over) {
  switch (of) {
    case ProgramClass::kE:
      return "class E: exactly-one programs over " + atoms_text(over);
    case ProgramClass::kD:
      return "class D: programs with a default action over " + atoms_text(over);
    case ProgramClass::kL:
      return "class L: ordered lists over " + atoms_text(over);
    case ProgramClass::kP:
      return "class P: at most one annotated disjunction in each observation";
  }
  return "";
}

std::string proof_text(const Attempt& attempt) {
  if (attempt.proved_minimal) return "proved minimal";
  return attempt.lower_bound ? fmt::format("best found, at least {}", *attempt.lower_bound) : "best found";
}

std::vector<std::string> program_heading(const std::string& env, const Original& original,
                                         const Extraction& extraction, const ProgramSize& size,
                                         const std::optional<double>& discount) {
  const Attempt& best = extraction.best();
  std::vector<std::string> lines = {
      "environment: " + env,
      fmt::format("{}: {}", original.noun, original.name),
      "method: " + method_text(extraction),
      "faithful: " + faithfulness_text(best, extraction.ties, original.noun, extraction.scope()),
      "size: " + size_text(extraction.as, size),
      "minimal: " + minimal_text(extraction)};
  if (!extraction.other_forms.empty()) {
    lines.push_back("other forms: " + other_forms_text(extraction.other_forms));
  }
  if (const auto& sample = extraction.sample) {
    lines.push_back(fmt::format("elsewhere: {} of {} fresh observations differ", sample->fresh_disagreements,
                                sample->fresh));
    if (sample->kinds)
      lines.push_back(
          fmt::format("everywhere: {} of {} kinds of observations that the network tells apart differ",
                      sample->kind_disagreements, *sample->kinds));
  }
  if (best.mean_return) {
    lines.push_back((best.mean_return->exact() ? "exact return: " : "sampled return: ") +
                    return_text(*best.mean_return, original.noun, extraction.return_network));
  }
  if (discount) lines.push_back(fmt::format("discount: {}", *discount));
  lines.push_back("");
  return lines;
}

}  // namespace ndnf
