#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "ndnf/nn/matrix.h"

namespace ndnf {

/// The possible values of a member, and their names.
template <class T>
struct NamedValue {
  std::string_view name;
  T value;
};
template <class T>
using NamedValues = std::array<NamedValue<T>, 2>;

/// An object of a checkpoint's architecture. Asking for a member that is missing or has another type throws
/// an Error naming it.
class ArchitectureFields {
 public:
  /// `where` names the file; no matrix gets more than `most` elements. REQUIRES: `where` and `value` outlive
  /// this.
  ArchitectureFields(std::string_view where, std::string path, const nlohmann::ordered_json& value,
                     std::size_t most);

  bool has(const char* key) const { return value_.contains(key); }
  ArchitectureFields object(const char* key) const { return {where_, path_ + "." + key, member(key), most_}; }

  std::size_t size(const char* key) const { return read_size(key, member(key)); }
  std::vector<std::size_t> sizes(const char* key) const;
  /// The elements of a list, whatever they are.
  const nlohmann::ordered_json& list(const char* key) const;
  bool flag(const char* key) const;
  double fraction(const char* key) const;
  template <class T>
  T choice(const char* key, const NamedValues<T>& names) const {
    for (const auto& [name, value] : names) {
      if (member(key) == name) return value;
    }
    fail(key, std::string(names[0].name) + " or " + std::string(names[1].name));
  }

  /// Zeros. Throws Error if it would be larger than the limit: a file's claims must not exhaust the memory.
  Matrix<float> matrix(std::size_t rows, std::size_t cols) const;

  /// Throws Error about the whole object.
  [[noreturn]] void reject(const std::string& what, const std::string& hint = "") const;

 private:
  const nlohmann::ordered_json& member(const char* key) const;
  std::size_t read_size(const char* key, const nlohmann::ordered_json& value) const;
  [[noreturn]] void fail(const char* key, const std::string& wanted) const;

  std::string_view where_;
  std::string path_;
  const nlohmann::ordered_json& value_;
  std::size_t most_;
};

}  // namespace ndnf
