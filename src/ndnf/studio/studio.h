#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/base/error.h"
#include "ndnf/studio/trainings.h"
#include "ndnf/studio/workspace.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// What a studio is opened on.
struct StudioSubject {
  std::string kind;    ///< "run", "program", "task", or "" for nothing: the page begins with the tour.
  std::string name;    ///< As the page's requests name it: in the workspace, or a task.
  std::string folder;  ///< The workspace.
  std::string env;     ///< The task; empty if the policy names its own.
};

/// What the user's argument is: nothing, a task, a program, or a run, whose folder is then the workspace. A
/// program's workspace is its folder. Throws Error if it is none of these.
StudioSubject studio_subject(const std::string& argument, const std::optional<std::string>& env,
                             const std::optional<std::string>& folder);

/// The engine behind the page (docs/studio-api.md): its requests are those of pipeline/, as JSON. It keeps no
/// state but trainings and files, so requests may come from any number of pages and threads.
class Studio {
 public:
  explicit Studio(StudioSubject subject);

  const StudioSubject& subject() const { return subject_; }
  /// The answer to a request. Throws Error for bad input, also for an unknown request.
  nlohmann::ordered_json answer(const std::string& request, const nlohmann::json& body);
  Trainings& trainings() { return trainings_; }

  /// The names of all requests.
  static std::vector<std::string> requests();

 private:
  StudioSubject subject_;
  Workspace workspace_;
  Trainings trainings_;
};

/// `error` (a sentence), and `complaints`: each `line`, `column`, `what`, `hint`, for the places in a
/// program.
nlohmann::ordered_json error_json(const Error& error);

}  // namespace ndnf
