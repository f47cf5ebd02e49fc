#include "ndnf/syntax/physical_comparison.h"

#include <gmock/gmock.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

const Vocabulary kLander({AtomGroup::single("landed")}, {"left", "right"},
                         {quantity("velocity", "m/s", -10, 10, 0.001), quantity("angle", "rad", -3, 3, 0.001),
                          quantity("spin", "rad/s", -10, 10, 0.01)});

std::string read(const std::string& body, Syntax syntax = Syntax::kAsp) {
  return in_places("--when", body, syntax, kLander);
}

std::string refusal(const std::string& body) {
  try {
    return read(body);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(PhysicalComparison, OfOneQuantityIsOnItsGrid) {
  EXPECT_EQ(read("velocity > 0.255"), "velocity(V), V > 255");
  EXPECT_EQ(read("velocity <= -0.019, not landed"), "velocity(V), V <= -19, not landed");
  EXPECT_EQ(read("landed, 0.5 < velocity"), "landed, velocity(V), V > 500");
  EXPECT_EQ(read("-velocity >= 0.019"), "velocity(V), V <= -19");
  EXPECT_EQ(read("velocity <= 2e-2", Syntax::kProbLog), "velocity(V), V =< 20");
  EXPECT_EQ(read("spin = 0.02"), "spin(2)");
  EXPECT_EQ(read("spin = 0.021"), "spin(3)");
}

TEST(PhysicalComparison, OffItsGridGetsTheNearestChoices) {
  EXPECT_THAT(refusal("velocity > 0.0185"), HasSubstr("is velocity > 0.018 m/s or velocity > 0.019 m/s"));
  EXPECT_THAT(refusal("velocity < 0.018"), HasSubstr("is velocity <= 0.017 m/s or velocity <= 0.018 m/s"));
  EXPECT_THAT(refusal("landed, velocity >= -0.5"),
              HasSubstr("--when:1:9: rules see velocity in steps of 0.001 m/s"));
}

TEST(PhysicalComparison, OfSeveralQuantitiesHasWholeFactors) {
  // angle + 0.36 spin <= -0.0169: 0.001 A + 0.0036 S <= -0.0169, times 10000 and without the common divisor 2
  EXPECT_EQ(read("angle + 0.36*spin <= -0.0169"), "angle(A), spin(S), 5*A + 18*S <= -85");
  EXPECT_EQ(read("angle > spin"), "angle(A), spin(S), A - 10*S > 0");
  EXPECT_EQ(read("angle - spin >= 0"), "angle(A), spin(S), A - 10*S > -1");
}

TEST(PhysicalComparison, BeyondTheRangesIsRefused) {
  for (const char* body :
       {"velocity > 10", "velocity > 11", "velocity <= 10", "velocity <= -10.001", "velocity = 11",
        "velocity != -10.5", "angle + spin > 13", "spin - angle <= -13.01"})
    EXPECT_THAT(refusal(body), HasSubstr("; within that this is always or never true")) << body;
  EXPECT_THAT(refusal("velocity > 11"), HasSubstr("--when:1:1: rules see velocity from -10 to 10 m/s;"));
  EXPECT_EQ(read("velocity > 9.999"), "velocity(V), V > 9999");
  EXPECT_EQ(read("velocity <= -10"), "velocity(V), V <= -10000");
  EXPECT_EQ(read("velocity = 10"), "velocity(10000)");
}

TEST(PhysicalComparison, LeavesComparisonsOfRulesAlone) {
  for (const char* body :
       {"velocity(V), V > 255", "landed, 3 < V, velocity(V)", "angle(A), spin(S), 100*A + 36*S <= -1690"}) {
    EXPECT_EQ(read(body), body);
  }
}

TEST(PhysicalComparison, MistakesNameTheirPlace) {
  EXPECT_THAT(refusal("velocity > speed"),
              HasSubstr("--when:1:12: there is no quantity speed; known: velocity"));
  EXPECT_THAT(refusal("velociti > 2"),
              HasSubstr("--when:1:1: there is no quantity velociti; did you mean velocity?"));
  EXPECT_THAT(refusal("landed, velociti > 2.5"), HasSubstr("--when:1:9: there is no quantity velociti"));
  EXPECT_THAT(refusal("velocity > "), HasSubstr("found the end"));
  EXPECT_THAT(refusal("velocity + 0.0000001*angle > 1"), HasSubstr("32 bits"));
  EXPECT_THAT(refusal("velocity - velocity > 1"), HasSubstr("compares no quantity"));
}

}  // namespace
}  // namespace ndnf
