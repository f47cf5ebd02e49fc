#include "ndnf/pipeline/program_claims.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/fingerprint.h"
#include "ndnf/extract/judge.h"
#include "ndnf/inputs/run_files.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/pipeline/extraction_subject.h"
#include "ndnf/pipeline/program_heading.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

/// The `key: value` lines of a program's header.
class Header {
 public:
  explicit Header(std::string_view text) {
    while (text.starts_with("% ")) {
      const std::string_view line = text.substr(0, text.find('\n'));
      const std::size_t colon = line.find(": ");
      if (colon != std::string_view::npos) {
        lines_.emplace_back(line.substr(2, colon - 2), line.substr(colon + 2));
      }
      text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
  }

  std::optional<std::string> find(std::string_view key) const {
    const auto line =
        std::find_if(lines_.begin(), lines_.end(), [&](const auto& l) { return l.first == key; });
    return line == lines_.end() ? std::nullopt : std::optional(line->second);
  }
  /// Whether the line `method:` contains this, as in "exact over the environment's atoms; ties free".
  bool method_says(std::string_view what) const {
    return find("method").value_or("").find(what) != std::string::npos;
  }
  /// Of its returns, if it is not the task's own.
  std::optional<double> discount() const {
    const auto text = find("discount");
    if (!text) return std::nullopt;
    double discount = 0;
    std::from_chars(text->data(), text->data() + text->size(), discount);
    return discount;  // 0, which is not allowed, if it is not a number
  }
  double epsilon() const {
    constexpr std::string_view kMark = "; epsilon ";
    const std::string method = find("method").value_or("");
    const std::size_t at = method.find(kMark);
    double epsilon = 0;
    if (at == std::string::npos) return epsilon;
    const char* const begin = method.data() + at + kMark.size();
    if (std::from_chars(begin, method.data() + method.size(), epsilon).ec != std::errc() || !(epsilon >= 0))
      throw Error("", fmt::format("the epsilon of its method, {}, is not a number", begin));
    return epsilon;
  }

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

/// The given policy or else the one that its header names: `optimal`, `uniform`, or the network in the
/// program's folder.
std::optional<PolicySource> find_original(const fs::path& program, const std::string& named,
                                          const std::optional<Input>& against) {
  if (against) return PolicySource(*against);
  if (named == "optimal" || named == "uniform") return PolicySource(named);
  const fs::path file = RunFiles(program.parent_path()).model_file();
  if (!fs::exists(file)) return std::nullopt;
  PolicySource network = PolicySource::network(file);
  if (fingerprint(network.bytes()) != named) return std::nullopt;
  return network;
}

/// The program in the task that it names.
struct ProgramThere {
  Task task;
  TaskPolicy policy;
};

ProgramThere read_there(const PolicySource& source, const std::string& env,
                        const std::optional<double>& discount) {
  Task task = with_discount(make_task(env), discount);
  TaskPolicy policy = source.in(task);
  return {std::move(task), std::move(policy)};
}

/// One statement per written rule: the ground instances of a rule with intervals or variables share its
/// source position and have the same length, so any of them can be counted for it.
Program as_written(Program program) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;
  std::erase_if(program.statements, [&](const Statement& statement) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    return rule != nullptr && !places.emplace(rule->place.line, rule->place.column).second;
  });
  return program;
}

/// Checks the claims one by one.
class ClaimChecker {
 public:
  ClaimChecker(const Header& header, const ProgramThere& there, const std::optional<PolicySource>& original)
      : header_(header), there_(there), program_(*there.policy.program), original_(original) {}

  std::vector<ProgramClaim> check() {
    compare("environment", there_.task.spec);
    if (original_) compare(original_of(*original_).noun, original_of(*original_).name);
    compare("size", size_text(program_.syntax, size_of(as_written(program_), scope())));
    judge();
    return std::move(claims_);
  }

 private:
  const FiniteModel& model() const { return there_.task.model(); }
  Scope scope() const { return {model().shared_observations(), reachable(model()).observations}; }

  void compare(const std::string& name, const std::string& found) {
    const auto said = header_.find(name);
    if (!said) return;
    if (*said == found) {
      claims_.push_back({name, *said, ClaimVerdict::kTrue, ""});
    } else {
      claims_.push_back({name, *said, ClaimVerdict::kFalse, found});
    }
  }
  void pass_over(const std::string& name, const std::string& why) {
    if (const auto said = header_.find(name)) {
      claims_.push_back({name, *said, ClaimVerdict::kNotChecked, why});
    }
  }

  /// Checks the claims that depend on the rows of the program and, if there is one, of the network.
  void judge() {
    const Evaluation evaluation = evaluate_exactly(model(), there_.policy.table);
    if (original_) {
      const Attempt attempt = judged();
      compare("faithful", faithfulness_text(attempt, options().ties, original_of(*original_).noun));
      compare_return(evaluation, return_network_);
    } else {
      pass_over("faithful", "what it was extracted from is neither beside the file nor named");
      compare_return(evaluation, std::nullopt);
    }
    const bool claimed = !header_.find("minimal").value_or("").starts_with("not claimed");
    if (claimed) pass_over("minimal", "tools/check_certificate.py checks it by the certificate");
  }

  ExtractionOptions options() const {
    ExtractionOptions options;
    options.as = program_.syntax;
    if (header_.method_says("ties free")) options.ties = Ties::kFree;
    return options;
  }

  Attempt judged() {
    const Subject subject = subject_of(*original_, there_.task, options().ties == Ties::kFree);
    const ExtractionOptions how = options();
    const Judge judge(subject, model(), how);
    return_network_ = judge.return_network();
    const bool over_predicates = header_.method_says("encoder's predicates");
    const PolicyTable actor = on_environment(subject.view, subject.policy);
    Attempt attempt;
    attempt.program = program_;
    if (how.as == Syntax::kProbLog) attempt.form = Form::kAnnotatedDisjunctions;
    judge.judge(attempt, header_.epsilon(), over_predicates ? &actor : nullptr);
    return attempt;
  }

  /// Without a network only the program's own return is compared.
  void compare_return(const Evaluation& evaluation, const std::optional<Expectation>& network) {
    const auto said = header_.find("exact return");
    if (!said) return;
    if (!evaluation.has_return()) {
      claims_.push_back({"exact return", *said, ClaimVerdict::kFalse, "undefined"});
    } else if (network) {
      compare("exact return",
              return_text(evaluation.expected_return(), original_of(*original_).noun, *network));
    } else {
      const std::string found = fmt::format("{:.7g}", evaluation.mean_return);
      const bool same = said->substr(0, said->find(' ')) == found;
      claims_.push_back(
          {"exact return", *said, same ? ClaimVerdict::kTrue : ClaimVerdict::kFalse, same ? "" : found});
    }
  }

  const Header& header_;
  const ProgramThere& there_;
  const Program& program_;
  const std::optional<PolicySource>& original_;
  Expectation return_network_;
  std::vector<ProgramClaim> claims_;
};

}  // namespace

std::string_view word(ClaimVerdict verdict) {
  constexpr std::string_view kWords[] = {"true", "false", "not checked"};
  return kWords[static_cast<std::size_t>(verdict)];
}

std::vector<ProgramClaim> check_claims(const PolicySource& program, const std::optional<Input>& against) {
  const Header header(program.bytes());
  const auto env = header.find("environment");
  const auto network = header.find("network");
  const auto named = network ? network : header.find("policy");
  if (!env || !named) return {};
  const std::optional<PolicySource> original = find_original(program.name(), *named, against);
  std::optional<ProgramThere> there;
  try {
    there = read_there(program, *env, header.discount());
  } catch (const Error& error) {  // the program may still be valid in the environment of the command
    return {{"environment", *env, ClaimVerdict::kFalse, error.what()}};
  }
  return ClaimChecker(header, *there, original).check();
}

}  // namespace ndnf
