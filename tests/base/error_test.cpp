#include "ndnf/base/error.h"

#include <gmock/gmock.h>

namespace ndnf {
namespace {

std::string as_keyword(std::string_view name, std::string_view value) {
  return value.empty() ? std::string(name) : std::string(name) + "=\"" + std::string(value) + '"';
}

TEST(Error, IsOneSentenceAndKeepsItsParts) {
  const Error error({"p.lp", {3, 7}}, "this is wrong", "write it right");
  EXPECT_STREQ(error.what(), "p.lp:3:7: this is wrong; write it right");
  ASSERT_EQ(error.complaints().size(), 1u);
  const Complaint& complaint = error.complaints()[0];
  EXPECT_EQ(complaint.where.name, "p.lp");
  EXPECT_EQ(complaint.where.place.line, 3u);
  EXPECT_EQ(complaint.where.place.column, 7u);
  EXPECT_EQ(complaint.what, "this is wrong");
  EXPECT_EQ(complaint.hint, "write it right");
}

TEST(Error, LeavesOutWhatIsUnknown) {
  EXPECT_STREQ(Error("", "wrong").what(), "wrong");
  EXPECT_STREQ(Error({"p.toml", {3, 0}}, "wrong").what(), "p.toml:3: wrong");
  EXPECT_STREQ(Error({"", {3, 7}}, "wrong").what(), "3:7: wrong");
}

TEST(Error, WritesArgumentsAsTheFrontEndDoes) {
  const Error error(argument("method"), "exact gives ASP", "add " + argument("as", "asp") + " to it");
  EXPECT_STREQ(error.what(), "method: exact gives ASP; add as=asp to it");
  EXPECT_EQ(error.text(as_keyword), "method: exact gives ASP; add as=\"asp\" to it");
  EXPECT_EQ(Error("a\x1E"
                  "b",
                  "odd")
                .text(as_keyword),
            "a\x1E"
            "b: odd");
}

TEST(Error, OfSeveralComplaintsHasOneLineEach) {
  EXPECT_STREQ(Error({{{"p", {1, 2}}, "first"}, {{"p", {3, 4}}, "second", "hint"}}).what(),
               "p:1:2: first\np:3:4: second; hint");
}

}  // namespace
}  // namespace ndnf
