// A law of one's own that the program links, on each backend with torque.

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "app/robot/robot.h"
#include "control/core/user_law.h"

namespace jointrig {
namespace {

/// τ = K (rest − q) − D v
class Spring : public UserLaw {
 public:
  void declare(LawDeclaration& d) override {
    stiffness_ = d.parameter("stiffness", 5.0, 0.0, 500.0, "N·m/rad");
    damping_ = d.parameter("damping", 0.5, 0.0, 50.0, "N·m·s/rad");
    rest_ = d.target("rest", 0.0, -3.0, 3.0, "rad");
  }
  void torque(LawCycle& c) override {
    for (std::size_t i = 0; i < c.joints; ++i) {
      c.tau[i] =
          c.parameter[stiffness_] * (c.parameter[rest_] - c.q[i]) - c.parameter[damping_] * c.v[i];
    }
  }

 private:
  std::size_t stiffness_ = 0;
  std::size_t damping_ = 0;
  std::size_t rest_ = 0;
};

LinkedLaw spring(double rest) {
  return {.name = "spring",
          .joints = {"panda_joint7"},
          .make = [] { return std::make_shared<Spring>(); },
          .parameters = {{.name = "stiffness", .value = 20.0},
                         {.name = "damping", .value = 2.0},
                         {.name = "rest", .value = rest}}};
}

class LinkedLawTest : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Robot, LinkedLawTest, ::testing::Values("sim", "boards"),
                         [](const auto& backend) { return std::string(backend.param); });

TEST_P(LinkedLawTest, PullsItsJointToItsRestAndLeavesTheOthers) {
  Robot robot("franka", {.backend = GetParam(), .laws = {spring(1.1)}});
  robot.initialize();
  const auto before = robot.sensed_position();
  RobotPart wrist = robot.part("panda_joint7");
  for (int i = 0; i < 4000; ++i) {
    robot.begin_step();
    wrist.set_torque({0.0}, 0.1);
    robot.end_step();
  }
  const auto after = robot.sensed_position();
  ASSERT_GT(std::abs(before[6] - 1.1), 0.2);
  // Dry friction of the joint leaves it 0.2 N·m / 20 N·m/rad from there at most.
  EXPECT_NEAR(after[6], 1.1, 0.01);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(after[i], before[i], 2e-3) << i;
  EXPECT_EQ(robot.status(), "ok");
}

std::string refusal(const LinkedLaw& first, const LinkedLaw& second) {
  try {
    const Robot robot("franka", {.laws = {first, second}});
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(LinkedLaws, AreRefusedByNameWhereTheyCannotBe) {
  EXPECT_EQ(refusal(spring(0.0), spring(0.0)),
            "there are two laws \"spring\": give each a name of its own");
  LinkedLaw other = spring(0.0);
  other.name = "other";
  other.joints = {"panda_join7"};
  EXPECT_NE(refusal(spring(0.0), other).find("panda_joint7"), std::string::npos);
  other.joints = {"panda_joint6"};
  other.make = nullptr;
  EXPECT_NE(refusal(spring(0.0), other).find("\"other\""), std::string::npos);
  other = spring(0.0);
  other.name = "other";
  other.joints = {"panda_joint6"};
  other.parameters = {{.name = "stifness", .value = 1.0}};
  EXPECT_NE(refusal(spring(0.0), other).find("did you mean \"stiffness\"?"), std::string::npos)
      << refusal(spring(0.0), other);
}

}  // namespace
}  // namespace jointrig
