#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ndnf {

// TensorBoard's event files: a sequence of records of scalars. The functions here only create the bytes; the
// owner of the run directory writes them.

/// The first record of every event file.
std::string event_file_header(double wall_time);

/// One scalar as a record.
std::string scalar_event(std::string_view tag, std::int64_t step, double wall_time, float value);

}  // namespace ndnf
