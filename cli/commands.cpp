#include "cli/command.h"

namespace ndnf::cli {

Command envs_command();
Command presets_command();
Command train_command();
Command eval_command();
Command extract_command();
Command edit_command();
Command compile_command();
Command import_command();
Command check_command();
Command diff_command();
Command explain_command();
Command draw_command();
Command report_command();
Command studio_command(const StudioServer& serve);
Command export_command();
Command reproduce_command();
Command completion_command();

std::vector<Command> commands(const StudioServer& serve) {
  return {envs_command(),      presets_command(),     train_command(),   eval_command(),
          extract_command(),   edit_command(),        compile_command(), import_command(),
          check_command(),     diff_command(),        explain_command(), draw_command(),
          report_command(),    studio_command(serve), export_command(),  reproduce_command(),
          completion_command()};
}

}  // namespace ndnf::cli
