// Another direction of gravity as a program tells it.

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "app/robot/robot.h"

namespace jointrig {
namespace {

using Vector = std::array<double, 3>;

class GravityOfProgram : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Robot, GravityOfProgram, ::testing::Values("kinematic", "sim"),
                         [](const auto& one) { return std::string(one.param); });

TEST_P(GravityOfProgram, IsThereWithinHalfASecondAndRefusedInTheCallWhereItCantBe) {
  Robot robot("franka", {.backend = GetParam()});
  robot.initialize();
  EXPECT_EQ(robot.gravity(), (Vector{0.0, 0.0, -9.81}));
  robot.set_gravity({0.0, 3.0, -9.0});
  for (int i = 0; i < 500; ++i) robot.step();
  EXPECT_EQ(robot.gravity(), (Vector{0.0, 3.0, -9.0}));
  try {
    robot.set_gravity({0.0, 0.0, -20.5});
    FAIL() << "20.5 m/s² were taken";
  } catch (const Refused& refused) {
    EXPECT_NE(std::string(refused.what()).find("give a vector of at most 20 m/s²"),
              std::string::npos)
        << refused.what();
  }
  robot.set_gravity();
  for (int i = 0; i < 500; ++i) robot.step();
  EXPECT_EQ(robot.gravity(), (Vector{0.0, 0.0, -9.81}));
}

}  // namespace
}  // namespace jointrig
