#pragma once

#include "ndnf/nn/kernels/kernels.h"

// The build compiles the kernels' sources several times, each time for another instruction set and with its
// name as NDNF_KERNEL_SET. What is declared here is all that can be seen outside of their files.

/// Each function enters the kernels of one file.
#define NDNF_DECLARE_KERNEL_SET(SET)                                     \
  namespace ndnf::kernel_sets::SET {                                     \
  void enter_products(Kernels<float>& floats, Kernels<double>& doubles); \
  void enter_biases(Kernels<float>& floats, Kernels<double>& doubles);   \
  void enter_elements(Kernels<float>& floats, Kernels<double>& doubles); \
  }

#ifdef NDNF_KERNEL_SET
NDNF_DECLARE_KERNEL_SET(NDNF_KERNEL_SET)
#endif
