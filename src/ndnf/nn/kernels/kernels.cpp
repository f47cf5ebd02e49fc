#include "ndnf/nn/kernels/kernels.h"

#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/nn/kernels/variant.h"

// The kernel sets that the build produces: v1 everywhere, the others if the compiler targets x86-64.
#ifdef NDNF_X86_KERNELS
#define NDNF_FOR_KERNEL_SETS(DO) DO(v1) DO(v3) DO(v4)
#else
#define NDNF_FOR_KERNEL_SETS(DO) DO(v1)
#endif

NDNF_FOR_KERNEL_SETS(NDNF_DECLARE_KERNEL_SET)

namespace ndnf {
namespace {

bool processor_has(std::string_view set) {
#ifdef NDNF_X86_KERNELS
  if (set == "v3")
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
  if (set == "v4")
    return processor_has("v3") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512cd");
#endif
  return set == "v1";
}

KernelSet choose() {
  const std::vector<KernelSet> sets = usable_kernel_sets();
  const char* const wanted = std::getenv("NDNF_KERNELS");
  if (wanted == nullptr || *wanted == '\0') return sets.back();
  std::string names;
  for (const KernelSet& set : sets) {
    if (set.name == wanted) return set;
    names += (names.empty() ? "" : ", ") + std::string(set.name);
  }
  throw Error("NDNF_KERNELS", fmt::format("there are no kernels {} for this processor", wanted),
              fmt::format("it has {}", names));
}

}  // namespace

std::vector<KernelSet> usable_kernel_sets() {
  std::vector<KernelSet> sets;
#define NDNF_ADD(SET)                                          \
  if (processor_has(#SET)) {                                   \
    KernelSet& set = sets.emplace_back();                      \
    set.name = #SET;                                           \
    kernel_sets::SET::enter_products(set.floats, set.doubles); \
    kernel_sets::SET::enter_atoms(set.floats, set.doubles);    \
    kernel_sets::SET::enter_biases(set.floats, set.doubles);   \
    kernel_sets::SET::enter_elements(set.floats, set.doubles); \
  }
  NDNF_FOR_KERNEL_SETS(NDNF_ADD)
#undef NDNF_ADD
  return sets;
}

const KernelSet& kernel_set() {
  static const KernelSet chosen = choose();
  return chosen;
}

template <>
const Kernels<float>& kernels() {
  static const Kernels<float>& chosen = kernel_set().floats;
  return chosen;
}
template <>
const Kernels<double>& kernels() {
  static const Kernels<double>& chosen = kernel_set().doubles;
  return chosen;
}

}  // namespace ndnf
