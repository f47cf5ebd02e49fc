// Properties of random tasks, policies and step limits, compared with a plain unrolling of the episodes that
// only uses the model's data and docs/properties.md, and nothing of verify/.
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mdp/small_models.h"
#include "ndnf/base/random.h"
#include "ndnf/properties/check_property.h"
#include "properties/replay.h"

namespace ndnf {
namespace {

/// Probabilities are quarters and rewards small integers, so that all sums over 12 steps are exact here: two
/// draws a step take 48 bits, the start 2, the integer part of a return 6.
using Exact = long double;
static_assert(std::numeric_limits<Exact>::digits >= 64);

constexpr std::uint32_t kQuarters = 4;
constexpr std::uint32_t kMaxLimit = 12;

/// Where an episode is after some steps.
struct View {
  StateId state = 0;
  std::optional<ActionId> action{};
  bool end = false;
  std::int8_t tag = -1;
};

/// A formula of our own, with its text and its meaning.
struct Formula {
  char kind = 't';  ///< (t)rue, (f)alse, at(o)m, (l)abel, (e)nd, (a)ction, ! & | >
  std::uint32_t index = 0;
  std::vector<Formula> parts{};

  std::string text() const {
    switch (kind) {
      case 't':
        return "true";
      case 'f':
        return "false";
      case 'o':
        return fmt::format("s{}", index);
      case 'l':
        return fmt::format("\"l{}\"", index);
      case 'e':
        return "\"end\"";
      case 'a':
        return fmt::format("action(a{})", index);
      case '!':
        return "!" + parts[0].text();
      default:
        return fmt::format("({} {} {})", parts[0].text(), kind == '>' ? "=>" : std::string(1, kind),
                           parts[1].text());
    }
  }
};

class RandomTask {
 public:
  explicit RandomTask(std::uint64_t seed) : random_(RandomStream(seed, 0)) {
    actions_ = 1 + random_.below(3);
    const std::uint32_t states = 2 + random_.below(4);
    const std::uint32_t observations = 1 + random_.below(states);
    std::vector<std::string> names;
    for (std::uint32_t a = 0; a < actions_; ++a) names.push_back(fmt::format("a{}", a));
    data = testing::numbered_states(observations, names);
    data.observation.clear();
    for (StateId s = 0; s < states; ++s) data.observation.push_back(random_.below(observations));
    data.tags = {"l0", "l1"};
    for (const char* label : {"l1", "l2"}) {
      for (StateId s = 0; s < states; ++s) {
        if (random_.below(3) == 0) data.labels[label].push_back(s);
      }
    }
    data.labels["l2"].push_back(0);
    has_end_ = random_.below(2) == 0;
    for (StateId s = 0; s < states; ++s) add_state(s);
    for (const double p : quarters(2)) {
      data.starts.push_back({p, random_.below(states - (has_end_ ? 1 : 0))});
    }
    data.step_limit = 1 + random_.below(kMaxLimit);
    add_policy();
  }

  std::uint32_t actions() const { return actions_; }
  std::span<const Outcome> outcomes(StateId s, ActionId a) const {
    const std::size_t row = s * actions_ + a;
    const std::size_t begin = row == 0 ? 0 : data.row_ends[row - 1];
    return {data.outcomes.data() + begin, data.row_ends[row] - begin};
  }
  double taken(StateId s, ActionId a) const { return rows[data.observation[s] * actions_ + a]; }

  Formula formula(int depth) {
    const char* kinds = depth == 0 ? "tfoollleaa" : "oolleaa!!&&||>";
    const char kind = kinds[random_.below(depth == 0 ? 10 : 14)];
    Formula result{kind};
    if (kind == 'o') result.index = random_.below(static_cast<std::uint32_t>(rows.size()) / actions_);
    if (kind == 'l') result.index = random_.below(3);
    if (kind == 'a') result.index = random_.below(actions_);
    const int parts = kind == '!' ? 1 : kind == '&' || kind == '|' || kind == '>' ? 2 : 0;
    for (int i = 0; i < parts; ++i) result.parts.push_back(formula(depth - 1));
    return result;
  }

  bool holds(const Formula& f, const View& at) const {
    switch (f.kind) {
      case 't':
        return true;
      case 'f':
        return false;
      case 'o':
        return data.observation[at.state] == f.index;
      case 'l': {
        const auto found = data.labels.find(fmt::format("l{}", f.index));
        const bool state = found != data.labels.end() &&
                           std::count(found->second.begin(), found->second.end(), at.state) > 0;
        return state || (at.end && at.tag == static_cast<std::int8_t>(f.index));
      }
      case 'e':
        return at.end;
      case 'a':
        return at.action == f.index;
      case '!':
        return !holds(f.parts[0], at);
      case '&':
        return holds(f.parts[0], at) && holds(f.parts[1], at);
      case '|':
        return holds(f.parts[0], at) || holds(f.parts[1], at);
      default:
        return !holds(f.parts[0], at) || holds(f.parts[1], at);
    }
  }

  RandomSequence& random() { return random_; }

  FiniteModelData data;
  std::vector<double> rows;

 private:
  /// One to `most` probabilities that sum to 1.
  std::vector<double> quarters(std::uint32_t most) {
    std::vector<double> parts;
    for (std::uint32_t left = kQuarters; left > 0;) {
      const std::uint32_t part = parts.size() + 1 == most ? left : 1 + random_.below(left);
      parts.push_back(static_cast<double>(part) / kQuarters);
      left -= part;
    }
    return parts;
  }

  void add_state(StateId s) {
    const auto states = static_cast<std::uint32_t>(data.observation.size());
    for (ActionId a = 0; a < actions_; ++a) {
      std::vector<Outcome> row;
      if (!has_end_ || s + 1 < states) {
        for (const double p : quarters(3)) {
          const StateId next = random_.below(states);
          const bool terminal = (has_end_ && next + 1 == states) || random_.below(5) == 0;
          const auto tag = static_cast<std::int8_t>(terminal ? static_cast<int>(random_.below(3)) - 1 : -1);
          row.push_back({p, static_cast<double>(random_.below(7)) - 3, next, terminal, tag});
        }
      }
      data.add_row(row);
    }
  }

  /// Random rows; undefined where the policy never decides.
  void add_policy() {
    const std::size_t observations = data.observations->size();
    for (std::size_t obs = 0; obs < observations; ++obs) {
      std::vector<double> row = quarters(actions_);
      row.resize(actions_, 0.0);
      std::rotate(row.begin(), row.begin() + random_.below(actions_), row.end());
      rows.insert(rows.end(), row.begin(), row.end());
    }
    std::vector<bool> decides(data.observation.size(), false);
    for (const Start& start : data.starts) decides[start.state] = true;
    for (std::size_t step = 1; step < *data.step_limit; ++step) {
      const std::vector<bool> before = decides;
      for (StateId s = 0; s < before.size(); ++s) {
        for (ActionId a = 0; before[s] && a < actions_; ++a) {
          for (const Outcome& outcome : outcomes(s, a)) {
            if (taken(s, a) > 0 && !outcome.terminal) decides[outcome.next] = true;
          }
        }
      }
    }
    for (ObsId obs = 0; obs < observations; ++obs) {
      bool needed = false;
      for (StateId s = 0; s < decides.size(); ++s) {
        needed = needed || (decides[s] && data.observation[s] == obs);
      }
      if (!needed) std::fill_n(rows.begin() + obs * actions_, actions_, 0.0);
    }
  }

  RandomSequence random_;
  std::uint32_t actions_ = 0;
  bool has_end_ = false;
};

/// A random property: `X right`, `F`, `G`, `left U right`, (r)eturn or (l)ength within `steps`.
struct Question {
  char kind = 'F';
  std::optional<std::size_t> steps{};
  Formula left{};
  Formula right{};

  std::string text(const std::string& comparison) const {
    const std::string bound = steps ? fmt::format("<={} ", *steps) : " ";
    if (kind == 'r' || kind == 'l') {
      return fmt::format("R{{\"{}\"}}{} [C{}]", kind == 'r' ? "return" : "length", comparison, bound);
    }
    const std::string before = kind == 'U' ? left.text() + " " : "";
    return fmt::format("P{} [{}{}{}{}]", comparison, before, kind, kind == 'X' ? " " : bound, right.text());
  }
  bool reward() const { return kind == 'r' || kind == 'l'; }
};

Question random_question(RandomTask& task) {
  RandomSequence& random = task.random();
  Question question;
  question.kind = "XFFFGGGUUUrl"[random.below(12)];
  if (question.kind != 'X' && random.below(2) == 0) question.steps = random.below(kMaxLimit + 3);
  question.left = task.formula(2);
  question.right = task.formula(2);
  return question;
}

/// The value of a question by following every episode to its end.
class Unrolling {
 public:
  /// `blind`: as if nothing were true in the state in which the step limit stops an episode.
  Unrolling(const RandomTask& task, const Question& question, bool blind = false)
      : task_(task), question_(question), blind_(blind), limit_(*task.data.step_limit) {
    steps_ = question.kind == 'X' ? 1 : std::min(question.steps.value_or(limit_), limit_);
  }

  Exact value() {
    Exact sum = 0;
    for (const Start& start : task_.data.starts) sum += start.probability * arrive(start.state, 0);
    return question_.kind == 'G' ? 1 - sum : sum;
  }

  /// Whether a run, whose last view repeats for ever, satisfies the formula.
  bool satisfied(const std::vector<View>& run) const {
    for (std::size_t t = question_.kind == 'X' ? 1 : 0; t <= steps_ && t < run.size(); ++t) {
      if (hits(run[t], t)) return question_.kind != 'G';
      if (question_.kind == 'U' && !task_.holds(question_.left, run[t])) return false;
    }
    return question_.kind == 'G';
  }

 private:
  bool hits(const View& at, std::size_t time) const {
    if (blind_ && time == limit_ && !at.end) return false;
    return task_.holds(question_.right, at) != (question_.kind == 'G');
  }

  Exact arrive(StateId state, std::size_t time) {
    if (time == limit_) return from({state}, time);
    const auto [known, fresh] = known_.try_emplace({time, state}, 0);
    if (!fresh) return known->second;
    Exact sum = 0;
    for (ActionId a = 0; a < task_.actions(); ++a) {
      if (task_.taken(state, a) > 0) sum += task_.taken(state, a) * from({state, a}, time);
    }
    return known_[{time, state}] = sum;
  }

  Exact from(const View& at, std::size_t time) {
    if (!question_.reward() && time >= (question_.kind == 'X' ? 1U : 0U) && hits(at, time)) return 1;
    if (time == steps_ || at.end) return 0;
    if (question_.kind == 'U' && !task_.holds(question_.left, at)) return 0;
    Exact sum = question_.kind == 'l' ? 1 : 0;
    for (const Outcome& outcome : task_.outcomes(at.state, *at.action)) {
      const Exact later = outcome.terminal ? from({outcome.next, {}, true, outcome.tag}, time + 1)
                                           : arrive(outcome.next, time + 1);
      sum += outcome.probability * (later + (question_.kind == 'r' ? outcome.reward : 0));
    }
    return sum;
  }

  const RandomTask& task_;
  const Question& question_;
  bool blind_;
  std::size_t limit_;
  std::size_t steps_ = 0;
  std::map<std::pair<std::size_t, StateId>, Exact> known_;
};

/// Bounds that are hard to distinguish from the value, and some that are not.
double random_bound(Exact value, bool reward, RandomSequence& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto near = static_cast<double>(value);
  const double bounds[] = {near,
                           std::nextafter(near, kInfinity),
                           std::nextafter(near, -kInfinity),
                           std::round(near * 64) / 64,
                           std::round(near),
                           random.uniform()};
  const double bound = bounds[random.below(std::size(bounds))];
  return reward ? bound : std::clamp(bound, 0.0, 1.0);
}

bool met(const std::string& sign, Exact value, double bound) {
  return sign == ">="   ? value >= bound
         : sign == ">"  ? value > bound
         : sign == "<=" ? value <= bound
                        : value < bound;
}

std::vector<View> views_of(const Trace& trace) {
  std::vector<View> views;
  for (const TraceStep& step : trace.steps) views.push_back({step.state, step.action, step.end, step.tag});
  return views;
}

TEST(Unrolling, TenThousandRandomTasksPoliciesAndPropertiesAgree) {
  std::size_t last_state_matters = 0;
  std::size_t failing = 0;
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    RandomTask task(seed);
    const Question question = random_question(task);
    const Exact value = Unrolling(task, question).value();
    last_state_matters += Unrolling(task, question, true).value() != value ? 1 : 0;
    const char* const signs[] = {">=", ">", "<=", "<"};
    const std::string sign = signs[task.random().below(4)];
    const double bound = random_bound(value, question.reward(), task.random());
    const std::string text = question.text(fmt::format("{}{:.17g}", sign, bound));
    SCOPED_TRACE(fmt::format("seed {}, limit {}: {}", seed, *task.data.step_limit, text));
    const FiniteModel model(task.data);
    const PolicyTable policy(task.actions(), task.rows);
    const EpisodeChain chain(model, policy);
    const PropertyResult result = check_property(chain, parse_property("", text, model));
    ASSERT_LE(std::abs(result.value - value), 1e-14 * std::max<Exact>(1, std::abs(value)));
    ASSERT_EQ(result.verdict, met(sign, value, bound) ? Verdict::kHolds : Verdict::kFails);
    ASSERT_TRUE(met(sign, result.value, bound) == (result.verdict == Verdict::kHolds)) << result.value;
    if (result.verdict == Verdict::kHolds) continue;
    ++failing;
    if (!result.trace) {  // nothing is more than certain, or less than impossible
      ASSERT_TRUE(value == bound && !question.reward());
      continue;
    }
    ASSERT_TRUE(testing::replays(*result.trace, model, &policy));
    if (question.reward()) continue;
    ASSERT_EQ(Unrolling(task, question).satisfied(views_of(*result.trace)), sign[0] == '<');
  }
  EXPECT_GT(last_state_matters, 500u);
  EXPECT_GT(failing, 3000u);
}

}  // namespace
}  // namespace ndnf
