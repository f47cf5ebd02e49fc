#include "cli/program.h"

int main(int argc, char** argv) { return ndnf::cli::run_program(argc, argv); }
