#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

class Export : public Binary {};

TEST_F(Export, WritesTheChainInBothFormats) {
  for (const std::string format : {"drn", "prism"}) {
    const nlohmann::json result =
        json({"export", "optimal", "--env", "small-corridor", "--format", format, "-o", "chain." + format});
    EXPECT_EQ(result.at("file"), "chain." + format);
    EXPECT_EQ(result.at("bytes"), read("chain." + format).size());
  }
  EXPECT_THAT(read("chain.drn"), HasSubstr("@type: DTMC"));
  EXPECT_THAT(read("chain.prism"), HasSubstr("label \"action_left\" = s=1; // action(left)\n"));
}

TEST_F(Export, RefusesAPolicyWithoutAChain) {
  write("half.lp", "action(right) :- in_s_0.");
  const ProcessResult result =
      ndnf({"export", "half.lp", "--env", "small-corridor", "--format", "drn", "-o", "chain.drn"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors,
            "ndnf: half.lp: in in_s_1 the policy names no action; without one action there is no chain\n");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(Export, NamesTheNearestFormat) {
  const ProcessResult result =
      ndnf({"export", "uniform", "--env", "small-corridor", "--format", "prsim", "-o", "chain"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors, "ndnf: --format: there is no prsim; did you mean prism?\n");
}

}  // namespace
}  // namespace ndnf
