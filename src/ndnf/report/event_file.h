#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ndnf {

// TensorBoard's event files: records of scalars, appended one after the other. The bytes are made here;
// whoever owns the run directory writes them.

/// The record that begins every event file.
std::string event_file_header(double wall_time);

/// One scalar as a record.
std::string scalar_event(std::string_view tag, std::int64_t step, double wall_time, float value);

}  // namespace ndnf
