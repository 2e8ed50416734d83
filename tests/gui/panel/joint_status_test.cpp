#include "gui/panel/joint_status.h"

#include <gtest/gtest.h>

#include <limits>

#include "control/core/twin_evidence.h"
#include "gui/panel/fault_text.h"
#include "gui/panel/joint_filter.h"
#include "tests/support/ideal_robot.h"

namespace jointrig::gui {
namespace {

constexpr TimeNs kMillisecond = 1'000'000;

JointSnapshot in_mode(JointMode mode) {
  JointSnapshot joint;
  joint.mode = mode;
  return joint;
}

JointStatus status_of_first(const JointSnapshot& joint, const FaultRecord& record = {},
                            TimeNs now = 0) {
  static const RobotConfig config = testing::ideal_config(1);
  Silence silence;
  silence.see(joint, now, kMillisecond);
  return status_of(config.joints[0], joint, record, silence, now, kMillisecond);
}

bool has(const JointStatus& status, BadgeKind kind) {
  for (const JointBadge& badge : status.badges) {
    if (badge.kind == kind) return true;
  }
  return false;
}

TEST(JointStatus, BarsLieBetweenTheLimits) {
  JointSnapshot joint = in_mode(JointMode::kPosition);
  joint.state.q = 0.25;  // the middle of -2 .. 2.5
  joint.setpoint.tau = -25.0;
  const JointStatus status = status_of_first(joint);
  EXPECT_DOUBLE_EQ(status.position.place(joint.state.q), 0.5);
  EXPECT_DOUBLE_EQ(status.position.soft_low, -1.98);
  EXPECT_DOUBLE_EQ(status.position.place(99.0), 1.0);
  EXPECT_DOUBLE_EQ(status.position.place(std::numeric_limits<double>::quiet_NaN()), 0.5);
  EXPECT_DOUBLE_EQ(status.torque.place(status.torque.reference), 0.25);
}

TEST(JointStatus, AJointWithoutEndHasABarAroundWhereItIs) {
  RobotConfig config = testing::ideal_config(1);
  config.joints[0].limits.q_min = -std::numeric_limits<double>::infinity();
  config.joints[0].limits.q_max = std::numeric_limits<double>::infinity();
  JointSnapshot joint = in_mode(JointMode::kPosition);
  joint.state.q = -40.0;
  const Bar bar = status_of(config.joints[0], joint, {}, {}, 0, kMillisecond).position;
  EXPECT_LT(bar.low, -40.0);
  EXPECT_GT(bar.high, -40.0);
}

TEST(JointStatus, AJointInAModeWhoseMotorIsOffSaysSoAndDoesNotLookDriven) {
  JointSnapshot joint = in_mode(JointMode::kPosition);
  joint.state.status = BoardStatus::kEnabled;
  EXPECT_FALSE(has(status_of_first(joint), BadgeKind::kMotorOff));
  EXPECT_EQ(status_of_first(joint).look, JointMode::kPosition);
  EXPECT_TRUE(status_of_first(joint).at_target);
  joint.state.status = BoardStatus::kReady;
  const JointStatus off = status_of_first(joint);
  EXPECT_TRUE(has(off, BadgeKind::kMotorOff));
  EXPECT_EQ(off.look, JointMode::kIdle);
  EXPECT_FALSE(off.at_target) << "where it happens to be is no target that it holds";
  joint.mode = JointMode::kIdle;
  EXPECT_FALSE(has(status_of_first(joint), BadgeKind::kMotorOff)) << "nobody asked for it";
}

TEST(JointStatus, CompliantIsShownOnlyWhereItActs) {
  for (const JointMode mode : kAllJointMode) {
    SCOPED_TRACE(to_string(mode));
    JointSnapshot joint = in_mode(mode);
    joint.interaction = InteractionMode::kCompliant;
    const bool acts = mode == JointMode::kPosition || mode == JointMode::kPositionDirect ||
                      mode == JointMode::kVelocity || mode == JointMode::kMixed;
    EXPECT_EQ(status_of_first(joint).compliant, acts);
  }
}

TEST(JointStatus, EveryLimitThatActsIsNamedOnItsBadge) {
  for (const Limit limit : kAllLimit) {
    JointSnapshot joint = in_mode(JointMode::kPosition);
    joint.limits.add(limit);
    const JointStatus status = status_of_first(joint);
    ASSERT_TRUE(has(status, BadgeKind::kLimited));
    EXPECT_EQ(status.badges.front().text, "LIM " + std::string(to_string(limit)));
  }
}

TEST(JointStatus, BadgesTellSaturationTimeoutCalibrationAndSilence) {
  JointSnapshot joint = in_mode(JointMode::kVelocity);
  EXPECT_TRUE(status_of_first(joint).badges.empty());
  joint.setpoint.tau = -50.0;
  joint.timed_out = true;
  joint.state.missed = 7;
  const JointStatus status = status_of_first(joint);
  EXPECT_TRUE(has(status, BadgeKind::kSaturated));
  EXPECT_TRUE(has(status, BadgeKind::kTimeout));
  EXPECT_EQ(status.badges.back().text, "STALE 7 ms");
  EXPECT_TRUE(has(status_of_first(in_mode(JointMode::kConfigured)), BadgeKind::kUncalibrated));
}

TEST(JointStatus, TheRingOfATimeoutRunsDownFromOne) {
  JointSnapshot joint = in_mode(JointMode::kVelocity);
  joint.timeout_left = 0.05;  // of 0.2 s
  EXPECT_DOUBLE_EQ(status_of_first(joint).timeout_part, 0.25);
  joint.timeout_left = 0.0;
  EXPECT_LT(status_of_first(joint).timeout_part, 0.0);
}

TEST(JointStatus, AFaultSaysWhatHowMuchSinceWhenAndHowOften) {
  JointSnapshot joint = in_mode(JointMode::kHwFault);
  joint.fault = {FaultCode::kOverTemperature, 92.1, 90.0, 1000};
  FaultRecord record{joint.fault, 1'000 * kMillisecond, 3, false};
  const JointStatus status = status_of_first(joint, record, 5'500 * kMillisecond);
  EXPECT_TRUE(status.faulted);
  EXPECT_EQ(status.fault_line, "the motor is too hot: 92.1 °C, limit 90 °C · 4 s ago · 3 times");
  EXPECT_EQ(status_of_first(in_mode(JointMode::kPosition), record).fault_line, "");
}

TEST(FaultText, AnglesAreInDegreesAndSlidesInMillimetres) {
  const Fault fault{FaultCode::kFollowingError, 0.1, 0.05, 0};
  EXPECT_EQ(fault_text(fault, false),
            "the joint does not follow its reference: 5.73 °, limit 2.865 °");
  EXPECT_EQ(fault_text(fault, true),
            "the joint does not follow its reference: 100 mm, limit 50 mm");
}

TEST(FaultText, TwoDrivesUnderOneNumberAreToldWithTheEvidence) {
  const Fault fault{FaultCode::kDuplicateNode, 3.0, static_cast<double>(TwinEvidence::kEchoes), 0};
  EXPECT_EQ(fault_text(fault, false),
            "two drives answer under one number: node 3, since two different states came with the "
            "echo of one order");
}

TEST(FaultText, EveryFaultHasASentenceAndALikelyCause) {
  for (const FaultCode code : kAllFaultCode) {
    if (code == FaultCode::kNone) continue;
    EXPECT_FALSE(fault_text({code, 1.0, 2.0, 0}, false).empty()) << to_string(code);
    EXPECT_FALSE(likely_causes(code).empty()) << to_string(code);
  }
}

struct FilterTest : ::testing::Test {
  FilterTest() : config(testing::ideal_config(3)) {
    config.joints[0].name = "l_elbow";
    config.joints[1].name = "r_elbow";
    config.joints[2].name = "neck";
    config.parts = {{"left_arm", {0}}, {"others", {2, 1}}};
    snapshot.joints.resize(3);
    snapshot.joints[1].mode = JointMode::kTorque;
    snapshot.joints[2].mode = JointMode::kHwFault;
    snapshot.joints[2].interaction = InteractionMode::kCompliant;
  }
  [[nodiscard]] std::vector<JointIndex> shown(int part, const char* filter) const {
    return shown_joints(config, part, filter, snapshot);
  }
  RobotConfig config;
  Snapshot snapshot;
};
using Joints = std::vector<JointIndex>;

TEST_F(FilterTest, NamesPartsModesAndStatesNarrowItDown) {
  EXPECT_EQ(shown(-1, ""), (Joints{0, 2, 1})) << "part by part";
  EXPECT_EQ(shown(-1, "ELBOW"), (Joints{0, 1}));
  EXPECT_EQ(shown(-1, "elbow r_"), (Joints{1})) << "all words have to fit";
  EXPECT_EQ(shown(-1, "left"), (Joints{0})) << "a part's name stands for its joints";
  EXPECT_EQ(shown(-1, "mode:tor"), (Joints{1}));
  EXPECT_EQ(shown(-1, "is:fault"), (Joints{2}));
  EXPECT_EQ(shown(-1, "is:compliant"), (Joints{2}));
  EXPECT_EQ(shown(-1, "is:nonsense"), Joints{});
}

TEST_F(FilterTest, APartShowsItsJointsInItsOwnOrder) {
  EXPECT_EQ(shown(1, ""), (Joints{2, 1}));
  EXPECT_EQ(shown(0, "neck"), Joints{});
  EXPECT_EQ(shown(7, ""), (Joints{0, 2, 1})) << "no such part: all of them";
}

}  // namespace
}  // namespace jointrig::gui
