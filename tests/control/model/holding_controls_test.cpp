#include "control/model/holding_controls.h"

#include <gtest/gtest.h>

namespace jointrig {
namespace {

/// A weight of 2 kg hangs on a slide that a tendon of slope 2 pulls; beside it one of 1 kg that
/// nothing pulls, though the tendon names it (one of the first alone would be a gear of it).
std::string hanging(const std::string& actuator) {
  return R"(<mujoco><option gravity="0 0 -10"/><worldbody>
    <body><joint name="up" type="slide" axis="0 0 1"/><geom size="0.1" mass="2"/></body>
    <body pos="1 0 0"><joint name="loose" type="slide" axis="0 0 1"/><geom size="0.1" mass="1"/>
    </body></worldbody>
    <tendon><fixed name="rope"><joint joint="up" coef="2"/><joint joint="loose" coef="0"/></fixed></tendon>
    <actuator>)" +
         actuator + "</actuator></mujoco>";
}

struct Held {
  double control = 0.0;
  double acceleration = 0.0;
};

Held held(const std::string& actuator, const std::vector<bool>& by_boards = {false, false}) {
  Mjcf mjcf = parse_mjcf(hanging(actuator), "rope.xml");
  const mjModel& m = *mjcf.as_written;
  const DataPtr data = make_data(m, mjcf.path);
  hold_by_controls(m, *data, by_boards);
  mj_forward(&m, data.get());
  return {data->ctrl[0], data->qacc[0]};
}

TEST(HoldingControls, ATendonMotorPullsWithTheWeightOverItsSlope) {
  const Held motor = held("<motor name='m' tendon='rope' gear='5'/>");
  EXPECT_NEAR(motor.control, 20.0 / (2.0 * 5.0), 1e-12);
  EXPECT_NEAR(motor.acceleration, 0.0, 1e-12);
}

TEST(HoldingControls, AServoWithAFilterIsSetWhereItsSpringPullsWithTheWeight) {
  const Held servo = held(
      "<general name='m' tendon='rope' gainprm='100' biastype='affine' biasprm='3 -100 0' "
      "dyntype='filter' dynprm='0.1'/>");
  EXPECT_NEAR(servo.control, (10.0 - 3.0) / 100.0, 1e-12);
  EXPECT_NEAR(servo.acceleration, 0.0, 1e-12) << "its filter is there already";
}

TEST(HoldingControls, StayWithinTheirRanges) {
  EXPECT_EQ(held("<motor name='m' tendon='rope' ctrlrange='-1 4'/>").control, 4.0);
  EXPECT_EQ(held("<motor name='m' tendon='rope' forcerange='-3 3'/>").control, 3.0);
}

TEST(HoldingControls, LeaveToABoardWhatABoardHolds) {
  EXPECT_EQ(held("<motor name='m' tendon='rope'/>", {true, false}).control, 0.0);
}

TEST(HoldingControls, LeaveAMuscleAlone) {
  EXPECT_EQ(held("<muscle name='m' tendon='rope' lengthrange='0 1'/>").control, 0.0);
}

}  // namespace
}  // namespace jointrig
