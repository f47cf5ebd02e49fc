#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "ndnf/training/train.h"

namespace ndnf {

/// Trainings in the background. What happens in one is a list of events, each a JSON object as text, which
/// any number of listeners may follow: `begin`, one `iteration` per iteration of a run (thinned out if there
/// are many), `checkpoint` when a run's files have changed, and `end` with the results or the error. All
/// functions are thread-safe.
class Trainings {
 public:
  Trainings() = default;
  /// Stops all and waits until they are saved.
  ~Trainings();
  Trainings(const Trainings&) = delete;
  Trainings& operator=(const Trainings&) = delete;

  /// Checks the request, then trains it; returns the training's number. `name` is its run directory as the
  /// page knows it, `asked` the request as it was sent. Throws Error for bad input, and if too many
  /// trainings are under way.
  std::size_t start(const std::string& name, const nlohmann::json& asked, TrainRequest request);
  /// Asks it to save and stop; does not wait. Throws Error if there is no such training.
  void stop(std::size_t id);
  void stop_all();

  struct News {
    std::vector<std::string> events;
    bool over = false;  ///< No event will follow.
  };
  /// The events from this number on; waits for one up to `wait`. Throws Error if there is no such training.
  News news(std::size_t id, std::size_t from, std::chrono::milliseconds wait) const;

  /// One object per training: `id`, `run`, `over`, and the `request` that has begun it.
  nlohmann::ordered_json list() const;

 private:
  class Run;
  struct Training {
    std::string name;
    nlohmann::ordered_json asked;
    std::vector<std::string> events;
    bool over = false;
    std::atomic<bool> stopped{false};
    mutable std::condition_variable changed;
    std::thread thread;
  };

  Training& at(std::size_t id) const;
  void add(Training& training, const nlohmann::ordered_json& event);
  void work(Training& training, TrainRequest request);

  mutable std::mutex mutex_;
  std::map<std::size_t, std::unique_ptr<Training>> trainings_;
};

}  // namespace ndnf
