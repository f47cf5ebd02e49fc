#include "ndnf/rules/rule_trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/error.h"
#include "ndnf/base/parallel.h"
#include "ndnf/base/plain_text.h"
#include "ndnf/rules/imitation_rounds.h"
#include "ndnf/rules/seen_numbers.h"

namespace ndnf {
namespace {

constexpr const char* kNumbers = "rules.numbers";
constexpr const char* kSearchReturns = "rules.returns";
constexpr const char* kRemarks = "rules.remarks";
constexpr const char* kExamined = "rules.examined";

/// Shares of all steps.
constexpr double kMostTeaching = 0.3;
constexpr double kMostPooling = 0.25;
constexpr double kSearched = 0.75;  ///< The search ends when so much is used; the rest is for the selection.
/// On top: for the figures of the pick, and of all other programs.
constexpr double kPickFigures = 0.25;
constexpr double kOtherFigures = 0.1;

constexpr std::size_t kSlices = 24;  ///< Iterations of the search.
constexpr std::size_t kApart = kSlices / 2;
constexpr std::size_t kMerging = kSlices / 4;  ///< After so many slices islands merge again.
constexpr std::size_t kVisited = 1024;         ///< States on which islands screen mutants.
constexpr std::size_t kTeacherFigures = 200;   ///< Episodes of the teacher's return, at most.
constexpr std::size_t kFewestFigures = 100;    ///< Episodes of a program of the front, at least.
constexpr double kTooFew = 1.2;                ///< A search that took so many times its steps had too few.
constexpr std::uint64_t kVisitedStream = std::uint64_t{1} << 44;

using Kind = HalvingStage::Kind;

/// The last episodes are fresh: the search would otherwise begin with lists that were lucky in the first
/// ones.
std::vector<HalvingStage> pool_stages() { return {{6, 96, 0.5}, {26, 32, 0.5}, {64, 12, 1, Kind::kFresh}}; }
std::vector<HalvingStage> selection_stages() {
  constexpr double kBefore = 0.4;  // of the steps; most are for what decides
  return {{16, 32, kBefore},  {64, 12, kBefore, Kind::kShortening}, {256, 6, kBefore},
          {1024, 4, kBefore}, {4096, 4, 0.6, Kind::kFreshApart},    {4096, 4, 1, Kind::kLeaders}};
}

std::uint64_t share(double part, std::int64_t of) {
  return static_cast<std::uint64_t>(part * static_cast<double>(of));
}

}  // namespace

class RuleTrainer::Impl {
 public:
  /// What an iteration works on.
  enum class Phase : std::uint8_t {
    kTeaching,
    kLessons,
    kPooling,
    kSearching,
    kSelecting,
    kMeasuring,
    kDone
  };

  Impl(PlayedTask stage, const RulesOptions& options, TeacherSource teacher, std::uint64_t seed,
       std::size_t jobs)
      : stage_(std::move(stage)),
        options_(options),
        seed_(seed),
        jobs_(jobs),
        limits_{static_cast<std::size_t>(options.max_rules), static_cast<std::size_t>(options.max_literals),
                options.linear},
        player_(stage_),
        teaching_(std::move(teacher), static_cast<std::size_t>(options.teacher_attempts),
                  share(kMostTeaching, options.total_timesteps)),
        lessons_(stage_, {limits_, most_distilled_terms(), static_cast<std::size_t>(options.states), seed}),
        phase_(teaching_.done() ? Phase::kLessons : Phase::kTeaching) {}

  bool done() const { return phase_ == Phase::kDone; }
  const Teaching& teaching() const { return teaching_; }

  IterationReport iterate() {
    IterationReport report;
    switch (phase_) {
      case Phase::kTeaching:
        report = teaching_.advance(player_, seed_);
        if (teaching_.done()) phase_ = Phase::kLessons;
        break;
      case Phase::kLessons:
        if (lessons_.rounds() == 0) examine();
        lessons_.advance(*teaching_.policy(), player_);
        if (lessons_.rounds() > static_cast<std::size_t>(options_.rounds)) begin_pooling();
        break;
      case Phase::kPooling:
        halving_->advance(player_);
        if (halving_->done()) begin_search();
        break;
      case Phase::kSearching:
        search();
        if (slice_ == kSlices) begin_selection();
        break;
      case Phase::kSelecting:
        halving_->advance(player_);
        if (halving_->done()) phase_ = Phase::kMeasuring;
        break;
      default:
        measure();
        phase_ = Phase::kDone;
    }
    ++iteration_;
    report.iteration = iteration_;
    report.iterations = iteration_ + iterations_left(report);
    report.steps = steps();
    if (phase_ > Phase::kLessons) describe(report);
    return report;
  }

  RuleFront front() const {
    if (front_) return *front_;
    RuleFront result;
    result.warnings = warnings();
    for (const Contender& contender : best_so_far())
      result.entries.push_back({contender.list, sampled_return(contender.returns), contender.mean(), false});
    if (!result.entries.empty()) result.entries.back().picked = true;
    return result;
  }

  TensorFile state() const {
    TensorFile file;
    teaching_.save(file);
    std::vector<std::int64_t> numbers{
        static_cast<std::int64_t>(phase_), static_cast<std::int64_t>(iteration_),
        static_cast<std::int64_t>(player_.steps() + steps_before_), static_cast<std::int64_t>(slice_)};
    std::vector<double> returns;
    lessons_.append_to(numbers);
    if (phase_ == Phase::kSearching || phase_ > Phase::kPooling) {
      append(imitators_, numbers);
      for (const auto& island : islands_) island->append_to(numbers, returns);
    }
    if (halving_) halving_->append_to(numbers, returns);
    if (front_) append(*front_, numbers, returns);
    save_remarks(file);
    file.tensors[kNumbers] = Tensor::of(numbers);
    file.tensors[kSearchReturns] = Tensor::of(returns);
    return file;
  }

  void restore(std::string_view where, const TensorFile& file) {
    teaching_.restore(where, file);
    read_remarks(where, file);
    const auto numbers = file.at(where, kNumbers).as<std::int64_t>(where);
    const auto returns = file.at(where, kSearchReturns).as<double>(where);
    if (numbers.size() < 4 || numbers[0] < 0 || numbers[0] > static_cast<std::int64_t>(Phase::kDone))
      throw Error(where, "is not the state of a search for rules");
    phase_ = static_cast<Phase>(numbers[0]);
    iteration_ = static_cast<std::size_t>(numbers[1]);
    steps_before_ = static_cast<std::uint64_t>(numbers[2]);
    slice_ = static_cast<std::size_t>(numbers[3]);
    const bool taught = phase_ != Phase::kTeaching;
    const bool right_slice = phase_ < Phase::kSearching    ? slice_ == 0
                             : phase_ == Phase::kSearching ? slice_ < kSlices
                                                           : slice_ == kSlices;
    if (numbers[1] < 0 || numbers[2] < 0 || numbers[3] < 0 || !right_slice || taught != teaching_.done())
      throw Error(where, "the state of its search is damaged");
    std::size_t at = 4;
    std::size_t returns_at = 0;
    lessons_.restore(where, numbers, at);
    const bool searched = phase_ > Phase::kPooling;
    if (searched) {
      imitators_ = read_lists(where, numbers, at, *stage_.features);
      make_islands();
      for (const auto& island : islands_) island->restore(where, numbers, at, returns, returns_at);
    }
    if (phase_ == Phase::kPooling) halving_.emplace(pool());
    if (phase_ > Phase::kSearching) halving_.emplace(selection());
    if (halving_) halving_->restore(where, numbers, at, returns, returns_at, *stage_.features);
    if (phase_ != Phase::kDone) return;
    front_ = read_front(where, numbers, at, returns, returns_at, *stage_.features);
    front_->warnings = warnings();
  }

 private:
  std::uint64_t steps() const {
    std::uint64_t sum = teaching_.steps() + player_.steps() + steps_before_ + examined_;
    for (const auto& island : islands_) sum += island->steps();
    return sum;
  }

  std::size_t iterations_left(const IterationReport& teaching) const {
    const auto rounds = static_cast<std::size_t>(options_.rounds) + 1;
    const std::size_t stages = pool_stages().size();
    switch (phase_) {
      case Phase::kTeaching:
        return teaching.iterations - teaching.iteration + rounds + stages + kSlices +
               selection_stages().size() + 1;
      case Phase::kLessons:
        return rounds - lessons_.rounds() + stages + kSlices + selection_stages().size() + 1;
      case Phase::kPooling:
        return stages + kSlices + selection_stages().size() + 1;
      case Phase::kSearching:
        return kSlices - slice_ + selection_stages().size() + 1;
      case Phase::kSelecting:
        return selection_stages().size() + 1;
      default:
        return phase_ == Phase::kDone ? 0 : 1;
    }
  }

  Halving pool() const {
    return {lessons_.pool(),
            pool_stages(),
            {seed_, kTrainingSeries},
            share(kMostPooling, options_.total_timesteps)};
  }
  void begin_pooling() {
    halving_.emplace(pool());
    phase_ = Phase::kPooling;
  }

  void make_islands() {
    const SearchSetting setting{
        stage_,  teaching_.policy().get(),
        limits_, most_terms(),
        seed_,   share(kSearched, options_.total_timesteps) / static_cast<std::uint64_t>(options_.islands)};
    const std::vector<Spread> spreads = spreads_of(lessons_.sample());
    for (std::size_t i = 0; i < static_cast<std::size_t>(options_.islands); ++i) {
      RandomSequence random(RandomStream(seed_, kVisitedStream + i));
      StateSample visited = lessons_.sample();
      visited.thin(kVisited, random);
      islands_.push_back(std::make_unique<Island>(setting, i, spreads, std::move(visited)));
    }
  }
  std::size_t most_terms() const { return limits_.literals * (limits_.linear ? 2 : 1); }
  std::size_t most_distilled_terms() const {
    return std::min(limits_.rules * (limits_.linear ? 3 : 2), most_terms());
  }

  void begin_search() {
    make_islands();
    std::vector<Contender> starts = halving_->contenders();
    for (const Contender& contender : starts) imitators_.push_back(contender.list);
    for (ActionId a = 0; a < stage_.features->vocabulary().action_count(); ++a)
      starts.push_back({{{}, a}, {}});
    std::stable_sort(starts.begin(), starts.end(), [](const Contender& a, const Contender& b) {
      return a.list.term_count() < b.list.term_count();
    });
    for (const auto& island : islands_) island->admit(starts, halving_->first_episode());
    halving_.reset();
    phase_ = Phase::kSearching;
  }

  void search() {
    const std::uint64_t end = share(kSearched, options_.total_timesteps);
    const std::uint64_t used = steps() - examined_;
    const std::uint64_t left = end > used ? end - used : 0;
    const std::uint64_t steps_each = left / ((kSlices - slice_) * islands_.size());
    parallel_for(islands_.size(), jobs_, [&](std::size_t i) { islands_[i]->advance(steps_each, slice_); });
    ++slice_;
    if (slice_ >= kApart && (slice_ - kApart) % kMerging == 0) merge_islands();
  }

  void merge_islands() {
    for (std::size_t i = 1; i < islands_.size(); ++i) islands_[0]->merge(*islands_[i]);
    for (std::size_t i = 1; i < islands_.size(); ++i) islands_[i]->merge(*islands_[0]);
  }

  Halving selection() const {
    std::vector<RuleList> lists = imitators_;
    for (const auto& island : islands_) {
      for (const auto& [terms, contender] : island->archive().by_size()) lists.push_back(contender.list);
      lists.insert(lists.end(), island->fame().begin(), island->fame().end());
    }
    return {std::move(lists),
            selection_stages(),
            {seed_, kSelectionSeries},
            share(1 - kSearched, options_.total_timesteps)};
  }
  void begin_selection() {
    halving_.emplace(selection());
    phase_ = Phase::kSelecting;
  }

  std::vector<Contender> best_so_far() const {
    if (phase_ >= Phase::kSelecting || phase_ == Phase::kPooling) {
      if (halving_ && !halving_->contenders().front().returns.empty())
        return front_of(halving_->contenders());
    }
    std::vector<Contender> result;
    if (islands_.empty()) return result;
    const auto* best = islands_.front().get();
    for (const auto& island : islands_) {
      if (std::prev(island->archive().by_size().end())->second.mean() >
          std::prev(best->archive().by_size().end())->second.mean())
        best = island.get();
    }
    for (const auto& [terms, contender] : best->archive().by_size()) result.push_back(contender);
    return result;
  }

  std::vector<std::string> warnings() const {
    std::vector<std::string> all = remarks_;
    if (!teaching_.warning().empty())
      all.insert(all.begin(),
                 fmt::format("the teacher {}; more steps or another teacher may help", teaching_.warning()));
    return all;
  }

  /// Its few episodes come on top of all steps.
  void examine() {
    GridReport report = examine_grids(stage_, *teaching_.policy(), seed_);
    remarks_ = std::move(report.warnings);
    examined_ = report.steps;
  }

  void remark_on_length(std::uint64_t cut, std::size_t of) {
    if (cut == 0) return;
    remarks_.push_back(fmt::format(
        "{} ended within {} steps: sampled returns are of the first {}; give the task a step limit",
        cut == of ? "no episode" : fmt::format("only {} of {} episodes", of - cut, of), player_.longest(),
        player_.longest()));
  }

  /// Some episodes must be played, however few steps are asked for.
  void remark_on_steps(std::uint64_t searched) {
    const auto asked = static_cast<double>(options_.total_timesteps);
    if (static_cast<double>(searched - examined_) <= kTooFew * asked) return;
    remarks_.push_back(fmt::format("{} steps are too few: the search took {}, and its figures {} more",
                                   options_.total_timesteps, searched, steps() - searched));
  }

  void save_remarks(TensorFile& file) const {
    const auto text = fmt::format("{}", fmt::join(remarks_, "\n"));
    file.tensors[kRemarks] = Tensor::of(std::vector<std::uint8_t>(text.begin(), text.end()));
    file.tensors[kExamined] = Tensor::of(std::vector<std::uint64_t>{examined_});
  }
  void read_remarks(std::string_view where, const TensorFile& file) {
    if (!file.tensors.contains(kRemarks)) return;  // of an older version
    const auto text = file.at(where, kRemarks).as<std::uint8_t>(where);
    const auto examined = read_counts(where, file, kExamined, 1);
    examined_ = examined.front();
    remarks_.clear();
    for (auto begin = text.begin(); begin != text.end();) {
      const auto end = std::find(begin, text.end(), '\n');
      remarks_.push_back(in_one_line(std::string(begin, end)));
      begin = end == text.end() ? end : end + 1;
    }
  }

  std::size_t in_lanes(std::size_t episodes) const {
    return (episodes + player_.lanes() - 1) / player_.lanes() * player_.lanes();
  }

  /// Fresh episodes for the front and the teacher: all of them, unless their part of the steps allows fewer,
  /// if every program takes as many steps as the pick.
  void measure() {
    const std::vector<Contender> chosen = front_of(halving_->contenders());
    const std::size_t picked = pick_from(chosen);
    const std::size_t most = in_lanes(static_cast<std::size_t>(options_.episodes));
    const std::size_t fewest = std::min(most, in_lanes(kFewestFigures));
    const std::uint64_t before = player_.steps();
    const std::uint64_t searched = steps();
    const std::uint64_t cut_before = player_.cut_episodes();
    std::vector<double> own = player_.returns(chosen[picked].list, {seed_, kFigureSeries}, 0, fewest);
    const double an_episode = static_cast<double>(player_.steps() - before) / static_cast<double>(fewest);
    const auto affordable = [&](double part, std::size_t programs) {
      const double count = part * static_cast<double>(options_.total_timesteps) /
                           (an_episode * static_cast<double>(std::max<std::size_t>(1, programs)));
      return count < static_cast<double>(most) ? std::max(fewest, in_lanes(static_cast<std::size_t>(count)))
                                               : most;
    };
    const std::size_t of_pick = affordable(kPickFigures, 1);
    const std::size_t episodes = std::min(of_pick, affordable(kOtherFigures, chosen.size() - 1));
    const auto rest = player_.returns(chosen[picked].list, {seed_, kFigureSeries}, fewest, of_pick - fewest);
    own.insert(own.end(), rest.begin(), rest.end());
    remark_on_length(player_.cut_episodes() - cut_before, own.size());
    RuleFront front;
    front.final = true;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const auto returns =
          i == picked ? own : player_.returns(chosen[i].list, {seed_, kFigureSeries}, 0, episodes);
      front.entries.push_back({chosen[i].list, sampled_return(returns), chosen[i].mean(), i == picked});
    }
    std::vector<double> taught;
    while (taught.size() < std::min(kTeacherFigures, of_pick)) {
      const auto more = player_.watch(*teaching_.policy(), 0, {seed_, kFigureSeries}, taught.size(), nullptr);
      taught.insert(taught.end(), more.begin(), more.end());
    }
    front.teacher = sampled_return(taught);
    remark_on_steps(searched);
    front.warnings = warnings();
    front_ = std::move(front);
  }

  void describe(IterationReport& report) const {
    const RuleFront now = front();
    if (now.entries.empty()) return;
    report.episodic_return = now.entries.back().figures.mean;
    std::string text;
    for (const FrontEntry& entry : now.entries)
      text +=
          fmt::format("{}{}: {:.4g}", text.empty() ? "" : "  ", entry.list.term_count(), entry.figures.mean);
    report.remark = text;
  }

  const PlayedTask stage_;
  const RulesOptions options_;
  const std::uint64_t seed_;
  const std::size_t jobs_;
  const ListLimits limits_;
  Player player_;
  Teaching teaching_;
  ImitationRounds lessons_;
  Phase phase_;
  std::size_t iteration_ = 0;
  std::size_t slice_ = 0;
  std::uint64_t steps_before_ = 0;   ///< Of the player, before the run was resumed.
  std::optional<Halving> halving_;   ///< Of the pool, later of the selection.
  std::vector<RuleList> imitators_;  ///< The best of the pool.
  std::vector<std::unique_ptr<Island>> islands_;
  std::optional<RuleFront> front_;
  std::vector<std::string> remarks_;  ///< Warnings besides those about the teacher.
  std::uint64_t examined_ = 0;        ///< Steps of the look at the grids.
};

RuleTrainer::RuleTrainer(PlayedTask stage, const RulesOptions& options, TeacherSource teacher,
                         std::uint64_t seed, std::size_t jobs)
    : impl_(std::make_unique<Impl>(std::move(stage), options, std::move(teacher), seed, jobs)) {}
RuleTrainer::~RuleTrainer() = default;
bool RuleTrainer::done() const { return impl_->done(); }
TensorFile RuleTrainer::state() const { return impl_->state(); }
void RuleTrainer::restore(std::string_view where, const TensorFile& state) { impl_->restore(where, state); }
RuleFront RuleTrainer::front() const { return impl_->front(); }
IterationReport RuleTrainer::next_iteration() { return impl_->iterate(); }
std::uint64_t RuleTrainer::teacher_steps() const { return impl_->teaching().steps(); }
std::optional<ActorCritic<float>> RuleTrainer::teacher_network() const {
  return impl_->teaching().done() ? impl_->teaching().network() : std::nullopt;
}

}  // namespace ndnf
