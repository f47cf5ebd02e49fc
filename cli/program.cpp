#include "cli/program.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/command_line.h"
#include "cli/screen.h"
#include "ndnf/base/error.h"
#include "ndnf/base/plain_text.h"
#include "ndnf/system/file.h"

namespace ndnf::cli {
namespace {

/// Opens closed standard streams: otherwise the next file to be opened would get the descriptor of one of
/// them and be written to by mistake.
void check_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    if (::open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY) != stream)
      throw Error("/dev/null", "cannot be opened");
    if (stream == STDOUT_FILENO) throw Error("standard output", "is closed");
  }
}

/// Sentences quote files, whose control characters must not reach a terminal.
void complain(const std::string& sentence) {
  fmt::print(stderr, "{} {}\n", error_prefix(), without_hidden(sentence));
}

/// What is typed is shown in tables and headings; a file can have any name, and `*.lp` types it.
void check_words(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    if (const auto hidden = find_hidden(argv[i]))
      throw Error(argv[i], hidden->what, "rename the file, if it is one");
  }
}

}  // namespace

int run_program(int argc, const char* const* argv, const StudioServer& serve, const Describe& describe) {
  // With the signals ignored, a file size limit or a closed pipe is an error return, which becomes a message.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    check_standard_streams();
    check_words(argc, argv);
    return run(argc, argv, serve);
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const Error& error) {
    complain(error.text(option_text));
  } catch (const std::filesystem::filesystem_error& error) {
    complain(error_of(error).text(option_text));
  } catch (const std::exception& error) {
    complain(describe ? describe(error) : error.what());
  }
  return 2;
}

}  // namespace ndnf::cli
