#include "ndnf/pipeline/certificate.h"

#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include "ndnf/base/sha256.h"
#include "ndnf/logic/atoms.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kCertificateVersion = 2;

Json witnesses_json(const BoundWitnesses& witnesses, const ObservationTable& table) {
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

/// Rules whose bodies speak only of what the actor sees: nothing in between could make do with fewer.
bool is_direct(const Program& program, const Vocabulary& atoms) {
  for (const Statement& statement : program.statements) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule == nullptr || !action_of(rule->heads.front().atom)) continue;
    for (const BodyLiteral& literal : rule->body) {
      if (!atoms.find_atom(literal.atom)) return false;
    }
  }
  return true;
}

Json class_json(const Extraction& extraction, const ActorView& view) {
  const Attempt& best = extraction.best();
  const bool asp = extraction.as == Syntax::kAsp;
  const bool in_class = asp ? is_direct(*best.program, view.table->vocabulary()) : best.method == "refit";
  const bool as_it_runs = best.faithful && extraction.changed_actions == 0;
  return {{"ties", "free"},
          {"faithful_to", as_it_runs      ? "network"
                          : best.faithful ? "truth-values"
                                          : "nothing"},
          {"form", asp ? "exactly-one" : "annotated-disjunctions"},
          {"class", in_class ? Json(asp ? "E" : "P") : Json(nullptr)},
          {"proof", extraction.witnesses.proof}};
}

}  // namespace

fs::path certificate_file(const fs::path& program) { return program.string() + ".certificate.json"; }

Json certificate(const PolicyExtraction& result, const Subject& subject, const Checkpoint& checkpoint,
                 std::string_view bytes, bool certify) {
  const Extraction& extraction = result.extraction;
  Json json = {{"format", "ndnf-extraction"}, {"version", kCertificateVersion}};
  json.update(to_json(result));
  json.update(class_json(extraction, subject.view));
  json["file"] = fs::path(result.file).filename().string();  // they may move together
  json["epsilon"] = extraction.epsilon;
  if (!checkpoint.shield.empty()) json["shield"] = checkpoint.shield;
  json["fingerprints"] = {{"model", sha256(bytes)}, {"program", sha256(result.text)}};
  if (certify) json["witnesses"] = witnesses_json(extraction.witnesses, *subject.view.table);
  return json;
}

}  // namespace ndnf
