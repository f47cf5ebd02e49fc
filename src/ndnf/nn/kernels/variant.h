#pragma once

#include "ndnf/nn/kernels/kernels.h"

// The build compiles the kernel sources several times, once per instruction set, with its name as
// NDNF_KERNEL_SET. Only the functions declared here are visible outside of those files.

/// Each function registers the kernels of one file.
#define NDNF_DECLARE_KERNEL_SET(SET)                                     \
  namespace ndnf::kernel_sets::SET {                                     \
  void enter_products(Kernels<float>& floats, Kernels<double>& doubles); \
  void enter_atoms(Kernels<float>& floats, Kernels<double>& doubles);    \
  void enter_biases(Kernels<float>& floats, Kernels<double>& doubles);   \
  void enter_elements(Kernels<float>& floats, Kernels<double>& doubles); \
  }

#ifdef NDNF_KERNEL_SET
NDNF_DECLARE_KERNEL_SET(NDNF_KERNEL_SET)
#endif
