#include "python/src/errors.h"

#include <exception>
#include <filesystem>
#include <new>
#include <string>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/watch.h"
#include "ndnf/system/file.h"

namespace ndnf::python {
namespace {

namespace nb = nanobind;

/// Arguments that are words of Python have an underscore there.
std::string keyword(std::string_view name) {
  std::string word(name);
  for (char& c : word) c = c == '-' ? '_' : c;
  return word == "as" || word == "with" ? word + "_" : word;
}

/// An argument as written in Python: as_="problog".
std::string keyword_text(std::string_view name, std::string_view value) {
  return value.empty() ? keyword(name) + "=" : fmt::format("{}=\"{}\"", keyword(name), value);
}

nb::str text_of(const std::string& text) {
  return nb::steal<nb::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

/// The complaint as (where, line, column, what, hint), in Python's words.
nb::tuple parts(const Complaint& complaint) {
  const auto styled = [](const std::string& text) { return text_of(Error("", text).text(keyword_text)); };
  const Where& where = complaint.where;
  return nb::make_tuple(styled(where.name), where.place.line, where.place.column, styled(complaint.what),
                        styled(complaint.hint));
}

}  // namespace

nb::object error_object(const Error& error) {
  nb::list complaints;
  for (const Complaint& complaint : error.complaints()) complaints.append(parts(complaint));
  return nb::module_::import_("ndnf._errors").attr("Error")(text_of(error.text(keyword_text)), complaints);
}

static void raise(const Error& error) {
  const nb::object value = error_object(error);
  PyErr_SetObject(value.type().ptr(), value.ptr());
}

void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise(error);
    } catch (const std::filesystem::filesystem_error& error) {
      raise(error_of(error));
    }
  });
}

}  // namespace ndnf::python
