#pragma once

#include <string>

#include "ndnf/base/error.h"

namespace ndnf {

/// What the Error says that `act` throws; "" if it throws none.
template <class Act>
std::string error_text(Act act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace ndnf
