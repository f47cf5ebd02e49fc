#include "ndnf/boxes/minimum_cover.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "ndnf/solvers/clingo.h"

namespace ndnf {
namespace {

/// Elements, and the sets (by index) that contain some of them and nothing else.
struct Part {
  PositionSet elements;
  std::vector<std::size_t> sets;
};

/// Splits the problem into independent parts, the smallest first.
std::vector<Part> independent_parts(const std::vector<PositionSet>& sets) {
  std::vector<Part> parts;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    if (sets[s].empty()) continue;
    Part joined{sets[s], {s}};
    std::erase_if(parts, [&](const Part& part) {
      if (!part.elements.intersects(sets[s])) return false;
      joined.elements |= part.elements;
      joined.sets.insert(joined.sets.end(), part.sets.begin(), part.sets.end());
      return true;
    });
    parts.push_back(std::move(joined));
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.sets.size() < b.sets.size(); });
  return parts;
}

std::vector<std::size_t> greedy_cover(const Part& part, const std::vector<PositionSet>& sets) {
  std::vector<std::size_t> chosen;
  PositionSet left = part.elements;
  while (!left.empty()) {
    const auto gains_less = [&](std::size_t a, std::size_t b) {
      return common(left, sets[a]) < common(left, sets[b]);
    };
    chosen.push_back(*std::max_element(part.sets.begin(), part.sets.end(), gains_less));
    left -= sets[chosen.back()];
  }
  std::vector<PositionSet> taken;
  for (const std::size_t s : chosen) taken.push_back(sets[s]);
  std::vector<std::size_t> needed;
  for (const std::size_t k : irredundant(taken)) needed.push_back(chosen[k]);
  return needed;
}

/// For each element the sets that contain it. An element is left out if covering some other element always
/// covers it too, that is, if the holders of the other are a subset of its own.
std::vector<PositionSet> hard_elements(const Part& part, const std::vector<PositionSet>& sets) {
  std::vector<PositionSet> holders;
  for (const std::uint32_t e : part.elements.values()) {
    PositionSet& of_element = holders.emplace_back(sets.size());
    for (const std::size_t s : part.sets) {
      if (sets[s].contains(e)) of_element.insert(s);
    }
  }
  std::sort(holders.begin(), holders.end());
  holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
  std::vector<PositionSet> hard;
  for (const PositionSet& h : holders) {
    const bool implied = std::any_of(holders.begin(), holders.end(), [&](const PositionSet& other) {
      return other != h && other.is_subset_of(h);
    });
    if (!implied) hard.push_back(h);
  }
  return hard;
}

template <class Numbers>
void add_list(SolverText& program, const Numbers& numbers, OwnText separator) {
  bool first = true;
  for (const auto number : numbers) {
    if (!std::exchange(first, false)) program.add(separator);
    program.add("{}", number);
  }
}

SolverText cover_program(const Part& part, const std::vector<PositionSet>& hard) {
  SolverText program;
  program.add("{ chosen(");
  add_list(program, part.sets, ";");
  program.add(") }.\n#minimize { 1,S : chosen(S) }.\n");
  for (const PositionSet& holders : hard) {
    program.add(":- not chosen(");
    add_list(program, holders.values(), "), not chosen(");
    program.add(").\n");
  }
  return program;
}

/// The chosen sets, in clingo's order. Throws if they do not cover every element.
std::vector<std::size_t> read_chosen(const std::vector<std::string>& atoms, const Part& part,
                                     const std::vector<PositionSet>& sets) {
  std::vector<std::size_t> chosen;
  PositionSet left = part.elements;
  for (const std::string& atom : atoms) {
    const auto number = numbers_of<1>(atom, "chosen", {sets.size()});
    if (!number) throw_nonsense("clingo", "unexpected atom " + atom);
    left -= sets[chosen.emplace_back((*number)[0])];
  }
  if (!left.empty()) throw_nonsense("clingo", "the cover is incomplete");
  return chosen;
}

Cover cover_part(const Part& part, const std::vector<PositionSet>& sets, std::size_t witness_count,
                 std::uint64_t solve_limit) {
  Cover cover{greedy_cover(part, sets), witness_count};
  if (cover.chosen.size() == witness_count) return cover;
  // Core-guided search (usc) proved covers of perturbed Blackjack policies minimal in less than half a
  // second; branch and bound, clingo's default, had no proof for most of them after 20.
  const ClingoAnswer answer =
      run_clingo(cover_program(part, hard_elements(part, sets)), {"--opt-strategy=usc"}, solve_limit);
  if (answer.status != ClingoAnswer::Status::kOptimum) return cover;
  cover.chosen = read_chosen(answer.models.front(), part, sets);
  cover.lower_bound = cover.chosen.size();
  return cover;
}

}  // namespace

std::vector<std::size_t> irredundant(const std::vector<PositionSet>& sets) {
  std::vector<std::size_t> times_covered;  // per element
  for (const PositionSet& set : sets) {
    for (const std::uint32_t e : set.values()) {
      if (e >= times_covered.size()) times_covered.resize(e + 1);
      ++times_covered[e];
    }
  }
  std::vector<std::size_t> needed;
  for (std::size_t s = sets.size(); s-- > 0;) {
    const std::vector<std::uint32_t> elements = sets[s].values();
    if (std::any_of(elements.begin(), elements.end(),
                    [&](std::uint32_t e) { return times_covered[e] == 1; })) {
      needed.push_back(s);
    } else {
      for (const std::uint32_t e : elements) --times_covered[e];
    }
  }
  std::reverse(needed.begin(), needed.end());
  return needed;
}

// Set cover is NP-hard, so clingo does the exact search, after reductions that keep the optimum. Sets without
// common elements fall into independent parts whose minima add up. In a part, a greedy cover is an upper
// bound and the number of witnesses a lower bound; if they are equal, the greedy cover is optimal. Otherwise
// clingo only gets the elements that no other element implies. Greedy costs |cover| · sets · n/64 word
// operations; clingo stops after solve_limit conflicts.
Cover minimum_cover(const PositionSet& elements, std::vector<PositionSet> sets, const PositionSet& witnesses,
                    std::uint64_t solve_limit) {
  for (PositionSet& set : sets) set &= elements;
  Cover whole;
  PositionSet left = elements;
  for (const Part& part : independent_parts(sets)) {
    const Cover cover = cover_part(part, sets, common(witnesses, part.elements), solve_limit);
    whole.chosen.insert(whole.chosen.end(), cover.chosen.begin(), cover.chosen.end());
    whole.lower_bound += cover.lower_bound;
    left -= part.elements;
  }
  assert(left.empty());
  std::sort(whole.chosen.begin(), whole.chosen.end());
  return whole;
}

}  // namespace ndnf
