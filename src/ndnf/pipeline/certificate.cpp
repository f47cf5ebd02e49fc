#include "ndnf/pipeline/certificate.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "ndnf/base/sha256.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kCertificateVersion = 2;

Json witnesses_json(const BoundWitnesses& witnesses) {
  const ObservationTable& table = *witnesses.table;
  Json sets = Json::array();
  for (const auto& set : witnesses.sets) {
    Json observations = Json::array();
    for (const ObsId obs : set) {
      Json atoms = Json::array();
      for (const AtomId atom : table.facts(obs)) atoms.push_back(table.vocabulary().atom_name(atom));
      observations.push_back(std::move(atoms));
    }
    sets.push_back(std::move(observations));
  }
  return {{"proof", witnesses.proof}, {"sets", std::move(sets)}};
}

}  // namespace

fs::path certificate_file(const fs::path& program) { return program.string() + ".certificate.json"; }

Json certificate(const PolicyExtraction& result, const PolicySource& source, bool certify) {
  const Extraction& extraction = result.extraction;
  Json json = {{"format", "ndnf-extraction"}, {"version", kCertificateVersion}};
  json.update(to_json(result));
  json.erase("program");
  if (!result.optimal) json.erase("optimal");
  json["file"] = fs::path(result.file).filename().string();  // no folder: both files may be moved together
  json["epsilon"] = extraction.epsilon;
  if (source.is_network() && !source.checkpoint().shield.empty()) json["shield"] = source.checkpoint().shield;
  const std::string& bytes = source.is_word() ? source.name() : source.bytes();
  json["fingerprints"] = {{"model", sha256(bytes)}, {"program", sha256(result.text)}};
  if (certify) json["witnesses"] = witnesses_json(extraction.witnesses);
  return json;
}

}  // namespace ndnf
