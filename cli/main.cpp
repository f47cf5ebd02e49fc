#include <new>

#include <unistd.h>

#include "cli/program.h"

#ifdef NDNF_STUDIO
#include "ndnf/server/server.h"
#endif

namespace {

/// Libraries allocate before `main`, where nobody can catch: too little memory is a sentence there, too.
[[noreturn]] void end_without_memory() {
  constexpr char kSentence[] = "ndnf: out of memory\n";
  static_cast<void>(!::write(STDERR_FILENO, kSentence, sizeof kSentence - 1));
  ::_exit(2);
}

[[gnu::constructor(101)]] void watch_memory() { std::set_new_handler(end_without_memory); }

}  // namespace

int main(int argc, char** argv) {
  std::set_new_handler(nullptr);
  ndnf::cli::StudioServer serve;
#ifdef NDNF_STUDIO
  serve = [](ndnf::Studio& studio, std::uint16_t port,
             const std::function<void(const std::string&)>& on_ready, const std::function<bool()>& stop) {
    ndnf::serve(studio, {port, on_ready, stop});
  };
#endif
  return ndnf::cli::run_program(argc, argv, serve);
}
