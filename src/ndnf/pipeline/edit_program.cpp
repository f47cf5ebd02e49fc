#include "ndnf/pipeline/edit_program.h"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/base/unified_diff.h"
#include "ndnf/boxes/solve_limit.h"
#include "ndnf/env/task.h"
#include "ndnf/extract/predicate_definitions.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/nodes/subject.h"
#include "ndnf/pipeline/edit_request.h"
#include "ndnf/pipeline/predicate_condition.h"
#include "ndnf/pipeline/program_text.h"
#include "ndnf/pipeline/text_meaning.h"
#include "ndnf/simulation/simulate.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/name_checker.h"
#include "ndnf/system/file.h"
#include "ndnf/verify/check.h"

namespace ndnf {
namespace {

using Sources = std::vector<const PolicySource*>;

std::string negation(Syntax syntax) { return syntax == Syntax::kAsp ? "not " : "\\+ "; }

std::string to_text(const std::vector<BodyLiteral>& body, Syntax syntax) {
  std::vector<std::string> words;
  for (const BodyLiteral& literal : body)
    words.push_back((literal.positive ? "" : negation(syntax)) + literal.atom);
  return fmt::format("{}", fmt::join(words, ", "));
}

/// The condition of an edit.
struct Condition {
  std::string body;            ///< As written in the program.
  std::string literal;         ///< What holds where it does: the body, or the name that it gets.
  std::string negated;         ///< The negation of that.
  std::string definition{};    ///< The rule for the name, if it has one.
  std::vector<ObsId> where{};  ///< The observations of the task in which it holds.
  bool predicates = false;
  std::size_t observations = 0;  ///< Reachable ones in which it holds, as it was given.
};

/// Makes the changes of one request, one after the other.
class Editor {
 public:
  /// `task` is finite; `simulated` is the task itself if that has no finite model.
  Editor(const EditRequest& request, const PolicySource& source, const ChangedText& changed,
         const PolicySource* run, const Task& task, const Task* simulated)
      : request_(request),
        source_(source),
        changed_(changed),
        run_(run),
        task_(task),
        simulated_(simulated),
        view_(own_view(task.model().shared_observations())),
        reachable_(reachable(task.model()).observations),
        text_(source.bytes()) {}

  ProgramEdit edit() {
    const std::string original = text_;
    const ActorView own = view_;
    const TextMeaning before(read(), task_, own);
    text_ = changed_.text;
    report_mistakes(changed_, source_.name(), [&](const std::string& name, const std::string& text) {
      TextMeaning(ProgramText(name, text, source_.syntax()), task_, own);
    });
    std::optional<Condition> when;
    if (!request_.when.empty()) when = condition();
    if (!request_.forbid.empty()) {
      forbid(when);
    } else if (!request_.action.empty()) {
      override_by(*when);
    }
    if (!request_.prefer.empty()) prefer(when);
    text_ = with_heading(text_, task_.spec, source_.name());
    return result(original, before, when);
  }

 private:
  bool asp() const { return source_.syntax() == Syntax::kAsp; }

  /// The text as it is now. The last one read stays alive.
  const ProgramText& read() { return read_.emplace_back(source_.name(), text_, source_.syntax()); }

  ActionId action(const std::string& name) const {
    const auto found = task_.vocabulary->find_action(name);
    if (!found) throw Error("", unknown_action(name, *task_.vocabulary));
    return *found;
  }

  /// A name that occurs neither in the text nor in the task.
  std::string free_name(std::string_view stem) const {
    for (std::size_t number = 1;; ++number) {
      std::string name = fmt::format("{}_{}", stem, number);
      if (text_.find(name) == std::string::npos && !task_.vocabulary->find_atom(name)) return name;
    }
  }

  /// The condition in the program's language. ASP's `not` is accepted in ProbLog, too.
  std::string parsed_condition(const std::string& name) const {
    const std::string option = argument("when");
    const auto parsed = [&](Syntax syntax) {
      const std::string rule = fmt::format("{} :- {}.", name, request_.when);
      ParsedProgram program = in_the_condition(request_, name.size() + 4,
                                               [&] { return parse_program_text(option, rule, syntax); });
      if (program.program.statements.size() == 1) return program;
      throw Error(option, fmt::format("{} is more than one condition", request_.when),
                  "separate literals by commas");
    };
    if (asp() || request_.when.find("not ") == std::string::npos) {
      parsed(source_.syntax());
      return request_.when;
    }
    const ParsedProgram ground = parsed(Syntax::kAsp);
    if (!ground.open.empty()) parsed(Syntax::kProbLog);  // says what is wrong
    return to_text(std::get<Rule>(ground.program.statements[0].content).body, Syntax::kProbLog);
  }

  Condition condition() {
    const std::string name = free_name(request_.prefer.empty() ? "override" : "prefer");
    Condition when = named_condition(parsed_condition(name), name);
    when.where = where_holds(name, when.body);
    when.observations =
        static_cast<std::size_t>(std::count_if(reachable_.begin(), reachable_.end(), [&](ObsId obs) {
          return std::binary_search(when.where.begin(), when.where.end(), obs);
        }));
    if (when.observations == 0) {
      throw Error(argument("when"), fmt::format("never holds in {}", task_.spec));
    }
    if (run_ != nullptr) write_in_predicates(when, name);
    return when;
  }

  /// A single ground literal needs no name.
  Condition named_condition(const std::string& body, const std::string& name) const {
    const ParsedProgram parsed =
        parse_program_text("", fmt::format("{} :- {}.", name, body), source_.syntax());
    const auto& rule = std::get<Rule>(parsed.program.statements[0].content);
    if (parsed.open.empty() && rule.body.size() == 1) {
      BodyLiteral literal = rule.body[0];
      literal.positive = !literal.positive;
      return {body, body, to_text({literal}, source_.syntax())};
    }
    return {body, name, negation(source_.syntax()) + name, fmt::format("{} :- {}.\n", name, body)};
  }

  /// The observations in which a condition over the program's atoms holds: a rule with it fires. It comes
  /// first, so that places of mistakes are those within the condition.
  std::vector<ObsId> where_holds(const std::string& name, const std::string& body) {
    const std::string head = name + " :- ";
    return in_the_condition(request_, head.size(), [&] {
      const ProgramText& text =
          read_.emplace_back(argument("when"), head + body + ".\n" + text_, source_.syntax());
      TextMeaning meaning(text, task_, view_);
      std::vector<ObsId> found;
      for (ObsId obs = 0; obs < task_.model().observations().size(); ++obs) {
        if (meaning.fired(obs).contains(0)) found.push_back(obs);
      }
      return found;
    });
  }

  /// Rewrites the condition in the encoder's predicates, if the program uses these alone and some conjunction
  /// says it.
  void write_in_predicates(Condition& when, const std::string& name) {
    ActorView invented = view_of(converted<double>(run_->encoder_for(task_.model().observations())),
                                 task_.model().shared_observations());
    if (!decides_by_predicates(source_, task_, invented)) return;
    const std::vector<ObsId> scope = request_.visited ? visited_by(source_, task_, invented) : reachable_;
    const auto literals = in_predicates(when.where, scope, invented);
    if (!literals) return;
    const std::size_t observations = when.observations;
    when = named_condition(to_text(*literals, source_.syntax()), name);
    when.observations = observations;
    when.predicates = true;
    view_ = std::move(invented);
    when.where = where_holds(name, when.body);  // it may hold elsewhere, too, where the program does not come
    define_new_predicates(*literals);
  }

  /// Keeps the program self-contained: defines the predicates of the new condition that it did not use
  /// before.
  void define_new_predicates(const std::vector<BodyLiteral>& when) {
    ProgramText text = read();
    std::set<std::string> defined;
    for (std::size_t s = 0; s < text.parsed().spans.size(); ++s) defined.merge(as_set(text.heads(s)));
    for (const BodyLiteral& literal : when) {
      if (!defined.insert(literal.atom).second) continue;
      const AtomId predicate = *view_.table->vocabulary().find_atom(literal.atom);
      Program definition{source_.syntax(), "", {}, {}};
      definition.statements = definition_of(predicate, view_, task_.model(), reachable_, kSolveLimit);
      text.append(ndnf::to_text(definition));
    }
    text_ = text.text();
  }

  static std::set<std::string> as_set(const std::vector<std::string>& words) {
    return {words.begin(), words.end()};
  }

  /// Adds a literal to each rule that `guilty` finds, until it finds none: a rule that no longer fires may
  /// let another one fire.
  template <class Guilty>
  void guard(const std::string& literal, const Guilty& guilty) {
    std::set<std::size_t> guarded;
    for (;;) {
      const ProgramText& current = read();
      TextMeaning meaning(current, task_, view_);
      std::set<std::size_t> found = guilty(current, meaning);
      std::erase_if(found, [&](std::size_t s) { return guarded.contains(s); });
      if (found.empty()) return;
      ProgramText next = current;
      for (const std::size_t s : found) next.add_literal(s, literal);
      guarded.merge(found);
      text_ = next.text();
    }
  }

  /// Whether a rule of the text is for this action and nothing else, for certain.
  bool takes_only(const ProgramText& text, std::size_t s, const std::string& atom) const {
    const std::vector<std::string> heads = text.heads(s);
    if (heads.size() != 1 || heads[0] != atom) return false;
    if (asp()) return true;
    const std::string rule = text.text().substr(text.parsed().spans[s].begin,
                                                text.parsed().spans[s].last - text.parsed().spans[s].begin);
    return rule.find("::") == std::string::npos;
  }
  static bool decides(const ProgramText& text, std::size_t s) {
    const std::vector<std::string> heads = text.heads(s);
    return std::any_of(heads.begin(), heads.end(),
                       [](const std::string& head) { return action_of(head).has_value(); });
  }

  const std::string& shown(const Condition& when) const {
    return request_.shown_when.empty() ? when.body : request_.shown_when;
  }

  void append_rules(const std::string& comment, const std::string& rules) {
    ProgramText text = read();
    text.append(fmt::format("\n% edit: {}\n{}", comment, rules));
    text_ = text.text();
  }

  bool takes_already(ActionId wanted, const std::vector<ObsId>& where) {
    const PolicyTable rows = TextMeaning(read(), task_, view_).rows();
    return std::all_of(where.begin(), where.end(),
                       [&](ObsId obs) { return rows.defined(obs) && rows.row(obs)[wanted] == 1; });
  }

  /// Where the condition holds, this action and no other. If no rule has to give way, the condition needs no
  /// name; if the program does so already, it stays as it is.
  void override_by(const Condition& when) {
    const ActionId wanted = action(request_.action);
    already_ = takes_already(wanted, when.where);
    if (already_) return;
    const std::string atom = action_atom(request_.action);
    const auto guilty = [&](const ProgramText& text, TextMeaning& meaning) {
      std::set<std::size_t> found;
      for (const ObsId obs : when.where) {
        for (const std::size_t s : meaning.fired(obs)) {
          if (decides(text, s) && !takes_only(text, s, atom)) found.insert(s);
        }
      }
      return found;
    };
    const std::string before = text_;
    const std::string comment = fmt::format("{} when {}", request_.action, shown(when));
    append_rules(comment, fmt::format("{} :- {}.\n", atom, when.body));
    const ProgramText& simple = read();
    TextMeaning meaning(simple, task_, view_);
    if (guilty(simple, meaning).empty()) return;
    text_ = before;
    append_rules(comment, when.definition);
    guard(when.negated, guilty);
    if (takes_already(wanted, when.where)) return;  // by a rule that stands for all other cases
    ProgramText text = read();
    text.append(fmt::format("{} :- {}.\n", atom, when.literal));
    text_ = text.text();
    guard(when.negated, guilty);
  }

  void require_asp(const std::string& option) const {
    if (asp()) return;
    throw Error(
        argument(option), "is for ASP programs",
        fmt::format("in ProbLog, override the action with {} and {}", argument("when"), argument("do")));
  }

  /// The rules for an action that fire in some of these observations.
  static std::set<std::size_t> rules_for(const ProgramText& text, TextMeaning& meaning,
                                         const std::string& atom, const std::vector<ObsId>& where) {
    std::set<std::size_t> found;
    for (const ObsId obs : where) {
      for (const std::size_t s : meaning.fired(obs)) {
        const std::vector<std::string> heads = text.heads(s);
        if (std::find(heads.begin(), heads.end(), atom) != heads.end()) found.insert(s);
      }
    }
    return found;
  }

  std::vector<ObsId> everywhere() const {
    std::vector<ObsId> all(task_.model().observations().size());
    for (ObsId obs = 0; obs < all.size(); ++obs) all[obs] = obs;
    return all;
  }

  /// Not this action where the condition holds; `--do` there instead, where no other action holds.
  void forbid(const std::optional<Condition>& when) {
    require_asp("forbid");
    action(request_.forbid);
    const std::string atom = action_atom(request_.forbid);
    if (!when) {
      ProgramText text = read();
      TextMeaning meaning(text, task_, view_);
      for (std::size_t s = 0; s < text.parsed().spans.size(); ++s) {
        if (takes_only(text, s, atom)) text.remove(s);
      }
      text_ = text.text();
    } else {
      std::string rules = when->definition;
      if (!request_.action.empty()) rules += instead(when->literal);
      append_rules(fmt::format("not {} when {}", request_.forbid, shown(*when)), rules);
      guard(when->negated, [&](const ProgramText& text, TextMeaning& meaning) {
        return rules_for(text, meaning, atom, when->where);
      });
      return;
    }
    if (request_.action.empty()) return;
    append_rules(fmt::format("{} instead of {}", request_.action, request_.forbid), instead(""));
  }

  /// `action(DO) :- condition, not action(OTHER), …` for all other actions.
  std::string instead(const std::string& condition) const {
    action(request_.action);
    std::vector<std::string> body;
    if (!condition.empty()) body.push_back(condition);
    for (const std::string& other : task_.vocabulary->actions()) {
      const bool has_rules = text_.find(action_atom(other)) != std::string::npos;
      if (other != request_.action && other != request_.forbid && has_rules) {
        body.push_back("not " + action_atom(other));
      }
    }
    const std::string head = action_atom(request_.action);
    return body.empty() ? head + ".\n" : fmt::format("{} :- {}.\n", head, fmt::join(body, ", "));
  }

  /// Where both actions hold (and the condition does), the first alone.
  void prefer(const std::optional<Condition>& when) {
    require_asp("prefer");
    const ActionId first = action(request_.prefer);
    const std::string over = action_atom(request_.over);
    action(request_.over);
    std::string literal = "not " + action_atom(request_.prefer);
    if (when) {
      const std::string name = free_name("prefer");
      append_rules(fmt::format("{} rather than {} when {}", request_.prefer, request_.over, shown(*when)),
                   fmt::format("{} :- {}, {}.\n", name, action_atom(request_.prefer), when->body));
      literal = "not " + name;
    }
    const std::vector<ObsId> scope = when ? when->where : everywhere();
    guard(literal, [&](const ProgramText& text, TextMeaning& meaning) {
      const PolicyTable rows = meaning.rows();
      std::vector<ObsId> both;
      std::copy_if(scope.begin(), scope.end(), std::back_inserter(both),
                   [&](ObsId obs) { return rows.row(obs)[first] > 0; });
      return rules_for(text, meaning, over, both);
    });
  }

  Evaluation evaluated(const TextMeaning& meaning, const PolicyTable& rows) const {
    if (simulated_ == nullptr) return evaluate_exactly(task_.model(), select(rows, source_.selection()));
    return evaluate_by_simulation(simulated_->environments, meaning.bound(), source_.selection(),
                                  {request_.episodes, 0, 1, {}, simulated_->discount});
  }

  void add_returns(const Evaluation& before, const Evaluation& after, ProgramEdit& result) const {
    if (before.has_return()) result.return_before = before.mean_return;
    if (after.has_return()) result.return_after = after.mean_return;
    if (simulated_ == nullptr) return;
    result.episodes = request_.episodes;
    result.stderr_before = before.standard_error;
    result.stderr_after = after.standard_error;
  }

  ProgramEdit result(const std::string& original, const TextMeaning& before,
                     const std::optional<Condition>& when) {
    const TextMeaning after(read(), task_, view_);
    const PolicyTable old_rows = before.rows();
    const PolicyTable rows = after.rows();
    ProgramEdit result;
    result.program = source_.name();
    result.env = task_.spec;
    result.already = already_ && request_.remove.empty() && request_.replace.empty() && request_.add.empty();
    if (when) {
      result.condition = when->body;
      result.predicates = when->predicates;
      result.observations = when->observations;
    }
    for (const ObsId obs : reachable_) {
      result.changed += !std::equal(rows.row(obs).begin(), rows.row(obs).end(), old_rows.row(obs).begin());
    }
    for (const ObsId obs : reachable_) result.newly_undefined += old_rows.defined(obs) && !rows.defined(obs);
    result.scope = reachable_.size();
    add_returns(evaluated(before, old_rows), evaluated(after, rows), result);
    const bool own = !view_.invented(task_.model().observations());
    const CheckSubject subject{task_.model(), rows, own ? &after.program() : nullptr,
                               own ? &after.bound() : nullptr};
    result.undefined = check_rows(subject, CheckScope::kReachable)[0].witness;
    if (simulated_ != nullptr) result.undefined = result.undefined.substr(0, result.undefined.rfind(" ("));
    const std::string new_name = request_.output.empty() ? source_.name() : request_.output;
    result.diff = unified_diff(source_.name(), original, new_name, text_);
    result.text = text_;
    result.file = request_.output;
    return result;
  }

  const EditRequest& request_;
  const PolicySource& source_;
  const ChangedText& changed_;
  const PolicySource* run_;
  const Task& task_;
  const Task* simulated_;
  ActorView view_;
  std::vector<ObsId> reachable_;
  std::string text_;
  bool already_ = false;
  std::deque<ProgramText> read_;
};

ProgramEdit edited(const EditRequest& request, const PolicySource& source, const PolicySource* run,
                   const Task& task) {
  const ChangedText changed = with_changed_rules(request, source);
  if (task.is_finite()) return Editor(request, source, changed, run, task, nullptr).edit();
  const EditRequest in_rules = without_units(request, source.syntax(), *task.vocabulary);
  const Task cells = with_cells(task, in_rules, source, changed);
  return Editor(in_rules, source, changed, run, cells, &task).edit();
}

}  // namespace

ProgramEdit edit_program(const EditRequest& given) {
  const EditRequest request = in_one_line(given);
  const PolicySource source = PolicySource::rules(request.program);
  std::optional<PolicySource> run;
  if (request.encoder) run = PolicySource::network(*request.encoder);
  check_request(request, source.syntax());
  const Task task = task_for(request.env, run ? Sources{&source, &*run} : Sources{&source}, request.discount);
  ProgramEdit result =
      source.fitting(task, [&] { return edited(request, source, run ? &*run : nullptr, task); });
  if (!result.file.empty()) write_file(result.file, result.text);
  return result;
}

nlohmann::ordered_json to_json(const ProgramEdit& result) {
  const auto number = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  return {{"program", result.program},
          {"env", result.env},
          {"condition", result.condition},
          {"predicates", result.predicates},
          {"observations", result.observations},
          {"already", result.already},
          {"changed", result.changed},
          {"return_before", number(result.return_before)},
          {"return_after", number(result.return_after)},
          {"exact", !result.episodes},
          {"episodes",
           result.episodes ? nlohmann::ordered_json(*result.episodes) : nlohmann::ordered_json(nullptr)},
          {"stderr_before", result.stderr_before},
          {"stderr_after", result.stderr_after},
          {"exactly_one", result.undefined.empty()},
          {"newly_undefined", result.newly_undefined},
          {"witness", result.undefined},
          {"diff", result.diff},
          {"file", result.file}};
}

}  // namespace ndnf
