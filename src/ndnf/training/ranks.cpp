#include "ndnf/training/ranks.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <thread>

#ifdef NDNF_MPI
#include <mpi.h>
#endif

#include "ndnf/base/error.h"
#include "ndnf/base/parallel.h"

namespace ndnf {
namespace {

/// Whether mpirun or srun started this process, according to the variables they set. Otherwise MPI, which is
/// slow to initialise, is not needed.
bool started_together() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    if (std::getenv(variable) != nullptr) return true;
  }
  return false;
}

}  // namespace

std::size_t default_jobs(const Ranks& ranks) {
  return std::max<std::size_t>(1, default_jobs() / ranks.neighbours());
}

#ifdef NDNF_MPI

namespace {

std::size_t size_of(MPI_Comm group) {
  int size = 1;
  MPI_Comm_size(group, &size);
  return static_cast<std::size_t>(size);
}

}  // namespace

Ranks::Ranks() {
  if (!started_together()) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  rank_ = static_cast<std::size_t>(rank);
  size_ = size_of(MPI_COMM_WORLD);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  neighbours_ = size_of(machine);
  MPI_Comm_free(&machine);
}

Ranks::~Ranks() {
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (initialised != 0 && std::uncaught_exceptions() == 0) MPI_Finalize();
}

void Ranks::wait_for_all() {
  if (size_ == 1) return;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int done = 0; done == 0;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

#else

Ranks::Ranks() {
  if (started_together()) {
    throw Error("", "this ndnf was built without MPI, so all ranks would do the same work",
                "install libopenmpi-dev and build again, or start it without mpirun");
  }
}

Ranks::~Ranks() = default;

void Ranks::wait_for_all() {}

#endif

}  // namespace ndnf
