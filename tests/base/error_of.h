#pragma once

#include <string>

#include "ndnf/base/error.h"

namespace ndnf::testing {

/// The message of the Error that `action` throws, or "" when it throws none.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace ndnf::testing
