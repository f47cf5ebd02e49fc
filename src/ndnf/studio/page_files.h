#pragma once

#include <map>
#include <string>

namespace ndnf {

/// The files of the studio's page, by name: compiled in by the build (cmake/embed_page.cmake).
const std::map<std::string, std::string>& page_files();

}  // namespace ndnf
