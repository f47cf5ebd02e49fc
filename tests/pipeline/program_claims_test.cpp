#include "ndnf/pipeline/program_claims.h"

#include <filesystem>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "ndnf/base/error.h"
#include "ndnf/pipeline/extract_policy.h"
#include "ndnf/system/file.h"
#include "ndnf/training/train.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TemporaryFolder;

using Verdicts = std::map<std::string, std::string>;

Verdicts verdicts(const std::string& file, const std::optional<Input>& against = std::nullopt) {
  Verdicts result;
  for (const ProgramClaim& claim : check_claims(PolicySource(file), against)) {
    result[claim.name] = word(claim.verdict);
    EXPECT_EQ(claim.found.empty(), claim.verdict == ClaimVerdict::kTrue) << claim.name;
  }
  return result;
}

Verdicts all_true() {
  return {{"environment", "true"}, {"network", "true"},      {"size", "true"},
          {"faithful", "true"},    {"exact return", "true"}, {"minimal", "not checked"}};
}

/// The text with one part, which it must contain, replaced.
std::string replaced(std::string text, const std::string& before, const std::string& after) {
  const std::size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return text.replace(at, before.size(), after);
}

/// A trained run and the program extracted from it.
class ProgramClaims : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string train_preset(const std::string& preset, const std::string& name, std::uint64_t seed = 0) const {
    TrainRequest request;
    request.source = preset;
    request.seeds = {seed};
    request.out = path(name);
    return train(request).front().run;
  }
  static std::string extracted(ExtractionRequest request) { return extract_policy(request).file; }
  static std::string extracted(const std::string& run, const std::string& as = "asp") {
    ExtractionRequest request;
    request.policy = run;
    request.as = as;
    return extracted(request);
  }

  const TemporaryFolder folder_;
};

TEST_F(ProgramClaims, OfExtractedProgramsAreTrue) {
  const std::string run = train_preset("paper/small-corridor-wall-ndnf-mt", "run");
  EXPECT_EQ(verdicts(extracted(run, "asp")), all_true());
  EXPECT_EQ(verdicts(extracted(run, "problog")), all_true());
  const std::string blackjack = train_preset("paper/blackjack-ndnf-mt", "blackjack");
  for (const std::string form : {"exactly-one", "default", "list"}) {
    ExtractionRequest request;
    request.policy = blackjack;
    request.as = "asp";
    request.form = form;
    request.ties = "free";
    request.compact = form != "default";
    EXPECT_EQ(verdicts(extracted(request)), all_true()) << form;
  }
}

TEST_F(ProgramClaims, AreTrueOfProgramsThatAreNotFaithful) {
  const std::string run = train_preset("best/door-corridor-ndnf-mt", "door", 7017);
  ExtractionRequest request;
  request.policy = run;
  for (const std::string method : {"auto", "disentangle"}) {
    request.over = "predicates";
    request.method = method;
    const std::string file = extracted(request);
    EXPECT_THAT(read_file(file), HasSubstr("\n% faithful: NO, "));
    Verdicts expected = all_true();
    expected.erase("minimal");  // nothing is claimed
    EXPECT_EQ(verdicts(file), expected) << method;
  }
}

TEST_F(ProgramClaims, ThatAreNoLongerTrueAreFound) {
  const std::string file = extracted(train_preset("paper/small-corridor-ndnf-mt", "run"));
  const std::string text = read_file(file);
  const auto after = [&](const std::string& before, const std::string& now) {
    write_file(file, replaced(text, before, now));
    return verdicts(file);
  };
  Verdicts expected = all_true();
  expected["size"] = "false";
  EXPECT_EQ(after("action(left) :- in_s_1.", "action(left) :- in_s_1, not in_s_0."), expected);
  EXPECT_EQ(after("size: 2 rules", "size: 1 rules"), expected);
  expected["size"] = "true";
  expected["faithful"] = expected["exact return"] = "false";
  EXPECT_EQ(after("action(left) :- in_s_1.", "action(left) :- in_s_2."), expected);
  expected["exact return"] = "true";
  EXPECT_EQ(after("in all 3 reachable", "in all 4 reachable"), expected);
  expected["faithful"] = "true";
  expected["exact return"] = "false";
  EXPECT_EQ(after("exact return: -3 (", "exact return: -2 ("), expected);
  EXPECT_EQ(after("environment: small-corridor", "environment: small-corridoor"),
            (Verdicts{{"environment", "false"}}));
  EXPECT_EQ(after("environment: small-corridor", "environment: taxi"), (Verdicts{{"environment", "false"}}));
}

TEST_F(ProgramClaims, OfFaithfulnessNeedTheNetworkThatIsNamed) {
  const std::string run = train_preset("paper/small-corridor-ndnf-mt", "run");
  const std::string file = extracted(run);
  std::filesystem::create_directory(path("elsewhere"));
  const std::string moved = path("elsewhere/policy.lp");
  std::filesystem::copy_file(file, moved);
  Verdicts expected = all_true();
  EXPECT_EQ(verdicts(moved, run), expected);
  expected["faithful"] = "not checked";
  expected.erase("network");
  EXPECT_EQ(verdicts(moved), expected);

  // Another network in the same folder is not the one that the header names, but may be given explicitly.
  const std::string other = train_preset("paper/small-corridor-ndnf-mt", "other", 1);
  std::filesystem::copy_file(path("other/model.safetensors"), path("elsewhere/model.safetensors"));
  EXPECT_EQ(verdicts(moved), expected);
  EXPECT_EQ(verdicts(moved, other).at("network"), "false");
  EXPECT_THROW(check_claims(PolicySource(moved), path("nowhere")), Error);
}

TEST_F(ProgramClaims, AreNotMadeByOtherPrograms) {
  write_file(path("p.lp"), "% environment: small-corridor\naction(right).\n");
  EXPECT_THAT(check_claims(PolicySource(path("p.lp")), std::nullopt), IsEmpty());
  write_file(path("q.lp"), "action(right).\n% network: 0123456789abcdef\n");
  EXPECT_THAT(check_claims(PolicySource(path("q.lp")), std::nullopt), IsEmpty());
}

}  // namespace
}  // namespace ndnf
