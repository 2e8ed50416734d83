// In MuJoCo: accelerations that a sender chooses, a stream, and an axis that is left out.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/control/wholebody/obeying_icub.h"

namespace jointrig {
namespace {

using namespace soles;

ArmDesiredAccelerations accelerations(MessageId id, double pitch, double elbow) {
  ArmDesiredAccelerations message;
  message.id = id;
  message.hand = 1;
  for (const double a : {pitch, 0.0, 0.0, elbow, 0.0, 0.0, 0.0}) message.accelerations.push_back(a);
  return message;
}

/// A joint under a constant acceleration: v = v0 + a t, q = q0 + v0 t + a t² / 2.
TEST(ChoosingIcub, AnArmAcceleratesAsItIsToldAndHoldsAfterTheSilence) {
  constexpr double kElbow = 1.2;
  constexpr double kPitch = -0.8;
  ObeyingIcub robot;
  robot.run(1.0);
  const double q0 = robot.joint("r_elbow");
  const double v0 = robot.joint_speed("r_elbow");
  const double pitch0 = robot.joint("r_shoulder_pitch");
  const int elbow = robot.model().find_joint("r_elbow");
  double t = 0.0;
  for (MessageId id = 1; id <= 20; ++id) {
    robot.send(acceleration_message(accelerations(id, kPitch, kElbow)));
    const double before = robot.joint_speed("r_elbow");
    robot.run(0.02);
    t += 0.02;
    // In the program's solution, in the plant by finite difference, and by the closed form. By its
    // weight, beside those of the momentum: they take up to 1.6 %.
    EXPECT_NEAR(robot.core().solution().acceleration[FloatingModel::kBase + elbow], kElbow,
                0.025 * kElbow);
    EXPECT_NEAR((robot.joint_speed("r_elbow") - before) / 0.02, kElbow, 0.035 * kElbow) << t;
    EXPECT_NEAR(robot.joint("r_elbow"), q0 + v0 * t + 0.5 * kElbow * t * t, 1e-3) << t;
  }
  EXPECT_NEAR(robot.joint("r_shoulder_pitch"), pitch0 + 0.5 * kPitch * t * t, 2e-3);
  const double end = robot.joint("r_elbow");
  const double speed = robot.joint_speed("r_elbow");
  robot.run(0.08);  // the last message is 0.02 s old
  const double silent = end + 0.08 * speed + 0.5 * kElbow * 0.08 * 0.08;
  EXPECT_NEAR(robot.joint("r_elbow"), silent, 1e-3) << "0.1 s after the last one";
  robot.run(1.5);
  EXPECT_NEAR(robot.joint_speed("r_elbow"), 0.0, 2e-3);
  const double top = speed + 0.08 * kElbow;
  EXPECT_NEAR(robot.joint("r_elbow"), silent + 0.15 * top, 5e-3) << "braked within 0.3 s";
  EXPECT_GT(robot.pelvis_height(), 0.5) << "it stands";
}

/// Its target is to the side and up, or down. With the vertical axis left out that makes no
/// difference, to the bit.
TEST(ChoosingIcub, AnAxisThatIsLeftOutIsNotDriven) {
  const auto reached = [](bool leaves_out_z, double z) {
    ObeyingIcub robot;
    robot.run(1.0);
    const BodyPoint now =
        frame_now(robot.model(), robot.model().find_frame("l_palm"), robot.stance());
    const Eigen::Quaterniond turn(now.rotation);
    HandTrajectory hand;
    hand.id = 1;
    for (const double number :
         {1.5, now.x[0], now.x[1] + 0.03, now.x[2] + z, turn.w(), turn.x(), turn.y(), turn.z()}) {
      hand.waypoints.push_back(number);
    }
    hand.left_out[2] = leaves_out_z;
    for (std::size_t axis = 3; axis < 6; ++axis) hand.left_out[axis] = true;
    const Eigen::Vector3d before = robot.place_of_site("l_palm");
    robot.send(hand);
    robot.run(2.5);
    return Eigen::Vector3d(robot.place_of_site("l_palm") - before);
  };
  const Eigen::Vector3d driven = reached(false, 0.04);
  EXPECT_NEAR(driven.y(), 0.03, 0.002);
  EXPECT_NEAR(driven.z(), 0.04, 0.002);
  const Eigen::Vector3d up = reached(true, 0.04);
  EXPECT_NEAR(up.x(), 0.0, 0.002);
  EXPECT_NEAR(up.y(), 0.03, 0.002) << "the others are";
  EXPECT_LT(up.z(), 0.02);
  EXPECT_EQ(up, reached(true, -0.03));
}

/// A stream of elbow positions: the plant follows the sine and holds.
TEST(ChoosingIcub, AStreamedSineIsFollowedByTheArm) {
  ObeyingIcub robot;
  robot.run(1.0);
  ArmJointTrajectory there;
  there.id = 1;
  there.hand = 1;
  std::vector<double> now;
  for (const int joint : {0, 1, 2, 3, 4, 5, 6}) {
    static const char* const kNames[] = {"r_shoulder_pitch", "r_shoulder_roll", "r_shoulder_yaw",
                                         "r_elbow",          "r_wrist_prosup",  "r_wrist_pitch",
                                         "r_wrist_yaw"};
    now.push_back(robot.joint(kNames[joint]));
  }
  constexpr double kAmplitude = 0.15;
  constexpr double kOmega = 4.0;
  const double middle = now[3];
  double worst = 0.0;
  for (int i = 0; i < 200; ++i) {
    const double t = 0.01 * i;
    ArmJointTrajectory point;
    point.id = static_cast<MessageId>(i + 1);
    point.hand = 1;
    point.execution = Execution::kStream;
    point.integration = 0.03;
    point.velocities = true;
    point.waypoints.push_back(0.0);
    for (std::size_t k = 0; k < 7; ++k) {
      // From rest: 1 - cos.
      const bool is_elbow = k == 3;
      point.waypoints.push_back(now[k] +
                                (is_elbow ? kAmplitude * (1.0 - std::cos(kOmega * t)) : 0.0));
    }
    for (std::size_t k = 0; k < 7; ++k) {
      point.waypoints.push_back(k == 3 ? kAmplitude * kOmega * std::sin(kOmega * t) : 0.0);
    }
    robot.send(point);
    robot.run(0.01);
    const double wanted = middle + kAmplitude * (1.0 - std::cos(kOmega * (t + 0.01)));
    worst = std::max(worst, std::abs(robot.joint("r_elbow") - wanted));
  }
  EXPECT_LT(worst, 0.01) << "of a swing of 0.3 rad";
  robot.run(1.5);
  const double held = robot.joint("r_elbow");
  robot.run(0.5);
  EXPECT_NEAR(robot.joint("r_elbow"), held, 1e-3);
  EXPECT_NEAR(robot.joint_speed("r_elbow"), 0.0, 2e-3);
}

}  // namespace
}  // namespace jointrig
