#pragma once

#include <map>
#include <string>

namespace ndnf {

/// The programs below examples/ by their path there. Defined by the build (cmake/embed_listings.cmake).
std::map<std::string, std::string> listing_files();

}  // namespace ndnf
