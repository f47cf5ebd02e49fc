#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "ndnf/pipeline/ranks.h"
#include "ndnf/report/document.h"
#include "ndnf/reproduce/experiment.h"

namespace ndnf {

/// Make the paper's tables and figures.
struct ReproduceRequest {
  Effort effort;
  std::vector<std::string> only;  ///< Names of experiments; none for all.
  std::filesystem::path out;
  std::vector<std::string> formats;  ///< Of the files to write: text, markdown, json, html.
  std::size_t jobs = 1;
};

struct Reproduction {
  Document document;
  std::vector<std::string> files;  ///< What was written, pictures apart.
};

/// Does what is missing in the out folder, on all ranks together, and writes results.md and the like, with
/// the pictures in results/. The first rank returns what it wrote, the others an empty document. Throws Error
/// for an unknown name before anything is done.
Reproduction reproduce(const ReproduceRequest& request, Ranks& ranks);

nlohmann::ordered_json to_json(const Reproduction& result);

}  // namespace ndnf
