#pragma once

#include <map>
#include <span>
#include <string>

#include "ndnf/mdp/observation_table.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/model/actor_critic.h"

namespace ndnf {

/// What an ONNX file says about itself.
struct OnnxHeading {
  std::string name;                             ///< Of the policy.
  std::string version;                          ///< Of this program.
  std::map<std::string, std::string> metadata;  ///< Its metadata_props.
};

/// Policies as ONNX models (docs/deployment.md) that map a batch of observations to `probabilities`, double
/// (batch, actions), and `action`, int64 (batch): the most probable one, or −1 where the policy is undefined.
/// Everything is computed in double, as everywhere else, so the same actions are taken. The same policy
/// always gives the same bytes.
///
/// The input of a network is `atoms`, uint8 (batch, atoms), 0 where an atom is false; or, if it reads numbers
/// or images, `numbers`, float (batch, numbers).
std::string network_in_onnx(const ActorCritic<double>& network, const OnnxHeading& heading);

/// A table that is looked up by `atoms`; the row of any observation outside `scope` is 0. Throws Error if two
/// observations have the same atoms.
std::string table_in_onnx(const PolicyTable& policy, const ObservationTable& table,
                          std::span<const ObsId> scope, const OnnxHeading& heading);

}  // namespace ndnf
