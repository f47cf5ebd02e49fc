#include "cli/studio.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/policy_options.h"
#include "cli/signals.h"
#include "ndnf/base/error.h"
#include "ndnf/system/process.h"

namespace ndnf::cli {
namespace {

struct StudioOptions {
  std::string subject;
  std::optional<std::string> env;
  std::optional<std::string> folder;
  std::uint16_t port = 0;
  bool no_browser = false;
};

/// Opens the user's browser by a file that only the user can read: the address contains the token, and
/// arguments of processes are visible to everybody on the machine.
void open_browser(const std::string& address, std::string& file) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  file = (std::filesystem::temp_directory_path() / "ndnf-studio-XXXXXX.html").string();
  const int opened = ::mkstemps(file.data(), 5);
  if (opened < 0) return file.clear();
  const std::string page = fmt::format(
      "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url={0}\"><a href=\"{0}\">studio</a>\n",
      address);
  const bool written = ::write(opened, page.data(), page.size()) == static_cast<ssize_t>(page.size());
  ::close(opened);
  if (!written) return;
  const pid_t child = ::fork();
  if (child != 0) return;
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  ::execlp("xdg-open", "xdg-open", file.c_str(), static_cast<char*>(nullptr));
  ::_exit(127);
}

/// How the studio ended.
struct StudioEnd {
  std::string folder;
};

nlohmann::ordered_json to_json(const StudioEnd& end) { return {{"folder", end.folder}}; }

Reply run_studio(const StudioOptions& options, const StudioServer& serve) {
  if (!serve)
    throw Error("studio", "this program has no web server",
                "use the plain program (make build), or ndnf.studio(policy) in a notebook");
  Studio studio(studio_subject(options.subject, options.env, options.folder));
  const SignalGuard guard;
  std::string opened;
  serve(
      studio, options.port,
      [&](const std::string& address) {
        fmt::print("studio: {}\nfiles:  {}\nCtrl-C ends it; trainings are saved\n", address,
                   studio.subject().folder);
        std::fflush(stdout);
        if (!options.no_browser) open_browser(address, opened);
      },
      [] { return interrupted != 0; });
  if (!opened.empty()) std::filesystem::remove(opened);
  return reply(StudioEnd{studio.subject().folder}, [](const StudioEnd& end) {
    return fmt::format("the studio has ended; its files are in {}\n", end.folder);
  });
}

Action prepare_studio(CLI::App& app, const StudioServer& serve) {
  const auto options = std::make_shared<StudioOptions>();
  app.add_option("RUN|PROGRAM|TASK", options->subject,
                 "a run, a program (.lp, .pl), a network, or a task; its folder is the only one that the "
                 "page can read and "
                 "write (default: a guided tour, in runs/studio)")
      ->type_name(kPolicy);
  app.add_option("--env", options->env, "the task of a program that names none")->type_name(kEnvironment);
  app.add_option("--folder", options->folder, "where the files of a task or tour go (default: runs/studio)")
      ->type_name(kFolder);
  add_integer(
      app, "--port", 1, UINT16_MAX,
      [options](std::uint64_t n) { options->port = static_cast<std::uint16_t>(n); },
      "the port on 127.0.0.1 (default: any that is free)");
  app.add_flag("--no-browser", options->no_browser, "only print the address")->disable_flag_override();
  return [options, serve] { return run_studio(*options, serve); };
}

}  // namespace

Command studio_command(const StudioServer& serve) {
  return {"studio",
          "Serves a page on this machine: train, watch, edit, prove and keep policies.",
          {"ndnf studio", "ndnf studio runs/paper/door-corridor-ndnf-mt",
           "ndnf studio policy.lp --env blackjack", "ndnf studio taxi --port 8123 --no-browser"},
          [serve](CLI::App& app) { return prepare_studio(app, serve); }};
}

}  // namespace ndnf::cli
