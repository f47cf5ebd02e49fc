#include "ndnf/model/architecture_fields.h"

#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"

namespace ndnf {

using nlohmann::ordered_json;

ArchitectureFields::ArchitectureFields(std::string_view where, std::string path, const ordered_json& value,
                                       std::size_t most)
    : where_(where), path_(std::move(path)), value_(value), most_(most) {
  if (!value_.is_object()) reject("is not an object");
}

std::vector<std::size_t> ArchitectureFields::sizes(const char* key) const {
  std::vector<std::size_t> all;
  for (const ordered_json& element : list(key)) all.push_back(read_size(key, element));
  return all;
}

const ordered_json& ArchitectureFields::list(const char* key) const {
  if (!member(key).is_array()) fail(key, "a list");
  return member(key);
}

bool ArchitectureFields::flag(const char* key) const {
  if (!member(key).is_boolean()) fail(key, "true or false");
  return member(key).get<bool>();
}

double ArchitectureFields::fraction(const char* key) const {
  const ordered_json& value = member(key);
  if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > 1) {
    fail(key, "a number from 0 to 1");
  }
  return value.get<double>();
}

Matrix<float> ArchitectureFields::matrix(std::size_t rows, std::size_t cols) const {
  if (rows > most_ / cols) {
    throw Error(std::string(where_), fmt::format("describes a matrix of {} x {} numbers", rows, cols),
                "it is larger than the whole file");
  }
  return {rows, cols};
}

void ArchitectureFields::reject(const std::string& what, const std::string& hint) const {
  throw Error(std::string(where_), fmt::format("{} {}", path_, what), hint);
}

const ordered_json& ArchitectureFields::member(const char* key) const {
  if (!has(key)) throw Error(std::string(where_), fmt::format("{}.{} is missing", path_, key));
  return value_[key];
}

std::size_t ArchitectureFields::read_size(const char* key, const ordered_json& value) const {
  constexpr std::uint64_t kMost = 1u << 31;  // the product of two does not overflow
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() - 1 >= kMost) {
    fail(key, "a positive whole number");
  }
  return value.get<std::size_t>();
}

void ArchitectureFields::fail(const char* key, const std::string& wanted) const {
  const ordered_json& value = member(key);
  const std::string found = value.is_structured() ? "a list or an object" : value.dump();
  throw Error(std::string(where_), fmt::format("{}.{} is {}", path_, key, found), wanted + " is needed here");
}

}  // namespace ndnf
