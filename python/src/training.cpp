#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/config.h"
#include "ndnf/base/error.h"
#include "ndnf/base/parallel.h"
#include "ndnf/training/recipe.h"
#include "ndnf/training/train.h"
#include "ndnf/training/training_metrics.h"
#include "python/src/commands.h"
#include "python/src/json_objects.h"
#include "python/src/shared_object.h"
#include "python/src/teachers.h"
#include "python/src/watching.h"

namespace ndnf::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;
using Text = std::optional<std::string>;
using Clock = std::chrono::steady_clock;

/// Tells a Python function about the iterations of a run: about all, or as many as somebody can read.
class PythonListener final : public TrainingListener {
 public:
  PythonListener(SharedObject function, std::string title, std::size_t run, bool every)
      : function_(std::move(function)), title_(std::move(title)), run_(run), every_(every) {}

  void on_iteration(const IterationReport& report, double seconds) override {
    const bool last = report.iteration == report.iterations;
    const Clock::time_point now = Clock::now();
    if (!every_ && !last && now - told_ < kPause) return;
    told_ = now;
    const nb::gil_scoped_acquire gil;
    function_.get()(title_.c_str(), run_, report_object(report, seconds));
  }

 private:
  static constexpr std::chrono::milliseconds kPause{100};

  static nb::dict report_object(const IterationReport& report, double seconds) {
    nb::dict dict;
    dict["iteration"] = report.iteration;
    dict["iterations"] = report.iterations;
    dict["steps"] = report.steps;
    dict["seconds"] = seconds;
    dict["episodes"] = report.episodes;
    const auto add = [&dict](const char* key, const std::optional<double>& value) {
      dict[key] = value ? nb::object(nb::float_(*value)) : nb::object(nb::none());
    };
    add("episodic_return", report.episodic_return);
    add("episodic_length", report.episodic_length);
    add("exact_return", report.exact_return);
    add("delta", report.delta);
    add("entropy", report.entropy);
    add("policy_loss", report.policy_loss);
    add("value_loss", report.value_loss);
    return dict;
  }

  SharedObject function_;
  std::string title_;
  std::size_t run_;
  bool every_;
  Clock::time_point told_{};
};

/// Ends a training when its time is over or Python wants to stop it: `asked` is a function that says so. The
/// exception of a signal's handler is kept, to be raised once all progress is saved.
class Stop {
 public:
  Stop(std::optional<double> seconds, const nb::object& asked) : seconds_(seconds), asked_(asked) {}

  bool operator()() {
    if (stopped_) return true;
    if (seconds_ && std::chrono::duration<double>(Clock::now() - begin_).count() >= *seconds_) return true;
    if (interruption_.due()) ask();
    return stopped_;
  }
  /// Throws what a signal's handler has thrown.
  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  void ask() {
    const nb::gil_scoped_acquire gil;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      stopped_ = nb::cast<bool>(asked_.get()());
    } catch (...) {
      raised_ = std::current_exception();
      stopped_ = true;
    }
  }

  const std::optional<double> seconds_;
  const SharedObject asked_;
  const Clock::time_point begin_ = Clock::now();
  Interruption interruption_;
  std::atomic<bool> stopped_{false};
  std::exception_ptr raised_;
};

struct Training {
  TrainRequest request;
  std::vector<std::string> choices;
};

/// A source that is a task becomes one with a recipe, as for the command.
Training prepared(const std::string& source, const Text& recipe, const Text& model,
                  std::optional<std::uint64_t> steps, std::optional<double> time, const Text& teacher,
                  const std::vector<std::string>& settings, TrainRequest request) {
  Training training{std::move(request), {}};
  training.request.source = source;
  if (is_task(source)) {
    RecipeRequest wanted{source, recipe.value_or("auto"), model.value_or("ndnf-mt"), steps};
    wanted.discount = training.request.discount;
    wanted.teacher = teacher.value_or("");
    if (time) limit_time(wanted, *time, training.request);
    Recipe chosen = recipe_for(wanted);
    training.request.source = std::move(chosen.source);
    training.request.settings = std::move(chosen.settings);
    training.choices = std::move(chosen.choices);
    if (!training.request.out) training.request.out = "runs/" + chosen.folder;
  } else if (recipe || model || steps) {
    throw Error(source, "is not a task: recipe=, model= and steps= say how to learn one",
                "change a preset with " + argument("set"));
  } else if (teacher) {
    training.request.settings.push_back("distill.teacher=" + to_text(ConfigValue(*teacher)));
  }
  training.request.settings.insert(training.request.settings.end(), settings.begin(), settings.end());
  return training;
}

/// Returns the runs and the sentences of the recipe.
nb::typed<nb::tuple, nb::any, nb::any> train_runs(
    const std::string& source, const Text& recipe, const Text& model, std::optional<std::uint64_t> steps,
    std::optional<double> time, const std::vector<std::uint64_t>& seeds, bool folder_per_seed,
    std::optional<std::size_t> jobs, const std::vector<std::string>& settings,
    const std::optional<Input>& shield, std::optional<double> discount, const Text& out, bool resume,
    double checkpoint, const Text& teacher, const Teacher* taught_by, const nb::object& asked,
    const nb::object& progress, bool every) {
  Stop stop(is_task(source) ? std::nullopt : time, asked);  // for a task it becomes a number of steps
  nlohmann::ordered_json runs;
  std::vector<std::string> choices;
  std::optional<SharedObject> function;
  if (!progress.is_none()) function.emplace(progress);
  {
    const nb::gil_scoped_release released;
    TrainRequest given;
    given.out = out;
    given.seeds = seeds;
    given.folder_per_seed = folder_per_seed;
    given.jobs = jobs.value_or(default_jobs());
    given.shield = shield;
    given.discount = discount;
    given.resume = resume;
    given.checkpoint_seconds = checkpoint;
    Training training = prepared(source, recipe, model, steps, time, teacher, settings, std::move(given));
    TrainRequest& request = training.request;
    if (taught_by != nullptr) {
      request.teacher = taught_by->lessons;
      request.rules_teacher = taught_by->policy;
    }
    request.stop = [&stop] { return stop(); };
    if (function) {
      request.listener = [&, next = std::size_t{0}](const std::string& title, std::size_t) mutable {
        return std::make_unique<PythonListener>(*function, title, next++, every);
      };
    }
    runs = to_json(train(request));
    choices = std::move(training.choices);
  }
  stop.rethrow();
  return nb::cast<nb::typed<nb::tuple, nb::any, nb::any>>(nb::make_tuple(to_python(runs), choices));
}

/// The default folder of a source, as the command chooses it.
std::string default_folder(const std::string& source, const Text& recipe, const Text& model) {
  const nb::gil_scoped_release released;
  const Training training = prepared(source, recipe, model, {}, {}, {}, {}, {});
  if (training.request.out) return *training.request.out;
  return "runs/" + load_train_config(training.request.source).run.preset;
}

}  // namespace

void bind_training(nb::module_& m) {
  m.def("train", train_runs, "source"_a, "recipe"_a.none(), "model"_a.none(), "steps"_a.none(),
        "time"_a.none(), "seeds"_a, "folder_per_seed"_a, "jobs"_a.none(), "settings"_a, "shield"_a.none(),
        "discount"_a.none(), "out"_a.none(), "resume"_a, "checkpoint"_a, "teacher"_a.none(),
        "taught_by"_a.none(), "asked"_a, "progress"_a.none(), "every"_a);
  m.def("default_folder", default_folder, "source"_a, "recipe"_a.none(), "model"_a.none());
  m.def(
      "is_task", [](const std::string& word) { return is_task(word); }, "word"_a);
}

}  // namespace ndnf::python
