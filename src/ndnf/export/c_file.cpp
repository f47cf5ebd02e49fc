#include "ndnf/export/c_file.h"

#include <fmt/format.h>

#include "ndnf/base/identifier.h"

namespace ndnf {
namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// In these texts NAME is the policy's name, PARAMETER the declared observation and OBSERVATION its name.

constexpr std::string_view kUse = R"( *
 * NAME_probabilities fills p with one probability per action.
 * NAME_action gives the most probable action, the first of equals; -1 where the policy names no action, -2
 *   where it names several, or probabilities that do not sum to 1.
 * NAME_sample draws an action by u, a uniform random number with 0 <= u < 1; -1 and -2 as above.
 * NAME_name gives an action's name, or "none".
 *
 * Example:
)";

constexpr std::string_view kDeclarations = R"(
#ifdef __cplusplus
extern "C" {
#endif

void NAME_probabilities(PARAMETER, double *p);
int NAME_action(PARAMETER);
int NAME_sample(PARAMETER, double u);
const char *NAME_name(int action);

)";

constexpr std::string_view kPick = R"(
/* 0 where p is a distribution. */
static int NAME_defect(const double *p) {
  double sum = 0;
  for (int a = 0; a < NAME_actions; ++a) sum += p[a];
  if (sum > 1 - 1e-6 && sum < 1 + 1e-6) return 0;
  return sum > 0 ? -2 : -1;
}

int NAME_action(PARAMETER) {
  double p[NAME_actions];
  NAME_probabilities(OBSERVATION, p);
  int best = NAME_defect(p);
  for (int a = 1; a < NAME_actions && best >= 0; ++a) {
    if (p[a] > p[best]) best = a;
  }
  return best;
}

int NAME_sample(PARAMETER, double u) {
  double p[NAME_actions];
  NAME_probabilities(OBSERVATION, p);
  int drawn = NAME_defect(p);
  for (int a = 0; a < NAME_actions && drawn >= 0 && u >= 0; ++a) {
    if (p[a] > 0) drawn = a;
    u -= p[a];
  }
  return drawn;
}
)";

}  // namespace

std::string comment_text(std::string_view text) {
  std::string line;
  for (const char c : text) line += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  return replaced(replaced(std::move(line), "*/", "* /"), "/*", "/ *");
}

CFile::CFile(std::string_view policy, const Vocabulary& vocabulary, std::size_t dense_size)
    : vocabulary_(vocabulary), dense_size_(dense_size), name_(identifier(policy, "policy_")) {
  if (name_.ends_with('_')) name_.pop_back();
  Identifiers atoms("");
  for (const std::string& atom : vocabulary.atom_names()) atoms_.push_back(atoms.add(atom));
  Identifiers numbers("");
  for (const Quantity& quantity : vocabulary.quantities()) numbers_.push_back(numbers.add(quantity.name));
  Identifiers actions("");
  for (const std::string& action : vocabulary.actions()) actions_.push_back(actions.add(action));
}

std::string CFile::observation() const {
  if (dense_size_ > 0) return vocabulary_.atom_count() > 0 ? "image" : "numbers";
  if (!reads_quantities()) return "atoms";
  return reads_atoms() ? "atoms, numbers" : "numbers";
}

std::string CFile::parameters() const {
  if (dense_size_ > 0) return "const float *" + observation();
  std::string text = reads_atoms() ? "const unsigned char *atoms" : "";
  if (reads_quantities()) text += std::string(text.empty() ? "" : ", ") + "const float *numbers";
  return text;
}

std::string CFile::with_names(std::string_view pattern) const {
  std::string text = replaced(std::string(pattern), "PARAMETER", parameters());
  text = replaced(std::move(text), "OBSERVATION", observation());
  return replaced(std::move(text), "NAME", name_);
}

std::string CFile::top_comment(const std::vector<std::string>& about) const {
  std::string out;
  for (const std::string& line : about) {
    out += fmt::format("{} {}\n", out.empty() ? "/*" : " *", comment_text(line));
  }
  out += with_names(kUse) + example();
  return out + with_names(" *   if (NAME_action(OBSERVATION) == ") + action(0) + ") ...\n */\n";
}

/// How an observation is declared.
std::string CFile::example() const {
  if (dense_size_ > 0) {
    const bool image = observation() == "image";
    return with_names(" *   float OBSERVATION[NAME_OBSERVATION_size];  ") +
           (image ? "the numbers of the image, cell by cell\n" : "the environment's numbers, in its order\n");
  }
  std::string out;
  if (reads_atoms()) out += with_names(" *   unsigned char atoms[NAME_atoms] = {0};\n");
  if (!atoms_.empty()) out += fmt::format(" *   atoms[{}] = 1;  for every atom that is true\n", atom(0));
  if (reads_quantities())
    out += with_names(
        " *   float numbers[NAME_numbers_size];  the environment's numbers, in its order; not NaN\n");
  return out;
}

std::string CFile::enumerators() const {
  std::string out = "enum {\n";
  if (dense_size_ > 0) {
    out += with_names("  NAME_OBSERVATION_size = ") + fmt::format("{},\n", dense_size_);
  }
  if (reads_atoms()) {
    for (AtomId a = 0; a < atoms_.size(); ++a) {
      out += fmt::format("  {} = {}, /* {} */\n", atom(a), a, vocabulary_.atom_name(a));
    }
    out += fmt::format("  {}_atoms = {}\n}};\n\nenum {{\n", name_, atoms_.size());
  }
  if (reads_quantities()) {
    for (std::size_t q = 0; q < numbers_.size(); ++q) {
      const std::string& unit = vocabulary_.quantities()[q].unit;
      out += fmt::format("  {} = {},{}\n", number(q), q,
                         unit.empty() ? "" : fmt::format(" /* {} */", comment_text(unit)));
    }
    out += fmt::format("  {}_numbers_size = {}\n}};\n\nenum {{\n", name_, numbers_.size());
  }
  for (ActionId a = 0; a < actions_.size(); ++a) out += fmt::format("  {} = {},\n", action(a), a);
  return out + fmt::format("  {}_actions = {}\n}};\n", name_, actions_.size());
}

std::string CFile::functions(const CBody& body) const {
  std::string out = body.data;
  out += with_names("void NAME_probabilities(PARAMETER, double *p) {\n");
  out += body.statements + "}\n" + with_names(kPick);
  out += with_names("\nconst char *NAME_name(int action) {\n  switch (action) {\n");
  for (ActionId a = 0; a < actions_.size(); ++a) {
    out += fmt::format("    case {}: return \"{}\";\n", action(a), vocabulary_.action_name(a));
  }
  return out + "    default: return \"none\";\n  }\n}\n";
}

std::string CFile::text(const std::vector<std::string>& about, const CBody& body) const {
  return top_comment(about) + (body.math ? "#include <math.h>\n\n" : "") + body.head + enumerators() +
         with_names(kDeclarations) + functions(body) + "\n#ifdef __cplusplus\n}\n#endif\n";
}

}  // namespace ndnf
