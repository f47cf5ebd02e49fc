#include "python/src/json_objects.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace ndnf::python {

namespace nb = nanobind;

nb::object to_python(const nlohmann::ordered_json& json) {
  if (json.is_null()) return nb::none();
  if (json.is_boolean()) return nb::bool_(json.get<bool>());
  if (json.is_number_unsigned()) return nb::int_(json.get<std::uint64_t>());
  if (json.is_number_integer()) return nb::int_(json.get<std::int64_t>());
  if (json.is_number()) {
    const double number = json.get<double>();
    return std::isnan(number) ? nb::none() : nb::object(nb::float_(number));  // unknown, printed as null
  }
  if (json.is_string()) {
    const auto& text = json.get_ref<const std::string&>();
    return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  }
  if (json.is_array()) {
    nb::list list;
    for (const nlohmann::ordered_json& element : json) list.append(to_python(element));
    return list;
  }
  nb::dict dict;
  for (const auto& [key, value] : json.items()) dict[nb::str(key.c_str(), key.size())] = to_python(value);
  return dict;
}

}  // namespace ndnf::python
