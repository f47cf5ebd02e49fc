#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ndnf/base/error.h"
#include "ndnf/env/task.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/pipeline/edit_program.h"

namespace ndnf {

/// The request with its condition on one line, as it is written into a rule and a comment. Throws Error for
/// comments in it.
EditRequest in_one_line(EditRequest request);

/// Throws Error for options that do not belong together.
void check_request(const EditRequest& request, Syntax syntax);

/// The request with its condition in the whole numbers of rules. Throws Error for one that rules cannot make.
EditRequest without_units(EditRequest request, Syntax syntax, const Vocabulary& vocabulary);

/// The result of `make`, whose mistakes are in the request's condition, after `columns` characters of ours.
/// One that was written in units has other columns in whole numbers: then they are left out.
template <class Make>
auto in_the_condition(const EditRequest& request, std::size_t columns, const Make& make) {
  const bool as_written = request.shown_when.empty() || request.shown_when == request.when;
  try {
    return make();
  } catch (const Error& error) {
    std::vector<Complaint> complaints = error.complaints();
    for (Complaint& complaint : complaints) {
      Place& place = complaint.where.place;
      if (place.line != 1 || place.column <= columns) continue;
      if (as_written) {
        place.column -= static_cast<std::uint32_t>(columns);
      } else {
        place = {};
      }
    }
    throw Error(std::move(complaints));
  }
}

/// A program's text after rules were removed, replaced and added, and the new rules alone, one after the
/// other.
struct ChangedText {
  std::string text{};
  std::string replacing{};
  std::string added{};
};

/// Throws Error for rules that are not in the program, and for what is not a rule.
ChangedText with_changed_rules(const EditRequest& request, const PolicySource& source);

/// Calls `read(name, text)`, which throws Error for the mistakes of a text, on the changed one. Those in new
/// rules are placed in the option that they were given by, the n-th rule in line n; others in the program as
/// it would be.
void report_mistakes(const ChangedText& changed, const std::string& name,
                     const std::function<void(const std::string& name, const std::string& text)>& read);

/// A task without a finite model, with one that has a decision in each kind of observation that the rules
/// before and after the edit tell apart. What is true there is true in every observation.
Task with_cells(Task task, const EditRequest& request, const PolicySource& source,
                const ChangedText& changed);

}  // namespace ndnf
