#include "ndnf/mdp/c_table.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

/// Per group the position of its true atom, or the group's size when none is true.
std::vector<std::size_t> positions(const ObservationTable& table, ObsId obs) {
  std::vector<std::size_t> result;
  for (std::size_t g = 0; g < table.vocabulary().group_count(); ++g) {
    const std::uint32_t value = table.values(obs)[g];
    result.push_back(table.vocabulary().group(g).one_hot ? value : 1 - value);
  }
  return result;
}

constexpr std::string_view kLookUp = R"(  for (int g = 0; g < {groups}; ++g) {{
    int atom = {name}_groups[g];
    while (atom < {name}_groups[g + 1] && !atoms[atom]) ++atom;
    seen[g] = atom - {name}_groups[g];
  }}
  for (int a = 0; a < {name}_actions; ++a) p[a] = 0;
  for (int row = 0; row < {rows}; ++row) {{
    int same = 0;
    while (same < {groups} && seen[same] == {name}_observations[row][same]) ++same;
    if (same < {groups}) continue;
    for (int a = 0; a < {name}_actions; ++a) p[a] = {name}_rows[row][a];
  }}
)";

}  // namespace

CBody table_in_c(const PolicyTable& policy, const ObservationTable& table, std::span<const ObsId> scope,
                 const CFile& file) {
  const Vocabulary& vocabulary = table.vocabulary();
  std::vector<std::size_t> begins;
  for (std::size_t g = 0; g < vocabulary.group_count(); ++g) begins.push_back(vocabulary.first_atom(g));
  begins.push_back(vocabulary.atom_count());
  std::string observations;
  std::string rows;
  std::set<std::vector<std::size_t>> distinct;
  for (const ObsId obs : scope) {
    const std::vector<std::size_t> seen = positions(table, obs);
    if (!distinct.insert(seen).second) {
      throw Error("", fmt::format("two observations show {}", table.describe(obs)),
                  "a table in C tells observations apart by their atoms");
    }
    observations += fmt::format("  {{{}}}, /* {} */\n", fmt::join(seen, ", "), table.describe(obs));
    rows += fmt::format("  {{{}}},\n", fmt::join(policy.row(obs), ", "));
  }
  const std::string& name = file.name();
  CBody body;
  body.data =
      fmt::format("/* Where each group of atoms begins. */\nstatic const int {}_groups[{}] = {{{}}};\n\n",
                  name, begins.size(), fmt::join(begins, ", "));
  body.data += fmt::format(
      "/* Per group the position of the true atom; the size of the group where none is. */\n"
      "static const int {}_observations[{}][{}] = {{\n{}}};\n\n",
      name, scope.size(), vocabulary.group_count(), observations);
  body.data += fmt::format("static const double {0}_rows[{1}][{0}_actions] = {{\n{2}}};\n\n", name,
                           scope.size(), rows);
  body.statements = fmt::format("  int seen[{}];\n", vocabulary.group_count());
  body.statements +=
      fmt::format(kLookUp, fmt::arg("name", name), fmt::arg("groups", vocabulary.group_count()),
                  fmt::arg("rows", scope.size()));
  return body;
}

}  // namespace ndnf
