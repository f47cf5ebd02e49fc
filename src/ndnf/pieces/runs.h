#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ndnf/env/task.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/pieces/experiment.h"
#include "ndnf/report/sample.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// A preset with the seeds over which its results are averaged.
struct Study {
  std::string preset;
  std::vector<std::string> settings;  ///< Changes to the preset.
  std::uint64_t first_seed = 0;
  std::size_t seeds = 1;
  std::string variant{};  ///< A name for the changes, if there is also a study without them.

  /// Of its runs, programs and pieces.
  std::string name() const { return variant.empty() ? preset : preset + "+" + variant; }
};

/// The unchanged preset with its own number of seeds, or with very few for a quick effort. Presets below
/// paper/ have the seeds 0, 1, …; those below best/ begin at kFirstFreshSeed, since their settings were tuned
/// on other seeds.
Study study_of(const std::string& preset, const Effort& effort);
inline constexpr std::uint64_t kFirstFreshSeed = 200;

/// The same with other settings, as a separate study.
Study with_settings(Study study, const std::string& variant, const std::vector<std::string>& settings);

/// Whether it takes too long for a quick effort.
bool left_out(const std::string& preset, const Effort& effort);

/// The training runs of a study. Result: `seconds`, `steps`, `measures` (measure.h) and, in Door Corridor,
/// `variants`: the measures in its other environments. A teacher is trained first: teacher_piece.
std::vector<Piece> train_pieces(const Study& study);

/// Methods of extraction.
inline constexpr const char* kAllWays = "auto";
inline constexpr const char* kPaperWay = "threshold";

/// Programs extracted from the trained networks; `as` is asp or problog, "" for that of the preset. Result:
/// the report of `ndnf extract`, the `measures` of its program, its first lines as `text`, and `threshold`,
/// the measures of the paper's method (null if that finds no program). With the method kPaperWay nothing else
/// is tried.
std::vector<Piece> extract_pieces(const Study& study, const std::string& as = "",
                                  const std::string& method = kAllWays);
/// ASP programs over the predicates that the networks' encoders invent; their files have the method
/// kPredicateWay.
std::vector<Piece> predicate_pieces(const Study& study);
inline constexpr const char* kPredicateWay = "predicates";

/// The measures of Blackjack's optimal policy, which is Sutton and Barto's table.
Piece blackjack_optimum_piece();

void append(std::vector<Piece>& all, std::vector<Piece> more);

/// The names of the pieces above, one per seed.
std::vector<std::string> train_names(const Study& study);
std::vector<std::string> extract_names(const Study& study, const std::string& as = "",
                                       const std::string& method = kAllWays);
std::string teacher_name(const Study& study);

/// The paths of a run and its programs below the output folder.
std::filesystem::path run_folder(const Study& study, std::uint64_t seed);
std::filesystem::path program_file(const Study& study, std::uint64_t seed, const std::string& way,
                                   const std::string& as);

/// The number at a JSON pointer in the result of every named piece; nulls are left out.
Sample collect(const Results& results, const std::vector<std::string>& names, const std::string& pointer);

/// A program's rows for every observation of an environment.
PolicyTable table_of(const Program& program, const Task& environment);

}  // namespace ndnf
