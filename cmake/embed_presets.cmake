# Compiles presets/**/*.toml into a target, so that the program works from any folder: a generated file defines
# embedded_presets() of training/presets.h. Adding, changing or removing a preset configures anew.
function(ndnf_embed_presets target)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/presets ${PROJECT_SOURCE_DIR}/presets/*.toml)
  set(entries "")
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/presets/${file})
    file(READ ${PROJECT_SOURCE_DIR}/presets/${file} text)
    string(REGEX REPLACE "\\.toml$" "" name ${file})
    string(APPEND entries "      {\"${name}\", R\"toml(${text})toml\"},\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_presets.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
#include "ndnf/training/presets.h"

namespace ndnf {

std::vector<PresetFile> embedded_presets() {
  return {
@entries@  };
}

}  // namespace ndnf
]])
  target_sources(${target} PRIVATE ${source})
endfunction()
