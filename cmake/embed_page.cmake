# Compiles the files of the studio's page into a target: a generated file defines page_files() of
# studio/page_files.h. Changing one configures anew.
function(ndnf_embed_page target)
  set(folder ${PROJECT_SOURCE_DIR}/src/ndnf/studio/page)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*)
  set(entries "")
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${file})
    file(READ ${folder}/${file} text)
    string(APPEND entries "      {\"${file}\", R\"page(${text})page\"},\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/page_files.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
#include "ndnf/studio/page_files.h"

namespace ndnf {

const std::map<std::string, std::string>& page_files() {
  static const std::map<std::string, std::string> files = {
@entries@  };
  return files;
}

}  // namespace ndnf
]])
  target_sources(${target} PRIVATE ${source})
endfunction()
