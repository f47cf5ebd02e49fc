#pragma once

#include <memory>

#include <nanobind/nanobind.h>

namespace ndnf::python {

/// A Python object that the engine keeps and copies without the GIL: its reference count changes only when
/// the last copy goes.
class SharedObject {
 public:
  /// REQUIRES: the GIL is held.
  explicit SharedObject(const nanobind::object& object)
      : object_(new nanobind::object(object), [](nanobind::object* owned) {
          if (Py_IsInitialized() == 0) return;  // the interpreter is gone, and the object with it
          const nanobind::gil_scoped_acquire gil;
          delete owned;
        }) {}

  /// REQUIRES: the GIL is held while the object is used.
  const nanobind::object& get() const { return *object_; }

 private:
  std::shared_ptr<nanobind::object> object_;
};

}  // namespace ndnf::python
