#include "ndnf/pipeline/export_chain.h"

#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/base/file.h"
#include "ndnf/logic/undefined.h"
#include "ndnf/mdp/chain.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/pipeline/loaded_policy.h"
#include "ndnf/pipeline/policy_source.h"
#include "ndnf/verify/prism.h"

namespace ndnf {

ExportedChain export_chain(const ChainRequest& request) {
  const Environment environment = environment_for(request.env, {request.policy});
  const FiniteModel& model = environment.model;
  const LoadedPolicy policy = load_with_program(request.policy, environment, request.select);
  const std::vector<ObsId> scope = visited(model, policy.table).observations;
  if (const auto undefined = find_undefined(policy.table, model.observations(), scope)) {
    throw Error(request.policy, undefined->sentence, "without one action there is no chain");
  }
  const std::string text =
      request.format == "drn" ? to_drn(model, policy.table) : to_prism(EpisodeChain(model, policy.table));
  write_file(request.file, text);
  return {policy.name, environment.spec, policy.select, request.format, request.file, text.size()};
}

nlohmann::ordered_json to_json(const ExportedChain& result) {
  return {{"policy", result.policy}, {"env", result.env},   {"select", result.select.to_string()},
          {"format", result.format}, {"file", result.file}, {"bytes", result.bytes}};
}

}  // namespace ndnf
