# Compiles the paper's programs below examples/ into a target: a generated file defines listing_files() of
# reproduce/listing_files.h. Changing one configures anew.
function(ndnf_embed_listings target)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/examples
    ${PROJECT_SOURCE_DIR}/examples/*/*.lp ${PROJECT_SOURCE_DIR}/examples/*/*.pl)
  set(entries "")
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/${file})
    file(READ ${PROJECT_SOURCE_DIR}/examples/${file} text)
    string(APPEND entries "      {\"${file}\", R\"prolog(${text})prolog\"},\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/listing_files.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
#include "ndnf/reproduce/listing_files.h"

namespace ndnf {

std::map<std::string, std::string> listing_files() {
  return {
@entries@  };
}

}  // namespace ndnf
]])
  target_sources(${target} PRIVATE ${source})
endfunction()
