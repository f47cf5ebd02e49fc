#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/mdp/vocabulary.h"

namespace ndnf {

/// The parts of a C99 file that depend on the kind of policy.
struct CBody {
  std::string data{};        ///< Constants and functions at file level.
  std::string statements{};  ///< Body of NAME_probabilities: fills `p` from the observation.
  bool math = false;         ///< They use <math.h>.
  std::string head{};        ///< Other includes.
};

/// The text in a form that a C comment may contain: on one line, without an end of comment.
std::string comment_text(std::string_view text);

/// A policy as one C99 file without dependencies (docs/deployment.md), also valid C++: names for atoms and
/// actions and the functions NAME_probabilities, NAME_action, NAME_sample and NAME_name. The observation is
/// `const unsigned char *atoms` and, where the task has quantities, `const float *numbers`; or, for a network
/// that reads dense rows, `const float *image`; where there are no atoms, `const float *numbers` alone.
class CFile {
 public:
  /// NAME is derived from `policy`. `dense_size` is the length of the dense rows, 0 for policies over atoms.
  CFile(std::string_view policy, const Vocabulary& vocabulary, std::size_t dense_size = 0);

  const std::string& name() const { return name_; }
  /// What the observation is called: `atoms`, `image`, `numbers` or `atoms, numbers`.
  std::string observation() const;
  bool reads_atoms() const {
    return dense_size_ == 0 && (vocabulary_.atom_count() > 0 || !reads_quantities());
  }
  /// Whether it is a policy over atoms and quantities, and the index of one in `numbers`.
  bool reads_quantities() const { return dense_size_ == 0 && !vocabulary_.quantities().empty(); }
  std::string number(std::size_t quantity) const { return name_ + "_number_" + numbers_[quantity]; }
  std::string atom(AtomId atom) const { return name_ + "_atom_" + atoms_[atom]; }
  std::string action(ActionId action) const { return name_ + "_action_" + actions_[action]; }

  /// The whole file. `about` has the first lines of its comment.
  std::string text(const std::vector<std::string>& about, const CBody& body) const;

 private:
  std::string top_comment(const std::vector<std::string>& about) const;
  std::string parameters() const;
  std::string example() const;
  std::string enumerators() const;
  std::string functions(const CBody& body) const;
  std::string with_names(std::string_view pattern) const;

  const Vocabulary& vocabulary_;
  std::size_t dense_size_;
  std::string name_;
  std::vector<std::string> atoms_;
  std::vector<std::string> numbers_;
  std::vector<std::string> actions_;
};

}  // namespace ndnf
