#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ndnf/base/error.h"
#include "ndnf/env/task.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/pipeline/edit_program.h"

namespace ndnf {

/// Throws Error for options that do not belong together.
void check_request(const EditRequest& request, Syntax syntax);

/// The request with its condition in the whole numbers of rules. Throws Error for one that rules cannot make.
EditRequest without_units(EditRequest request, Syntax syntax, const Vocabulary& vocabulary);

/// The result of `make`, whose mistakes are in a condition that follows `columns` characters of ours.
template <class Make>
auto in_the_condition(std::size_t columns, const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    std::vector<Complaint> complaints = error.complaints();
    for (Complaint& complaint : complaints) {
      Place& place = complaint.where.place;
      if (place.line == 1 && place.column > columns) place.column -= static_cast<std::uint32_t>(columns);
    }
    throw Error(std::move(complaints));
  }
}

/// A program's text after rules were removed, replaced and added.
struct ChangedText {
  std::string text;
  std::size_t own_lines = 0;  ///< The lines before the added rules.
};

/// Throws Error for rules that are not in the program, and for what is not a rule.
ChangedText with_changed_rules(const EditRequest& request, const PolicySource& source);

/// The result of `make`, which reads such a text. Mistakes in the n-th added rule are in line n of the
/// option.
template <class Make>
auto in_the_rules(const ChangedText& changed, const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    std::vector<Complaint> complaints = error.complaints();
    for (Complaint& complaint : complaints) {
      if (complaint.where.place.line <= changed.own_lines) continue;
      complaint.where.name = argument("add");
      complaint.where.place.line -= static_cast<std::uint32_t>(changed.own_lines);
    }
    throw Error(std::move(complaints));
  }
}

/// A task without a finite model, with one that has a decision in each kind of observation that the rules
/// before and after the edit tell apart. What is true there is true in every observation.
Task with_cells(Task task, const EditRequest& request, const PolicySource& source,
                const ChangedText& changed);

}  // namespace ndnf
