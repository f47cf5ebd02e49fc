#include "ndnf/training/hot_start.h"

#include <gmock/gmock.h>

#include "compile/spare_actor.h"
#include "ndnf/compile/rule_conjunctions.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/mdp/distribution.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/model/actor_critic.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using testing::policy_of;
using testing::spare;

TEST(HotStart, LocksAreAllWeightsIntoAndOutOfAConjunction) {
  const LockedWeights locked = locks(spare(3, 2), {1});
  EXPECT_THAT(locked.at("actor.conjunctions.weights"), ElementsAre(1, 4, 7));
  EXPECT_THAT(locked.at("actor.disjunctions.weights"), ElementsAre(2, 3));
}

TEST(HotStart, StochasticRulesAreFittedToTheirDistributions) {
  for (const auto& [file, spec] : {std::pair("sc-wall.pl", "small-corridor:wall"),
                                   {"lc-5-wall.pl", "long-corridor-5:wall"},
                                   {"lc-11-wall.pl", "long-corridor-11:wall"}}) {
    const Task environment = make_task(spec);
    const ObservationTable& table = environment.model().observations();
    const auto& vocabulary = table.shared_vocabulary();
    const Program program =
        read_program(std::string(NDNF_SOURCE_DIR "/examples/corridors/") + file, *vocabulary);
    const PolicyTable wanted = tabulate(BoundProgram(program, vocabulary), table);
    const Scope scope(environment.model().shared_observations(), reachable(environment.model()).observations);
    const NeuralDnf<double> actor =
        with_rules(rule_conjunctions(program, scope), {}, 2, spare(vocabulary->atom_count(), 2));
    const PolicyTable begun = policy_of(fitted(actor, scope, wanted, 0), table);
    for (const ObsId obs : scope.observations()) {
      EXPECT_LE(largest_difference(begun.row(obs), wanted.row(obs)), 2e-3) << file;
    }
    const PolicyTable floored = policy_of(fitted(actor, scope, wanted, 0.05), table);
    for (const ObsId obs : scope.observations()) {
      for (const double p : floored.row(obs)) EXPECT_GE(p, 0.04) << file;
    }
  }
}

}  // namespace
}  // namespace ndnf
