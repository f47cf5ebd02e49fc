#include "ndnf/export/c_table.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

/// Per group the position of its true atom, or the group's size if none is true.
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

/// The lookup data: the groups of atoms, and one observation per row. REQUIRES: there are groups.
std::string keys_in_c(const ObservationTable& table, std::span<const ObsId> scope, const std::string& name) {
  const Vocabulary& vocabulary = table.vocabulary();
  std::vector<std::size_t> begins;
  for (std::size_t g = 0; g < vocabulary.group_count(); ++g) begins.push_back(vocabulary.first_atom(g));
  begins.push_back(vocabulary.atom_count());
  std::string rows;
  std::set<std::vector<std::size_t>> distinct;
  for (const ObsId obs : scope) {
    const std::vector<std::size_t> seen = positions(table, obs);
    if (!distinct.insert(seen).second) {
      throw Error("", fmt::format("two observations have the same atoms: {}", table.describe(obs)),
                  "a table in C distinguishes observations by their atoms");
    }
    rows += fmt::format("  {{{}}}, /* {} */\n", fmt::join(seen, ", "), table.describe(obs));
  }
  return fmt::format("/* Where each group of atoms begins. */\nstatic const int {}_groups[{}] = {{{}}};\n\n",
                     name, begins.size(), fmt::join(begins, ", ")) +
         fmt::format(
             "/* Per group the position of the true atom; the size of the group where none is. */\n"
             "static const int {}_observations[{}][{}] = {{\n{}}};\n\n",
             name, scope.size(), vocabulary.group_count(), rows);
}

}  // namespace

CBody table_in_c(const PolicyTable& policy, const ObservationTable& table, std::span<const ObsId> scope,
                 const CFile& file) {
  const std::string& name = file.name();
  const std::size_t groups = table.vocabulary().group_count();
  std::string rows;
  for (const ObsId obs : scope) rows += fmt::format("  {{{}}},\n", fmt::join(policy.row(obs), ", "));
  CBody body;
  body.data = fmt::format("static const double {0}_rows[{1}][{0}_actions] = {{\n{2}}};\n\n", name,
                          scope.size(), rows);
  if (groups == 0) {
    body.statements =
        fmt::format("  (void)atoms;\n  for (int a = 0; a < {0}_actions; ++a) p[a] = {0}_rows[0][a];\n", name);
    return body;
  }
  body.data += keys_in_c(table, scope, name);
  body.statements = fmt::format("  int seen[{}];\n", groups);
  body.statements += fmt::format(kLookUp, fmt::arg("name", name), fmt::arg("groups", groups),
                                 fmt::arg("rows", scope.size()));
  return body;
}

}  // namespace ndnf
