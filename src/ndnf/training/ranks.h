#pragma once

#include <cstddef>

namespace ndnf {

/// The processes that share a job: those started together by mpirun or srun, or this one alone. They exchange
/// nothing but barriers; results go through files in a shared folder.
class Ranks {
 public:
  /// Initialises MPI if needed. Throws Error if there are several processes and this build has no MPI. One
  /// object per program, created and used on the main thread.
  Ranks();
  /// Finalises MPI, except during the unwinding of an exception: the process then ends without MPI_Finalize,
  /// and mpirun ends the other ranks.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  std::size_t rank() const { return rank_; }
  std::size_t size() const { return size_; }
  /// Whether this is the rank that reports results.
  bool first() const { return rank_ == 0; }
  /// The number of ranks on this machine.
  std::size_t neighbours() const { return neighbours_; }

  /// A barrier: returns when all ranks have called it. Sleeps instead of spinning, since others need the
  /// cores.
  void wait_for_all();

 private:
  std::size_t rank_ = 0;
  std::size_t size_ = 1;
  std::size_t neighbours_ = 1;
};

/// One thread per core, divided by the number of ranks on this machine.
std::size_t default_jobs(const Ranks& ranks);

}  // namespace ndnf
