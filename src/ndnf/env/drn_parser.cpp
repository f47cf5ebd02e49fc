#include "ndnf/env/drn_parser.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlank);
  return begin == text.npos ? std::string_view()
                            : text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

/// A text by lines, and what is left of the current one.
class Lines {
 public:
  Lines(const std::string& name, std::string_view text) : name_(name), rest_(text) {}

  /// Whether there is another line; it becomes the current one.
  bool next() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return true;
  }

  std::string_view line() const { return line_; }
  bool empty() const { return line_.empty(); }

  /// Takes this text if the line starts with it.
  bool take(std::string_view start) {
    if (!line_.starts_with(start)) return false;
    line_ = trimmed(line_.substr(start.size()));
    return true;
  }
  /// Takes everything before the next of these characters, or the whole line.
  std::string_view take_until(std::string_view characters) {
    const std::string_view part = line_.substr(0, std::min(line_.find_first_of(characters), line_.size()));
    line_ = trimmed(line_.substr(part.size()));
    return trimmed(part);
  }
  std::string_view take_word() { return take_until(" \t"); }

  template <class Number>
  Number take_whole(std::string_view noun, std::string_view until) {
    const std::string_view text = take_until(until);
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
      fail(fmt::format("\"{}\" is not {}", text, noun));
    return number;
  }

  /// A decimal number, or a fraction such as 1/3, as exact models have them.
  double real(std::string_view text) const {
    const std::size_t slash = text.find('/');
    if (slash == text.npos) return decimal(text);
    return decimal(trimmed(text.substr(0, slash))) / decimal(trimmed(text.substr(slash + 1)));
  }

  [[noreturn]] void fail(const std::string& what, const std::string& hint = "") const {
    throw Error({name_, {number_, 0}}, what, hint);
  }

 private:
  double decimal(std::string_view text) const {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) return number;
    fail(fmt::format("\"{}\" is not a number", text),
         text.starts_with('[') ? "models with intervals are not supported" : "");
  }

  const std::string& name_;
  std::string_view rest_;
  std::string_view line_;
  std::uint32_t number_ = 0;
};

/// Splits at a character and calls `each` with every part.
template <class Each>
void split(std::string_view text, char separator, Each each) {
  for (bool more = !text.empty(); more;) {
    const std::size_t end = text.find(separator);
    more = end != text.npos;
    each(trimmed(text.substr(0, end)));
    if (more) text.remove_prefix(end + 1);
  }
}

void set_variable(Lines& lines, StateVariables& variables, StateId state, std::string_view name,
                  std::string_view value) {
  const bool boolean = value == "true" || value == "false";
  std::int64_t number = value == "true" ? 1 : 0;
  if (!boolean) {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size()) {
      lines.fail(fmt::format("the value {} of {} is not a whole number", value, name),
                 "variables of states are whole numbers, true or false");
    }
  }
  if (const std::string mistake = variables.set(state, name, number, boolean); !mistake.empty())
    lines.fail(mistake);
}

class DrnParser {
 public:
  DrnParser(const std::string& name, std::string_view text) : lines_(name, text) {}

  DrnModel parse() {
    parse_header();
    while (lines_.next()) parse_line();
    for (const auto& [state, position] : unnamed_) {
      if (position < names_.size() && !names_[position].empty())
        set_variable(lines_, model_.variables, state, names_[position], "true");
    }
    if (model_.state_count() != states_) {
      lines_.fail(fmt::format("there are {} states", model_.state_count()),
                  fmt::format("@nr_states says {}", states_));
    }
    return std::move(model_);
  }

 private:
  void parse_header() {
    while (lines_.next()) {
      if (lines_.empty() || comment()) continue;
      if (lines_.take("@type:")) {
        parse_type();
      } else if (lines_.take("@value_type:")) {
        // double and rational are told apart number by number
      } else if (lines_.take("@parameters")) {
        if (lines_.next() && !lines_.empty())
          lines_.fail("the model has parameters", "give them values before the file is written");
      } else if (lines_.take("@placeholders")) {
        lines_.fail("the model has placeholders", "parametric models are not supported");
      } else if (lines_.take("@reward_models")) {
        if (lines_.next()) {
          while (!lines_.empty()) model_.reward_models.emplace_back(lines_.take_word());
        }
      } else if (lines_.take("@nr_states")) {
        states_ = lines_.next() ? lines_.take_whole<std::uint32_t>("a number of states", " ") : 0;
      } else if (lines_.take("@nr_choices")) {
        lines_.next();  // the choices are counted below
      } else if (lines_.line() == "@model") {
        if (model_.type.empty()) lines_.fail("@type is missing", "a DRN file begins with its type");
        return;
      } else {
        lines_.fail(fmt::format("\"{}\" is not known", lines_.line()), "a DRN file is expected");
      }
    }
    lines_.fail("has no @model", "a DRN file is expected");
  }

  void parse_type() {
    model_.type = lines_.take_word();
    if (model_.type == "DTMC" || model_.type == "MDP" || model_.type == "POMDP") return;
    lines_.fail(fmt::format("the model is of type {}", model_.type), "a task is a DTMC, MDP or POMDP");
  }

  void parse_line() {
    if (lines_.empty() || comment()) return;
    if (lines_.take("state ")) {
      parse_state();
    } else if (model_.choice_end.empty()) {
      lines_.fail("a state is expected here");
    } else if (lines_.take("action ")) {
      parse_choice();
    } else {
      parse_transition();
    }
  }

  /// Comments are ignored but for three kinds: a step limit and a discount of ours, and Storm's values of a
  /// state's variables.
  bool comment() {
    if (!lines_.take("//")) return false;
    if (lines_.take("Episodes stop after ")) {
      model_.step_limit = lines_.take_whole<std::uint32_t>("a number of steps", " ");
    } else if (lines_.take("Rewards are discounted by ")) {
      model_.discount = lines_.real(lines_.take_until(" "));
    } else if (!model_.choice_end.empty() && lines_.take("[")) {
      const auto state = static_cast<StateId>(model_.state_count() - 1);
      std::size_t position = 0;
      split(lines_.take_until("]"), '&',
            [&](std::string_view part) { parse_value(state, position++, part); });
    }
    return true;
  }

  /// x=3, b or !b. Storm 1.10 writes nothing for a variable that is true: its name is the one that stands at
  /// this position elsewhere.
  void parse_value(StateId state, std::size_t position, std::string_view part) {
    if (part.empty()) {
      unnamed_.push_back({state, position});
      return;
    }
    const std::size_t equals = part.find('=');
    const bool negated = part.starts_with('!');
    const std::string_view name = trimmed(part.substr(negated ? 1 : 0, equals));
    std::string_view value = negated ? "false" : "true";
    if (equals != part.npos) value = trimmed(part.substr(equals + 1));
    if (names_.size() <= position) names_.resize(position + 1);
    names_[position] = name;
    set_variable(lines_, model_.variables, state, name, value);
  }

  void parse_state() {
    const auto state = lines_.take_whole<std::uint32_t>("the number of a state", " \t[{!");
    if (state != model_.state_count())
      lines_.fail(fmt::format("this is state {}", state),
                  fmt::format("state {} is next", model_.state_count()));
    if (lines_.take("!")) lines_.fail("the state has an exit rate", "time is discrete in tasks");
    if (lines_.take("{")) {
      model_.observation.push_back(lines_.take_whole<std::uint32_t>("the number of an observation", "}"));
      lines_.take("}");
    }
    if (model_.type == "POMDP" && model_.observation.size() != state + 1u)
      lines_.fail("the state has no observation", "each state of a POMDP has one, as in {0}");
    if (!model_.observation.empty() && model_.observation.size() != state + 1u)
      lines_.fail("some states have an observation and some have none", "all have one, as in {0}, or none");
    model_.choice_end.push_back(static_cast<std::uint32_t>(model_.choices.size()));
    parse_rewards(model_.state_rewards, model_.state_count());
    while (!lines_.empty()) {
      const bool quoted = lines_.take("\"");
      const std::string label(quoted ? lines_.take_until("\"") : lines_.take_word());
      if (quoted) lines_.take("\"");
      auto& members = model_.labels[label];
      if (members.empty() || members.back() != state) members.push_back(state);
    }
  }

  void parse_choice() {
    const std::string action(lines_.take_until(" \t["));
    const auto [at, added] =
        action_index_.try_emplace(action, static_cast<std::uint32_t>(model_.actions.size()));
    if (added) model_.actions.push_back(action);
    model_.choices.push_back({at->second, static_cast<std::uint32_t>(model_.transitions.size())});
    model_.choice_end.back() = static_cast<std::uint32_t>(model_.choices.size());
    parse_rewards(model_.choice_rewards, model_.choices.size());
  }

  /// [1, 0.5]: one number per reward model; nothing means zeros. Makes `rewards` hold `rows` rows.
  void parse_rewards(std::vector<double>& rewards, std::size_t rows) {
    const std::size_t models = model_.reward_models.size();
    if (lines_.take("[")) {
      split(lines_.take_until("]"), ',',
            [&](std::string_view part) { rewards.push_back(lines_.real(part)); });
      if (!lines_.take("]")) lines_.fail("] is missing");
      if (rewards.size() != rows * models) {
        lines_.fail("the number of rewards is wrong",
                    fmt::format("@reward_models lists {} reward model{}", models, models == 1 ? "" : "s"));
      }
    }
    rewards.resize(rows * models, 0);
  }

  void parse_transition() {
    DrnModel::Transition transition;
    transition.next = lines_.take_whole<std::uint32_t>("the number of a state", ":");
    if (!lines_.take(":")) lines_.fail("a transition is expected here, as in 3 : 0.5");
    if (model_.choices.empty() || model_.choice_end.back() == first_choice())
      lines_.fail("a transition outside of a choice", "a line such as \"action 0\" comes before it");
    transition.probability = lines_.real(lines_.line());
    if (transition.next >= states_)
      lines_.fail(fmt::format("there is no state {}", transition.next), fmt::format("there are {}", states_));
    if (transition.probability == 0) return;
    model_.transitions.push_back(transition);
    if (model_.transitions.size() > std::numeric_limits<std::uint32_t>::max() - 1)
      lines_.fail("the model has more than 2^32 transitions");
    model_.choices.back().end = static_cast<std::uint32_t>(model_.transitions.size());
  }

  std::uint32_t first_choice() const {
    return model_.state_count() < 2 ? 0 : model_.choice_end[model_.state_count() - 2];
  }

  Lines lines_;
  DrnModel model_;
  std::size_t states_ = 0;
  std::map<std::string, std::uint32_t> action_index_;
  std::vector<std::string_view> names_;                   // of variables, by position in a comment
  std::vector<std::pair<StateId, std::size_t>> unnamed_;  // true variables: state and position
};

}  // namespace

std::string StateVariables::set(StateId state, std::string_view name, std::int64_t value, bool boolean) {
  auto at = index_.find(name);
  if (at == index_.end()) {
    at = index_.emplace(name, variables_.size()).first;
    variables_.push_back({std::string(name), boolean, {}});
  }
  StateVariable& variable = variables_[at->second];
  if (variable.boolean != boolean)
    return fmt::format("{} is a number here and a truth value elsewhere", name);
  if (variable.in(state)) return fmt::format("{} has two values in state {}", name, state);
  if (variable.values.size() <= state) variable.values.resize(state + 1);
  variable.values[state] = value;
  return "";
}

DrnModel parse_drn(const std::string& name, std::string_view text) { return DrnParser(name, text).parse(); }

void parse_states(const std::string& name, std::string_view text, DrnModel& model) {
  Lines lines(name, text);
  std::vector<std::string> names;
  while (names.empty() && lines.next()) {
    if (lines.empty()) continue;
    if (!lines.take("(")) lines.fail("the names of variables are expected here, as in (x,y)");
    split(lines.take_until(")"), ',', [&](std::string_view part) { names.emplace_back(part); });
  }
  StateVariables variables;
  while (lines.next()) {
    if (lines.empty()) continue;
    const auto state = lines.take_whole<std::uint32_t>("the number of a state", ":");
    if (!lines.take(":") || !lines.take("(")) lines.fail("values are expected here, as in 0:(1,2)");
    if (state >= model.state_count()) lines.fail(fmt::format("there is no state {}", state));
    std::size_t column = 0;
    split(lines.take_until(")"), ',', [&](std::string_view part) {
      if (column < names.size()) set_variable(lines, variables, state, names[column], part);
      ++column;
    });
    if (column != names.size())
      lines.fail(fmt::format("has {} values", column), fmt::format("there are {} variables", names.size()));
  }
  model.variables = std::move(variables);
}

}  // namespace ndnf
