#include "ndnf/verify/cells.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/verify/number_formula.h"

namespace ndnf {
namespace {

/// Some places, and which of the comparisons considered so far hold there.
struct Part {
  std::vector<bool> holds;
  QuantisedObservation witness;
};

/// That exactly these of the first comparisons hold.
SolverText condition(const std::vector<bool>& holds, const std::vector<LinearComparison>& comparisons,
                     const ObservedNumbers& observed) {
  SolverText text = SolverText().add("(and true");
  for (std::size_t i = 0; i < holds.size(); ++i) {
    text.add(holds[i] ? OwnText(" ") : OwnText(" (not ")).add(observed.comparison(comparisons[i]));
    if (!holds[i]) text.add(")");
  }
  return text.add(")");
}

[[noreturn]] void refuse_size() {
  throw Error("",
              fmt::format("the comparisons tell more than {} kinds of observations apart", Cells::kMostCells),
              "this needs a program with fewer of them");
}

/// A float that rules see at this place.
float number_at(const Quantity& quantity, std::int32_t place) {
  const Grid& grid = *quantity.grid;
  for (const double shift : {0.5, 0.25, 0.75, 0.0}) {
    const auto x = static_cast<float>((place - shift) * grid.quantum);
    if (grid.place(x) == place) return x;
  }
  throw Error("", fmt::format("no float is at place {} of {}", place, quantity.name),
              "its quantum is too fine for its range");
}

}  // namespace

Cells::Cells(std::shared_ptr<const Vocabulary> vocabulary, std::vector<LinearComparison> comparisons)
    : vocabulary_(std::move(vocabulary)), comparisons_(std::move(comparisons)) {
  find_places();
  for (std::size_t g = 0; g < vocabulary_->group_count(); ++g) {  // quantities and groups are independent
    std::vector<QuantisedObservation> all;
    const std::size_t values = vocabulary_->group(g).value_count();
    if (observations_.size() * values > kMostCells) refuse_size();
    for (QuantisedObservation& observation : observations_) {
      for (observation.values[g] = 0; observation.values[g] < values; ++observation.values[g])
        all.push_back(observation);
    }
    observations_ = std::move(all);
  }
}

void Cells::find_places() {
  Z3Questions questions;
  const ObservedNumbers observed(*vocabulary_, questions);
  QuantisedObservation first{std::vector<std::uint32_t>(vocabulary_->group_count(), 0), {}};
  for (const Quantity& quantity : vocabulary_->quantities()) first.places.push_back(quantity.grid->lowest);
  std::vector<Part> parts{{{}, std::move(first)}};
  for (std::size_t c = 0; c < comparisons_.size(); ++c) {
    for (Part& part : parts) {  // its own observation is on one side; is there one on the other?
      part.holds.push_back(comparisons_[c].holds(part.witness.places));
      std::vector<bool> other = part.holds;
      other.back() = !other.back();
      questions.ask(condition(other, comparisons_, observed));
    }
    const std::vector<Z3Questions::Answer> answers = questions.answers();
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (answers[i].status == Z3Questions::Answer::Status::kUnknown)
        throw Error("z3", "does not decide which observations the comparisons tell apart");
      if (answers[i].status == Z3Questions::Answer::Status::kNo) continue;
      Part half{parts[i].holds, observed.observation(answers[i].values)};
      half.holds.back() = !half.holds.back();
      for (std::size_t k = 0; k <= c; ++k) {
        if (comparisons_[k].holds(half.witness.places) != half.holds[k])
          throw_nonsense("z3", "our evaluator does not confirm the observation that it names");
      }
      parts.push_back(std::move(half));
    }
    if (parts.size() > kMostCells) refuse_size();
  }
  for (Part& part : parts) {
    std::fill(part.witness.values.begin(), part.witness.values.end(), 0);
    observations_.push_back(std::move(part.witness));
  }
}

std::size_t Cells::find(const QuantisedObservation& observation) const {
  for (std::size_t i = 0; i < observations_.size(); ++i) {
    if (observations_[i].values != observation.values) continue;
    const bool same = std::all_of(comparisons_.begin(), comparisons_.end(), [&](const LinearComparison& one) {
      return one.holds(observations_[i].places) == one.holds(observation.places);
    });
    if (same) return i;
  }
  throw_nonsense("z3", "an observation is in none of the cells");
}

std::shared_ptr<const ObservationTable> Cells::table() const {
  auto table = std::make_shared<ObservationTable>(vocabulary_, vocabulary_->quantities().size());
  for (const QuantisedObservation& observation : observations_) {
    std::vector<float> numbers;
    for (std::size_t q = 0; q < observation.places.size(); ++q) {
      numbers.push_back(number_at(vocabulary_->quantities()[q], observation.places[q]));
    }
    table->intern(observation.values, numbers);
  }
  return table;
}

// n planes in d dimensions cut space into Σ C(n, i) parts at most, i = 0 … d.
std::shared_ptr<const ObservationTable> listed_kinds(const std::shared_ptr<const Vocabulary>& vocabulary,
                                                     std::vector<LinearComparison> comparisons) {
  constexpr double kMostListed = 1000;
  std::vector<LinearComparison> distinct;
  std::set<std::uint32_t> quantities;
  for (LinearComparison& comparison : comparisons) {
    for (const LinearComparison::Term& term : comparison.terms) quantities.insert(term.quantity);
    if (std::find(distinct.begin(), distinct.end(), comparison) == distinct.end())
      distinct.push_back(std::move(comparison));
  }
  double parts = 1;
  double choices = 1;
  for (std::size_t i = 1; i <= std::min(quantities.size(), distinct.size()); ++i) {
    choices *= static_cast<double>(distinct.size() - i + 1) / static_cast<double>(i);
    parts += choices;
  }
  if (parts > kMostListed) return nullptr;
  try {
    return Cells(vocabulary, std::move(distinct)).table();
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace ndnf
