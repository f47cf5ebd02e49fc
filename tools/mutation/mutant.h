#pragma once
// What tools/mutation writes in place of operators, constants and statements. All mutants are in one program: the
// environment variable NDNF_MUTANT chooses the one that is alive. NDNF_MUTATION_TRACE names a file that gets the
// numbers of the sites a run comes by, one per line, with a minus before those that have no mutant for these types.

#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace ndnf_mutation {

inline constexpr int kMostSites = 1 << 16;
inline unsigned char reached[kMostSites];
inline unsigned char impossible[kMostSites];
inline const int chosen = [] {
  const char* text = std::getenv("NDNF_MUTANT");
  return text == nullptr ? -1 : std::atoi(text);
}();

inline const struct Trace {
  ~Trace() {
    const char* path = std::getenv("NDNF_MUTATION_TRACE");
    std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "w");
    if (file == nullptr) return;
    for (int id = 0; id < kMostSites; ++id) {
      if (reached[id] != 0) std::fprintf(file, "%d\n", id);
      if (impossible[id] != 0) std::fprintf(file, "-%d\n", id);
    }
    std::fclose(file);
  }
} trace;

// Constants of the compiler stay as they are.
constexpr bool alive(int id) {
  if (std::is_constant_evaluated()) return false;
  reached[id] = 1;
  return id == chosen;
}

constexpr bool kept(int id) { return !alive(id); }
constexpr bool flipped(int id, bool condition) { return alive(id) != condition; }

template <class T>
constexpr T constant(int id, T zero_or_one) {
  return alive(id) ? static_cast<T>(1 - zero_or_one) : zero_or_one;
}

template <class A, class B>
constexpr bool less(int id, const A& a, const B& b) {
  return alive(id) ? a <= b : a < b;
}
template <class A, class B>
constexpr bool less_equal(int id, const A& a, const B& b) {
  return alive(id) ? a < b : a <= b;
}
template <class A, class B>
constexpr bool greater(int id, const A& a, const B& b) {
  return alive(id) ? a >= b : a > b;
}
template <class A, class B>
constexpr bool greater_equal(int id, const A& a, const B& b) {
  return alive(id) ? a > b : a >= b;
}
template <class A, class B>
constexpr bool equal(int id, const A& a, const B& b) {
  return alive(id) != (a == b);
}
template <class A, class B>
constexpr bool not_equal(int id, const A& a, const B& b) {
  return alive(id) != (a != b);
}

// The second operand is evaluated only where the operator evaluates it.
template <class B>
constexpr bool both(int id, bool a, const B& b) {
  return alive(id) ? a || b() : a && b();
}
template <class B>
constexpr bool either(int id, bool a, const B& b) {
  return alive(id) ? a && b() : a || b();
}

// Texts can be added, but not subtracted.
template <class A, class B>
constexpr auto sum(int id, const A& a, const B& b) {
  using Result = std::decay_t<decltype(a + b)>;
  if constexpr (requires { { a - b } -> std::convertible_to<Result>; }) {
    if (alive(id)) return static_cast<Result>(a - b);
  } else if (!std::is_constant_evaluated()) {
    impossible[id] = 1;
  }
  return static_cast<Result>(a + b);
}
template <class A, class B>
constexpr auto difference(int id, const A& a, const B& b) {
  using Result = std::decay_t<decltype(a - b)>;
  if constexpr (requires { { a + b } -> std::convertible_to<Result>; }) {
    if (alive(id)) return static_cast<Result>(a + b);
  } else if (!std::is_constant_evaluated()) {
    impossible[id] = 1;
  }
  return static_cast<Result>(a - b);
}

}  // namespace ndnf_mutation
