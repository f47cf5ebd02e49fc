#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "cli/program.h"
#include "ndnf/solvers/solver_process.h"
#include "ndnf/system/input.h"
#include "ndnf/training/build_info.h"
#include "python/src/acting.h"
#include "python/src/commands.h"
#include "python/src/errors.h"
#include "python/src/native_env.h"
#include "python/src/tasks.h"
#include "python/src/teachers.h"

namespace nb = nanobind;

namespace {

/// An exception of Python as one sentence: our own as it is, another with the place where it was raised.
std::string sentence_of(const std::exception& error) {
  const auto* of_python = dynamic_cast<const nb::python_error*>(&error);
  if (of_python == nullptr) return error.what();
  const nb::gil_scoped_acquire gil;
  return nb::cast<std::string>(
      nb::module_::import_("ndnf._errors").attr("sentence_of")(of_python->value(), of_python->traceback()));
}

/// The command `ndnf` with these arguments, the first of which is its name.
int run_program(const std::vector<std::string>& arguments) {
  std::vector<const char*> words;
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  const nb::gil_scoped_release released;
  return ndnf::cli::run_program(static_cast<int>(words.size()), words.data(), {}, sentence_of);
}

}  // namespace

NB_MODULE(_engine, m) {
  m.doc() = "The engine of ndnf. Use the package ndnf, which is made from it.";
  nb::set_leak_warnings(false);  // the engine keeps Python's task sources until the process ends
  ndnf::python::translate_errors();
  nb::class_<ndnf::Input>(m, "Input", "A file by its path, or contents with a name.")
      .def(
          "__init__",
          [](ndnf::Input* self, std::string name, std::optional<nb::bytes> contents) {
            new (self) ndnf::Input(std::move(name));
            if (contents) self->contents = std::string(contents->c_str(), contents->size());
          },
          nb::arg("name"), nb::arg("contents") = nb::none())
      .def_ro("name", &ndnf::Input::name);
  ndnf::python::bind_tasks(m);
  ndnf::python::bind_native_envs(m);
  ndnf::python::bind_acting(m);
  ndnf::python::bind_commands(m);
  ndnf::python::bind_teachers(m);
  ndnf::python::bind_training(m);
  m.def("run_program", run_program, nb::arg("arguments"));
  m.def(
      "use_solvers",
      [](std::vector<std::string> clingo, std::string problog_python, std::string z3) {
        ndnf::use_solvers({std::move(clingo), std::move(problog_python), std::move(z3)});
      },
      nb::arg("clingo"), nb::arg("problog_python"), nb::arg("z3"));
  m.def("version", [] { return ndnf::build_info().version; });
}
