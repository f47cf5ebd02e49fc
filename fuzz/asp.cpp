#include "program_target.h"

void ndnf::fuzz::try_input(std::string_view input) { try_program(input, Syntax::kAsp); }
