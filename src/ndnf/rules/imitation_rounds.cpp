#include "ndnf/rules/imitation_rounds.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ndnf/base/error.h"
#include "ndnf/rules/island.h"

namespace ndnf {
namespace {

constexpr std::uint64_t kLessonStream = std::uint64_t{1} << 43;
constexpr std::size_t kTeacherEpisodes = 24;
constexpr double kWandering = 0.05;
constexpr std::size_t kStudents = 8;         ///< Lists of a round that are watched,
constexpr std::size_t kStudentEpisodes = 2;  ///< each in so many episodes.
constexpr double kLess = 0.95;               ///< Of the regret of the next smaller list in the pool, at most.
constexpr std::size_t kStatesOfEpisode = 512;  ///< Of one episode, at most.

/// Labels states as they are shown.
class Labeller {
 public:
  Labeller(const Features& features, const Policy& teacher)
      : features_(features),
        teacher_(teacher),
        sample(features.size(), teacher.action_count()),
        row_(features.size()),
        regrets_(teacher.action_count()),
        probabilities_(teacher.action_count()) {}

  void operator()(const ObservationTable& table, ObsId obs) {
    features_.write(table, obs, row_);
    teacher_.probabilities(table, std::span(&obs, 1), probabilities_);
    write_regrets(probabilities_, regrets_);
    sample.add(row_, regrets_);
  }

 private:
  const Features& features_;
  const Policy& teacher_;

 public:
  StateSample sample;

 private:
  std::vector<std::int32_t> row_;
  std::vector<std::int32_t> regrets_;
  std::vector<double> probabilities_;
};

void take_all(const StateSample& from, StateSample& to) {
  std::vector<std::uint32_t> all(from.size());
  std::iota(all.begin(), all.end(), 0u);
  to.add(from, all);
}

}  // namespace

ImitationRounds::ImitationRounds(PlayedTask stage, const Options& options)
    : stage_(std::move(stage)),
      options_(options),
      sample_(stage_.features->size(), stage_.features->vocabulary().action_count()) {}

void ImitationRounds::advance(const Policy& teacher, Player& player) {
  RandomSequence random(RandomStream(options_.seed, kLessonStream), static_cast<std::uint64_t>(round_) << 32);
  if (round_ == 0) {
    watch_teacher(teacher, player);
  } else {
    watch_students(teacher, player, random);
  }
  sample_.thin(options_.states, random);
  students_.clear();
  double offered = 0;
  for (DistilledList& found :
       distil(sample_, *stage_.features, options_.limits, options_.most_terms, random)) {
    if (students_.empty() || static_cast<double>(found.regret) < kLess * offered) {
      offered = static_cast<double>(found.regret);
      pool_.push_back(found.list);
    }
    students_.push_back(std::move(found.list));
  }
  ++round_;
}

void ImitationRounds::watch_teacher(const Policy& teacher, Player& player) {
  Labeller label(*stage_.features, teacher);
  for (std::size_t e = 0; e < kTeacherEpisodes; e += player.lanes())
    player.watch(teacher, kWandering, {options_.seed, kTeacherSeries}, e, std::ref(label));
  take_all(label.sample, sample_);
}

/// The worse half of the students is lost soon, in states that do not matter: half of their states do.
void ImitationRounds::watch_students(const Policy& teacher, Player& player, RandomSequence& random) {
  struct Watched {
    double earned = 0;
    StateSample states;
  };
  std::vector<Watched> all;
  const std::size_t count = std::min(kStudents, students_.size());
  for (std::size_t i = 0; i < count; ++i) {
    const RuleList& student = students_[students_.size() - 1 - i * students_.size() / count];
    Labeller label(*stage_.features, teacher);
    double earned = 0;
    for (std::size_t e = 0; e < kStudentEpisodes; e += player.lanes()) {
      const auto returns = player.watch(student, {options_.seed, kStudentSeries}, episodes_, std::ref(label));
      earned += std::accumulate(returns.begin(), returns.end(), 0.0);
      episodes_ += player.lanes();
    }
    all.push_back({earned, std::move(label.sample)});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Watched& a, const Watched& b) { return a.earned > b.earned; });
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool worse = i >= (all.size() + 1) / 2;
    all[i].states.thin(worse ? kStatesOfEpisode / 2 : kStatesOfEpisode, random);
    take_all(all[i].states, sample_);
  }
}

void ImitationRounds::append_to(std::vector<std::int64_t>& numbers) const {
  numbers.push_back(static_cast<std::int64_t>(round_));
  numbers.push_back(static_cast<std::int64_t>(episodes_));
  append(pool_, numbers);
  append(students_, numbers);
  sample_.append_to(numbers);
}

void ImitationRounds::restore(std::string_view where, std::span<const std::int64_t> numbers,
                              std::size_t& at) {
  const auto next = [&] {
    if (at >= numbers.size() || numbers[at] < 0 || numbers[at] > std::int64_t{1} << 40)
      throw Error(where, "the state of its distillation is damaged");
    return static_cast<std::size_t>(numbers[at++]);
  };
  round_ = next();
  episodes_ = next();
  pool_ = read_lists(where, numbers, at, *stage_.features);
  students_ = read_lists(where, numbers, at, *stage_.features);
  sample_ = StateSample::read(where, numbers, at, sample_.feature_count(), sample_.action_count());
}

}  // namespace ndnf
