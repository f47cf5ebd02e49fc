#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "ndnf/base/watch.h"
#include "ndnf/pieces/experiment.h"
#include "ndnf/report/document.h"
#include "ndnf/training/ranks.h"

namespace ndnf {

/// Which of the paper's tables and figures to reproduce, and how.
struct ReproduceRequest {
  Effort effort;
  std::vector<std::string> only;  ///< Names of experiments; none for all.
  std::filesystem::path out;
  std::vector<std::string> formats;  ///< Of the files to write: text, markdown, json, html.
  std::size_t jobs = 1;
  Watch watch{};  ///< Asked between the pieces of work; finished ones are kept.
};

struct Reproduction {
  Document document;
  std::vector<std::string> files;  ///< The files that were written, except pictures.
};

/// Does the missing pieces in the output folder, distributed over all ranks, and writes results.md and the
/// other formats, with the pictures in results/. The first rank returns what it wrote, the others an empty
/// document. Throws Error for an unknown name before any work begins.
Reproduction reproduce(const ReproduceRequest& request, Ranks& ranks);

nlohmann::ordered_json to_json(const Reproduction& result);

}  // namespace ndnf
