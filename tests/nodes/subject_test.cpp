#include "ndnf/nodes/subject.h"

#include <gtest/gtest.h>

#include "model/trained.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

/// A network of golden/trained whose encoder reads images, some of which give the same truth values.
class EncodedSubject : public ::testing::Test {
 protected:
  EncodedSubject() {
    checkpoint_.model = "ndnf-mt";
    checkpoint_.policy = converted<float>(testing::read_trained("dc_ndnf_1.json"));
    checkpoint_.vocabulary = model().observations().shared_vocabulary();
  }
  const FiniteModel& model() const { return environment_.model(); }

  /// All actions allowed but the last, and that one too in these observations.
  ActionMask all_but_the_last(const std::vector<ObsId>& exceptions) const {
    const std::uint64_t all = (std::uint64_t{1} << model().action_count()) - 1;
    std::vector<std::uint64_t> allowed(model().observations().size(), all >> 1);
    for (const ObsId obs : exceptions) allowed[obs] = all;
    return {model().action_count(), std::move(allowed)};
  }

  const Task environment_ = make_task("door-corridor");
  Checkpoint checkpoint_;
};

TEST_F(EncodedSubject, CountsTheBestActionsThatTruthValuesChange) {
  const Subject subject = make_subject(checkpoint_, model());
  std::size_t changed = 0;
  for (const ObsId obs : subject.reachable) {
    changed += subject.network.argmax(obs) != subject.policy.argmax(subject.view.seen_as[obs]) ? 1 : 0;
  }
  EXPECT_EQ(subject.changed_actions, changed);
  EXPECT_TRUE(subject.dnf);
}

TEST_F(EncodedSubject, IsReadByItsRowsAloneWhereAMaskTellsApartWhatTheEncoderDoesNot) {
  const Subject plain = make_subject(checkpoint_, model());
  const auto same = [&](ObsId a, ObsId b) { return plain.view.seen_as[a] == plain.view.seen_as[b]; };
  std::size_t pairs = 0;
  for (const ObsId a : plain.reachable) {
    std::vector<ObsId> like_a;
    for (const ObsId b : plain.reachable) {
      if (same(a, b)) like_a.push_back(b);
    }
    const ActionMask alike = all_but_the_last(like_a);
    EXPECT_TRUE(make_subject(checkpoint_, model(), &alike).dnf);
    if (like_a.size() == 1) continue;
    ++pairs;
    const ActionMask apart = all_but_the_last({a});
    EXPECT_FALSE(make_subject(checkpoint_, model(), &apart).dnf);
  }
  EXPECT_GT(pairs, 0u);
}

}  // namespace
}  // namespace ndnf
