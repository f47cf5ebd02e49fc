#include "ndnf/tasks/registry.h"

#include <gtest/gtest.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

TEST(Registry, AFrontEndBringsTasksAlong) {
  EXPECT_FALSE(is_brought_task("mine:room"));
  add_task_source("mine", [](const std::string& spec, NamedBy) {
    Task task = make_task("small-corridor");
    task.spec = spec;
    return task;
  });
  EXPECT_TRUE(is_brought_task("mine:room"));
  EXPECT_EQ(make_task("mine:room").spec, "mine:room");
  EXPECT_FALSE(is_brought_task("small-corridor:wall"));
}

TEST(Registry, AMistakeOfTheSourceIsReportedAsItIs) {
  add_task_source(
      "bad", [](const std::string& spec, NamedBy) -> Task { throw Error(spec, "there is no such room"); });
  EXPECT_THROW(make_task("bad:room"), Error);
}

TEST(Registry, GymnasiumsEnvironmentsNeedAFrontEndThatHasThem) {
  EXPECT_TRUE(is_brought_task("gym:Taxi-v4"));
  EXPECT_THROW(make_task("gym:Taxi-v4"), Error);
}

}  // namespace
}  // namespace ndnf
