#include "ndnf/env/environment.h"

#include <map>

#include "ndnf/base/fingerprint.h"

namespace ndnf {

std::string Environment::fingerprint() const { return source.empty() ? "" : ndnf::fingerprint(source); }

std::string canonical_spec(std::string_view where, const std::string& name,
                           const std::vector<ConfigField>& fields,
                           const std::vector<ConfigAssignment>& assignments) {
  std::map<std::string, ConfigValue> assigned;
  for (const ConfigAssignment& assignment : assignments) {
    const ConfigField& field = find_field(where, fields, assignment);
    assigned[field.key] = field.checked(where, assignment.value);
  }
  std::string spec = name;
  char separator = ':';
  for (const ConfigField& field : fields) {
    const auto found = assigned.find(field.key);
    if (found == assigned.end() || found->second == field.fallback) continue;
    spec += separator + field.key + "=" + to_text(found->second, true);
    separator = ',';
  }
  return spec;
}

}  // namespace ndnf
