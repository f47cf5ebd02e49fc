// toml++ as a compiled part of the extension, so that it needs no libtomlplusplus.so where it is installed.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
