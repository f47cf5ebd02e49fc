#pragma once

#include <cstddef>

namespace ndnf {

/// The processes that share a job: those that mpirun or srun started together, or this one alone. They tell
/// each other nothing but when they are done; results go through files in a folder that all see.
class Ranks {
 public:
  /// Finds out who is there. Throws Error if there are several and this build knows no MPI. One object per
  /// program; made and used on the main thread.
  Ranks();
  /// An exception on its way leaves MPI as it is: the program then ends without a farewell, and mpirun ends
  /// the others.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  std::size_t rank() const { return rank_; }
  std::size_t size() const { return size_; }
  /// The one that reports.
  bool first() const { return rank_ == 0; }
  /// How many of them share this machine.
  std::size_t neighbours() const { return neighbours_; }

  /// Returns when all have called it. Sleeps meanwhile: the others need the cores.
  void wait_for_all();

 private:
  std::size_t rank_ = 0;
  std::size_t size_ = 1;
  std::size_t neighbours_ = 1;
};

/// One thread per core, shared fairly with the ranks on this machine.
std::size_t default_jobs(const Ranks& ranks);

}  // namespace ndnf
