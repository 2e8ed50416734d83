// Properties of each kind of backend beside the port.

#include "app/rig/backend_kit.h"

#include <gtest/gtest.h>

#include "app/rig/robot_loading.h"

namespace jointrig::app {
namespace {

RobotConfig franka_on_wires() {
  RobotConfig robot = load_robot(harness::find_robot("models/franka/two_wires.yaml")).config;
  robot.virtual_boards.clear();
  return robot;
}

struct Kit {
  explicit Kit(BackendKind kind) : kit(type_of(kind).make(robot, RigOptions{})) {}
  RobotConfig robot = franka_on_wires();
  std::unique_ptr<BackendKit> kit;
};

TEST(BackendKit, EachKindHasItsRowAndItsWord) {
  for (const BackendKind kind : kAllBackendKind) EXPECT_EQ(type_of(kind).kind, kind);
  EXPECT_EQ(backend_words(), (std::vector<std::string>{"sim", "kinematic", "boards", "hw"}));
  EXPECT_EQ(backend_words(/*that_keep_a_clock=*/true),
            (std::vector<std::string>{"sim", "kinematic", "hw"}));
}

TEST(BackendKit, EachKindDescribesTheRobotsJointsInTheirOrder) {
  for (const BackendKind kind : kAllBackendKind) {
    SCOPED_TRACE(to_string(kind));
    const Kit made(kind);
    const BackendDescription& description = made.kit->backend().description();
    ASSERT_EQ(description.joints.size(), made.robot.joints.size());
    for (std::size_t i = 0; i < description.joints.size(); ++i) {
      EXPECT_EQ(description.joints[i].joint, made.robot.joints[i].name);
    }
    EXPECT_EQ(description.period_ns, made.robot.period_ns);
  }
}

TEST(BackendKit, PhysicsOfOursComesWithItsWorldAndItsBoards) {
  for (const BackendKind kind : {BackendKind::kSim, BackendKind::kBoards}) {
    SCOPED_TRACE(to_string(kind));
    const Kit made(kind);
    EXPECT_NE(made.kit->plant(), nullptr);
    EXPECT_EQ(made.kit->boards().size(), made.robot.joints.size());
    EXPECT_NE(made.kit->make_world(), nullptr);
    EXPECT_NE(made.kit->hash(), 0U);
    EXPECT_EQ(made.kit->sim() != nullptr, kind == BackendKind::kSim);
    EXPECT_NE(made.kit->sensors(), nullptr);
  }
}

TEST(BackendKit, WithoutPhysicsThereIsNoWorld) {
  for (const BackendKind kind : {BackendKind::kKinematic, BackendKind::kHw}) {
    SCOPED_TRACE(to_string(kind));
    const Kit made(kind);
    EXPECT_EQ(made.kit->plant(), nullptr);
    EXPECT_TRUE(made.kit->boards().empty());
    EXPECT_EQ(made.kit->make_world(), nullptr);
  }
}

TEST(BackendKit, OnlyBoardsThatNobodyCallsVirtualAreRealAndKeepTheirOwnTime) {
  for (const BackendKind kind : kAllBackendKind) {
    SCOPED_TRACE(to_string(kind));
    const Kit made(kind);
    const bool is_hw = kind == BackendKind::kHw;
    EXPECT_EQ(made.kit->is_on_buses(), is_hw);
    EXPECT_EQ(made.kit->is_on_real_drives(), is_hw);
    EXPECT_EQ(made.kit->keeps_the_boards_time(), is_hw);
    EXPECT_EQ(made.kit->has_dynamics(), kind != BackendKind::kKinematic);
  }
}

}  // namespace
}  // namespace jointrig::app
