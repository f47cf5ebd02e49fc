#include "ndnf/studio/trainings.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/train/listener.h"

namespace ndnf {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostTrainings = 4;     ///< At the same time.
constexpr std::size_t kMostIterations = 400;  ///< Of a run that are reported.
constexpr double kSecondsBetweenCheckpoints = 1;

void put(Json& json, const char* key, const std::optional<double>& value) {
  if (value) json[key] = *value;
}

}  // namespace

/// Turns the iterations of one run into events.
class Trainings::Run final : public TrainingListener {
 public:
  Run(Trainings& all, Training& training, std::size_t number)
      : all_(all), training_(training), number_(number) {}

  void on_iteration(const IterationReport& report, double seconds) override {
    const std::size_t stride = std::max<std::size_t>(1, report.iterations / kMostIterations);
    if (report.iteration % stride != 0 && report.iteration != report.iterations) return;
    Json event = {{"event", "iteration"},          {"run", number_},
                  {"iteration", report.iteration}, {"iterations", report.iterations},
                  {"steps", report.steps},         {"seconds", seconds}};
    put(event, "episodic_return", report.episodic_return);
    put(event, "exact_return", report.exact_return);
    put(event, "delta", report.delta);
    put(event, "entropy", report.entropy);
    put(event, "value_loss", report.value_loss);
    put(event, "distillation_loss", report.distillation_loss);
    all_.add(training_, event);
  }
  void on_checkpoint() override { all_.add(training_, {{"event", "checkpoint"}, {"run", number_}}); }

 private:
  Trainings& all_;
  Training& training_;
  std::size_t number_;
};

Trainings::~Trainings() {
  stop_all();
  for (const auto& [id, training] : trainings_) {
    if (training->thread.joinable()) training->thread.join();
  }
}

std::size_t Trainings::start(const std::string& name, const nlohmann::json& asked, TrainRequest request) {
  TrainRequest checked = request;
  checked.until = TrainRequest::Until::kChecked;
  train(checked);
  const std::lock_guard lock(mutex_);
  const auto busy = std::count_if(trainings_.begin(), trainings_.end(),
                                  [](const auto& entry) { return !entry.second->over; });
  if (static_cast<std::size_t>(busy) >= kMostTrainings)
    throw Error("", fmt::format("{} trainings are under way", busy), "stop one, or wait for it");
  const std::size_t id = trainings_.size() + 1;
  Training& training = *(trainings_[id] = std::make_unique<Training>());
  training.name = name;
  training.asked = asked;
  training.thread = std::thread([this, &training, request] { work(training, request); });
  return id;
}

void Trainings::work(Training& training, TrainRequest request) {
  request.checkpoint_seconds = kSecondsBetweenCheckpoints;
  request.stop = [&training] { return training.stopped.load(); };
  std::size_t number = 0;
  request.listener = [this, &training, &number](const std::string&, std::size_t) {
    return std::make_unique<Run>(*this, training, number++);
  };
  add(training, {{"event", "begin"},
                 {"run", training.name},
                 {"seeds", std::max<std::size_t>(1, request.seeds.size())}});
  Json end = {{"event", "end"}};
  try {
    const std::vector<TrainedRun> runs = train(request);
    end["runs"] = to_json(runs);
    end["finished"] = !runs.empty() && std::all_of(runs.begin(), runs.end(),
                                                   [](const TrainedRun& run) { return run.finished; });
  } catch (const std::exception& error) {
    end["error"] = error.what();
  }
  add(training, end);
}

void Trainings::add(Training& training, const nlohmann::ordered_json& event) {
  {
    const std::lock_guard lock(mutex_);
    training.events.push_back(event.dump(-1, ' ', false, Json::error_handler_t::replace));
    training.over = event.at("event") == "end";
  }
  training.changed.notify_all();
}

Trainings::Training& Trainings::at(std::size_t id) const {
  const auto found = trainings_.find(id);
  if (found == trainings_.end()) throw Error(argument("id"), fmt::format("there is no training {}", id));
  return *found->second;
}

void Trainings::stop(std::size_t id) {
  const std::lock_guard lock(mutex_);
  at(id).stopped = true;
}

void Trainings::stop_all() {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, training] : trainings_) training->stopped = true;
}

Trainings::News Trainings::news(std::size_t id, std::size_t from, std::chrono::milliseconds wait) const {
  std::unique_lock lock(mutex_);
  const Training& training = at(id);
  training.changed.wait_for(lock, wait, [&] { return training.events.size() > from || training.over; });
  News news;
  for (std::size_t i = from; i < training.events.size(); ++i) news.events.push_back(training.events[i]);
  news.over = training.over;
  return news;
}

nlohmann::ordered_json Trainings::list() const {
  const std::lock_guard lock(mutex_);
  Json list = Json::array();
  for (const auto& [id, training] : trainings_)
    list.push_back(
        {{"id", id}, {"run", training->name}, {"over", training->over}, {"request", training->asked}});
  return list;
}

}  // namespace ndnf
