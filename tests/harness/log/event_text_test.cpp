#include "harness/log/event_text.h"

#include <gtest/gtest.h>

#include <cmath>

#include "control/core/board_notice.h"
#include "control/core/command.h"
#include "control/core/plan.h"
#include "control/core/twin_evidence.h"
#include "control/safety/arm_admission.h"
#include "control/stack/loop_statistics.h"

namespace jointrig::harness {
namespace {

RobotConfig elbow_and_lift() {
  RobotConfig config;
  JointConfig elbow;
  elbow.name = "elbow";
  elbow.limits.q_min = -1.0;
  elbow.limits.q_max = 2.5;
  elbow.limits.soft_margin = 0.5;
  elbow.limits.v_max = 2.0;
  elbow.limits.tau_max = 38.0;
  elbow.gains.inertia = 0.01;
  JointConfig lift = elbow;
  lift.name = "lift";
  lift.slide = true;
  config.joints = {elbow, lift};
  return config;
}

constexpr JointIndex kElbow = 0;
constexpr JointIndex kLift = 1;

Event event(EventKind kind, JointIndex joint = kElbow) {
  Event e;
  e.kind = kind;
  e.joint = joint;
  e.sender = 3;
  e.number = 12;
  return e;
}

/// @param place  of the number that was refused, from 0
Event rejection(CommandKind command, RejectReason reason, double value = 0.0, double limit = 0.0,
                JointIndex joint = kElbow, std::size_t place = 0) {
  Event e = event(EventKind::kRejected, joint);
  e.command = command;
  e.reason = reason;
  e.value = value;
  e.limit = limit;
  e.mode = JointMode::kPosition;
  e.detail = static_cast<std::uint8_t>(place + 1);
  return e;
}

std::string said(const Event& e) { return sentence(e, elbow_and_lift(), "panel"); }

TEST(EventText, WhatFallsAndWhatIsHeldNamesTheLoadAndTheBrake) {
  Event e = event(EventKind::kFalls);
  e.value = 12.0;
  EXPECT_EQ(said(e), "elbow: its motor goes off under 12 N·m, and it has no brake: it falls");
  e.limit = 8.0;
  EXPECT_EQ(said(e), "elbow: its motor goes off under 12 N·m, and its brake holds 8 N·m: it slips");
  e = event(EventKind::kHeld, kLift);
  e.value = 19.6;
  e.limit = 40.0;
  EXPECT_EQ(said(e), "lift: its motor goes off under 19.6 N: its brake holds it, with up to 40 N");
}

TEST(EventText, AnAcceptedCommandNamesItsSenderAndNumber) {
  Event e = event(EventKind::kAccepted, kNoJoint);
  e.command = CommandKind::kMove;
  EXPECT_EQ(said(e), "robot: accepted move [panel #12]");
  EXPECT_EQ(sentence(e, elbow_and_lift()), "robot: accepted move [sender 3 #12]");
}

TEST(EventText, AWrongModeSaysWhichModesTakeTheCommand) {
  EXPECT_EQ(said(rejection(CommandKind::kStreamVelocity, RejectReason::kWrongMode)),
            "elbow: rejected velocity (wrong_mode): the joint is in position, which takes no "
            "velocity; ask for velocity or mixed first [panel #12]");
}

TEST(EventText, AMotorThatIsNotOnYetIsNoWrongMode) {
  EXPECT_EQ(said(rejection(CommandKind::kFollowPlan, RejectReason::kWrongMode)),
            "elbow: rejected follow_plan (wrong_mode): the joint's motor is not on yet in "
            "position, and follow_plan waits for none; send it again some cycles later [panel "
            "#12]");
}

TEST(EventText, ARefusedValueStandsBesideItsLimitWithItsUnit) {
  const auto out = RejectReason::kOutOfRange;
  EXPECT_EQ(said(rejection(CommandKind::kMove, out, 2.25, 2.0)),
            "elbow: rejected move (out_of_range): goal 2.25 rad is above the limit of 2 rad; stay "
            "within -0.5 to 2 rad [panel #12]");
  EXPECT_EQ(said(rejection(CommandKind::kMove, out, -0.75, -0.5)),
            "elbow: rejected move (out_of_range): goal -0.75 rad is below the limit of -0.5 rad; "
            "stay within -0.5 to 2 rad [panel #12]");
  EXPECT_EQ(said(rejection(CommandKind::kMove, out, -0.25, 0.0, kElbow, 1)),
            "elbow: rejected move (out_of_range): speed -0.25 rad/s is below the limit of 0 rad/s; "
            "stay within 0 to 2 rad/s [panel #12]");
  EXPECT_EQ(said(rejection(CommandKind::kStreamTorque, out, -40.0, -38.0)),
            "elbow: rejected torque (out_of_range): torque -40 N·m is below the limit of -38 N·m; "
            "stay within -38 to 38 N·m [panel #12]");
  EXPECT_EQ(said(rejection(CommandKind::kStreamDuty, out, 1.5, 1.0)),
            "elbow: rejected duty (out_of_range): duty 1.5 is above the limit of 1; stay within -1 "
            "to 1 [panel #12]");
}

TEST(EventText, ASlidingJointReadsMetresAndNewtons) {
  const auto out = RejectReason::kOutOfRange;
  EXPECT_EQ(said(rejection(CommandKind::kStreamVelocity, out, 3.0, 2.0, kLift)),
            "lift: rejected velocity (out_of_range): velocity 3 m/s is above the limit of 2 m/s; "
            "stay within -2 to 2 m/s [panel #12]");
  EXPECT_EQ(said(rejection(CommandKind::kStreamTorque, out, 40.0, 38.0, kLift)),
            "lift: rejected torque (out_of_range): torque 40 N is above the limit of 38 N; stay "
            "within -38 to 38 N [panel #12]");
}

TEST(EventText, AnImpedanceOutOfRangeTellsStiffnessFromDamping) {
  const auto out = RejectReason::kOutOfRange;
  const JointGains gains = elbow_and_lift().joints[0].gains;
  // 0.01 (2π 25)² and 2 · 0.01 · 2π 40, by hand.
  EXPECT_EQ(said(rejection(CommandKind::kSetImpedance, out, 300.0, max_stiffness(gains))),
            "elbow: rejected set_impedance (out_of_range): stiffness 300 N·m/rad is above the "
            "limit of 246.74 N·m/rad; stay within 0 to 246.74 N·m/rad [panel #12]");
  EXPECT_EQ(said(rejection(CommandKind::kSetImpedance, out, 6.0, max_damping(gains), kLift, 1)),
            "lift: rejected set_impedance (out_of_range): damping 6 N·s/m is above the limit of "
            "5.02655 N·s/m; stay within 0 to 5.02655 N·s/m [panel #12]");
  // By its place, not by its limit: 0 is that of both.
  EXPECT_EQ(said(rejection(CommandKind::kSetImpedance, out, -1.0, 0.0)),
            "elbow: rejected set_impedance (out_of_range): stiffness -1 N·m/rad is below the limit "
            "of 0 N·m/rad; stay within 0 to 246.74 N·m/rad [panel #12]");
  EXPECT_EQ(said(rejection(CommandKind::kSetImpedance, out, -1.0, 0.0, kElbow, 1)),
            "elbow: rejected set_impedance (out_of_range): damping -1 N·m·s/rad is below the limit "
            "of 0 N·m·s/rad; stay within 0 to 5.02655 N·m·s/rad [panel #12]");
}

TEST(EventText, ARefusedParameterIsNamedWithItsUnit) {
  const auto refused = [](JointParameter parameter, JointIndex joint) {
    return said(rejection(CommandKind::kSetParameter, RejectReason::kOutOfRange, 60.0, 50.0, joint,
                          static_cast<std::size_t>(parameter)));
  };
  EXPECT_EQ(refused(JointParameter::kTorqueMax, kElbow),
            "elbow: rejected set_parameter (out_of_range): torque_max 60 N·m is above the limit of "
            "50 N·m [panel #12]");
  EXPECT_EQ(refused(JointParameter::kTorqueMax, kLift),
            "lift: rejected set_parameter (out_of_range): torque_max 60 N is above the limit of 50 "
            "N [panel #12]");
  EXPECT_EQ(refused(JointParameter::kVelocityMax, kElbow),
            "elbow: rejected set_parameter (out_of_range): velocity_max 60 rad/s is above the "
            "limit of 50 rad/s [panel #12]");
}

/// The sentence on a command to an arm that has a limit of its own for one of the numbers.
std::string said_of_arm(const Request& request, const ArmConfig& arm) {
  RobotConfig config = elbow_and_lift();
  config.arms.push_back(arm);
  const Refusal refusal = std::visit(
      [&](const auto& command) {
        if constexpr (requires { check_arm(command, arm); }) return check_arm(command, arm);
        return Refusal{};
      },
      request);
  EXPECT_NE(refusal.reason, RejectReason::kNone);
  Event e = rejection(kind_of(request), refusal.reason, refusal.value, refusal.limit, kNoJoint);
  e.detail = refusal.place;
  e.arm = 0;
  return sentence(e, config, "panel");
}

TEST(EventText, ARefusedNumberOfAnArmHasTheUnitOfItsAxisThoughLimitsAreEqual) {
  ArmConfig arm;
  arm.name = "left";
  arm.interaction.force_max.fill(30.0);
  arm.stiffness_max.fill(30.0);
  arm.damping_max.fill(30.0);
  SetInteractionControl command;
  command.force[2] = 31.0;
  EXPECT_EQ(said_of_arm(command, arm),
            "arm left: rejected set_interaction_control (out_of_range): its force along z is 31 N, "
            "and the largest allowed value is 30 N [panel #12]");
  command.force = {0, 0, 0, 0, -31.0, 0};
  EXPECT_EQ(said_of_arm(command, arm),
            "arm left: rejected set_interaction_control (out_of_range): its force about y is -31 "
            "N·m, and the smallest allowed value is -30 N·m [panel #12]");
  command.force = {};
  command.stiffness[0] = 31.0;
  EXPECT_NE(said_of_arm(command, arm)
                .find("its stiffness along x is 31 N/m, and the largest "
                      "allowed value is 30 N/m"),
            std::string::npos);
  command.stiffness = {};
  command.damping_source = DampingSource::kGiven;
  command.damping[5] = 31.0;
  EXPECT_NE(said_of_arm(command, arm)
                .find("its damping about z is 31 N·m·s/rad, and the largest "
                      "allowed value is 30 N·m·s/rad"),
            std::string::npos);
  EXPECT_NE(said_of_arm(SetPayload{0, 1.0, {}, {0.01, 0.04, 0.02, 0, 0, 0}}, arm)
                .find("its largest principal moment is 0.04 kg·m², above the sum of the other two, "
                      "0.03 kg·m²; give Ixx"),
            std::string::npos);
  EXPECT_NE(said_of_arm(SetPayload{0, 1.0, {}, {-0.01, 0.04, 0.04, 0, 0, 0}}, arm)
                .find("its least principal moment is -0.01 kg·m², below 0; give Ixx"),
            std::string::npos);
  EXPECT_NE(said_of_arm(SetPayload{0, 0.0, {}, {0.01, 0.01, 0.01, 0, 0, 0}}, arm)
                .find("an inertia of 0.01 kg·m² without a mass is no rigid body; give the mass"),
            std::string::npos);
  EXPECT_NE(said_of_arm(SetPayload{0, 11.0, {}, {}}, arm).find("its mass is 11 kg"),
            std::string::npos);
  EXPECT_NE(
      said_of_arm(SetPayload{0, 1.0, {0.0, 2.0, 0.0}, {}}, arm).find("its centre along y is 2 m"),
      std::string::npos);
  EXPECT_NE(said_of_arm(SetCuff{0, 700.0}, arm)
                .find("its duration is 700 s, and the largest allowed value is 600 s"),
            std::string::npos);
}

TEST(EventText, AWordThatThereIsNotAndANumberThatIsNoneAreNamed) {
  const auto words = static_cast<double>(kAllModeRequest.size());
  EXPECT_EQ(said(rejection(CommandKind::kSetMode, RejectReason::kOutOfRange, words, words - 1.0,
                           kNoJoint)),
            "robot: rejected set_mode (out_of_range): its mode is number " +
                std::to_string(kAllModeRequest.size()) +
                ", and the last word that it has is number " +
                std::to_string(kAllModeRequest.size() - 1) + ", " +
                std::string(to_string(kAllModeRequest.back())) + " [panel #12]");
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      said(rejection(CommandKind::kTimedMove, RejectReason::kNotFinite, nan, 0.0, kElbow, 1)),
      "elbow: rejected timed_move (not_finite): its duration is nan; send finite numbers [panel "
      "#12]");
}

TEST(EventText, EachOtherReasonSaysWhatToDo) {
  const struct {
    RejectReason reason;
    double value;
    double limit;
    const char* words;
  } cases[] = {
      {RejectReason::kUnknownJoint, 9, 2, "it names joint number 9, the robot has 2; count from 0"},
      {RejectReason::kBoardFaulted, 0, 0,
       "the joint is in hw_fault; remove the cause, then ask for force_idle"},
      {RejectReason::kSizeMismatch, 2, 3,
       "it carries 2 values and its joints need 3; send one for each joint named"},
      {RejectReason::kSizeMismatch, 0, 0, "it names no joint; name at least one"},
      {RejectReason::kNotFinite, std::numeric_limits<double>::infinity(), 0,
       "a value is inf; send finite numbers"},
      {RejectReason::kStale, 4, 7, "its number 4 is not above 7, the last one taken; count up"},
      {RejectReason::kStale, 0.75, 0.5,
       "it was computed from a snapshot 0.75 s old, more than 0.5 s; use a newer snapshot"},
      {RejectReason::kStale, 99, 0, "the sender's id 99 is unknown; connect first"},
      {RejectReason::kNotConfigured, 0, 0,
       "the board is silent or set up wrongly; check its power and configuration first"},
      {RejectReason::kNotCalibrated, 0, 0, "the joint is not calibrated; calibrate it first"},
      {RejectReason::kCalibrating, 0, 0,
       "the joint is calibrating; wait until it is done, or ask for idle to abort"},
      {RejectReason::kNotIdle, 0, 0, "the joint is in position; ask for idle first"},
      {RejectReason::kUnsupported, 0, 0,
       "its board lacks what this needs and the stack can't emulate it; choose another mode "
       "or interaction"},
      {RejectReason::kContact, 0, 0,
       "its part has stopped on a contact; wait until the stop is over, after a squish ask for a "
       "mode"},
      {RejectReason::kInboxFull, 0, 0, "more commands came than a cycle can take; send it again"},
  };
  for (const auto& c : cases) {
    Event e = rejection(CommandKind::kSetMode, c.reason, c.value, c.limit);
    e.detail = 0;
    EXPECT_EQ(said(e), "elbow: rejected set_mode (" + std::string(to_string(c.reason)) +
                           "): " + c.words + " [panel #12]");
  }
}

TEST(EventText, ARefusedRowOfAMessageTellsAQuaternionFromAPosition) {
  constexpr std::size_t kSecondRow = place_of<HandTrajectory>("waypoints") + 8;
  const auto refused = [](CommandKind kind, double value, double limit, std::size_t place) {
    Event e = rejection(kind, RejectReason::kOutOfRange, value, limit, kNoJoint, place);
    e.message = 4;
    e.waypoint = 2;
    return said(e);
  };
  EXPECT_NE(refused(CommandKind::kHandTrajectory, 0.9, 1.0, kSecondRow + 4)
                .find("the quaternion of row 2 has the length 0.9; a rotation has 1"),
            std::string::npos);
  EXPECT_NE(refused(CommandKind::kHandTrajectory, 0.9, 1.0, kSecondRow + 3)
                .find("a number of row 2 is 0.9, and the smallest allowed value is 1"),
            std::string::npos);
  EXPECT_NE(refused(CommandKind::kChestTrajectory, 2.0, 1.0,
                    place_of<ChestTrajectory>("waypoints") + 5 + 1)
                .find("the quaternion of row 2 has the length 2;"),
            std::string::npos);
}

/// With velocities a row of a hand has 14 numbers.
TEST(EventText, ARefusedNumberOfAMessageIsNamedByItsAxisItsJointOrItsPlace) {
  const auto refused = [](CommandKind kind, RejectReason why, double value, double limit,
                          std::size_t place, int row) {
    Event e = rejection(kind, why, value, limit, kNoJoint, place);
    e.message = 4;
    e.waypoint = static_cast<std::uint16_t>(row);
    return said(e);
  };
  using enum RejectReason;
  const std::vector<std::pair<std::string, std::string>> cases{
      {refused(CommandKind::kHandTrajectory, kOutOfRange, 0.9, 1.0,
               place_of<HandTrajectory>("waypoints") + 14 + 4, 2),
       "the quaternion of row 2 has the length 0.9"},
      {refused(CommandKind::kHandTrajectory, kOutOfRange, -1.0, 0.0,
               place_of<HandTrajectory>("weights") + 2, 0),
       "its weights along z is -1, and the smallest allowed value is 0"},
      {refused(CommandKind::kChestTrajectory, kOutOfRange, -1.0, 0.0,
               place_of<ChestTrajectory>("weights") + 2, 0),
       "its weights about z is -1,"},
      {refused(CommandKind::kArmDesiredAccelerations, kOutOfRange, 300.0, 200.0,
               place_of<ArmDesiredAccelerations>("accelerations") + 3, 0),
       "its accelerations of joint 4 is 300 rad/s², and the largest allowed value is 200 rad/s²"},
      {refused(CommandKind::kArmJointTrajectory, kNotFinite,
               std::numeric_limits<double>::infinity(), 0.0,
               place_of<ArmJointTrajectory>("waypoints") + 120, 0),
       "its waypoints number 121 is inf; send finite numbers"},
      {refused(CommandKind::kPelvisHeight, kBadWaypoints, 0.2, 0.0,
               place_of<PelvisHeight>("waypoints"), 1),
       "row 1 has the time 0.2 s; the point of a stream has 0 s"},
      {refused(CommandKind::kPelvisHeight, kSizeMismatch, 6.0, 3.0,
               place_of<PelvisHeight>("waypoints"), 0),
       "it has 6 numbers and needs 3: a stream has one row"},
      {refused(CommandKind::kHandTrajectory, kOutOfRange, 0.0, 0.0,
               place_of<HandTrajectory>("previous"), 0),
       "the message that it is queued behind leaves out other axes"},
      {refused(CommandKind::kNeckDesiredAccelerations, kSizeMismatch, 2.0, 3.0,
               place_of<NeckDesiredAccelerations>("accelerations"), 0),
       "it has 2 numbers and needs 3: one for each joint"},
      {refused(CommandKind::kWholeBodyTrajectory, kPartTwice, 5.0, 0.0,
               place_of<WholeBodyTrajectory>("waypoints") + 9, 2),
       "row 2 moves what an earlier one of another part moves"}};
  for (const auto& [sentence, words] : cases) {
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
  }
}

TEST(EventText, AFootThatBearsTellsItsForceAndWhereTheWeightIs) {
  Event e = rejection(CommandKind::kFootLoadBearing, RejectReason::kBearsLoad, 153.0, -0.052,
                      kNoJoint, 0);
  e.message = 4;
  EXPECT_NE(said(e).find("it bears 153 N, and the capture point is 52 mm outside the other soles"),
            std::string::npos)
      << said(e);
  e.command = CommandKind::kFootTrajectory;
  EXPECT_NE(said(e).find("it bears 153 N; unload it first: foot_load_bearing with bears: false"),
            std::string::npos)
      << said(e);
  e.reason = RejectReason::kInTheAir;
  e.value = 0.04;
  e.limit = 0.005;
  EXPECT_NE(said(e).find("40 mm above the ground of the other feet, and touch_height is 5 mm"),
            std::string::npos)
      << said(e);
}

TEST(EventText, ARefusalOfFingersOrOfAPlaceSaysWhatToDo) {
  Event e =
      rejection(CommandKind::kHandConfiguration, RejectReason::kNoFingers, 1.0, 0.0, kNoJoint, 0);
  e.message = 4;
  EXPECT_NE(
      said(e).find("hand 1 has no fingers; name the gripper that they are in whole_body.fingers"),
      std::string::npos)
      << said(e);
  e = rejection(CommandKind::kPelvisTrajectory, RejectReason::kWouldTip, -0.012, 0.01, kNoJoint, 0);
  e.message = 5;
  e.waypoint = 2;
  EXPECT_NE(
      said(e).find("at row 2 the centre of mass would be 12 mm outside the edge of the soles"),
      std::string::npos)
      << said(e);
}

TEST(EventText, ABalanceTellsWayDirectionAndTheLastMessage) {
  Event e = event(EventKind::kBalance);
  e.detail = static_cast<std::uint8_t>(BalanceState::kEdge);
  e.value = 0.004;
  e.limit = 0.01;
  e.direction = 1.4F;
  e.message = 17;
  EXPECT_NE(said(e).find("balance edge: the capture point is 4 mm inside the soles' edge, to the "
                         "left (80 deg from ahead); lift_margin is 10 mm; the last message is 17"),
            std::string::npos)
      << said(e);
}

TEST(EventText, ARobotOnFeetThatHoldsUntilItsBaseIsKnownSaysSo) {
  Event e = event(EventKind::kLawState, kNoJoint);
  e.detail = static_cast<std::uint8_t>(LawState::kRuns);
  EXPECT_EQ(said(e), "robot: runs");
  e.detail = static_cast<std::uint8_t>(LawState::kHolds);
  EXPECT_EQ(said(e),
            "robot: holds: its joints hold in mode position until its base is known, then they go "
            "to mode torque");
}

TEST(EventText, ARobotOnFeetThatDoesNotComeToTorqueNamesTheObstacleAndWhatToDo) {
  const auto told = [](TorqueObstacle why, double value, double limit,
                       JointIndex joint = kNoJoint) {
    Event e = event(EventKind::kStaysHeld, joint);
    e.detail = static_cast<std::uint8_t>(why);
    e.value = value;
    e.limit = limit;
    return said(e);
  };
  const std::string begins =
      "mode torque was asked for and did not come within 1 s, its joints hold on in mode "
      "position; ";
  const std::string unknown = begins + "nobody knows where its base is, ";
  const std::string again = ", and ask for mode torque again";
  EXPECT_EQ(told(TorqueObstacle::kNoFoot, 0.0, 0.0),
            "robot: " + unknown + "no foot bears: set it on its feet" + again);
  EXPECT_EQ(told(TorqueObstacle::kNoImu, 0.0, 0.0),
            "robot: " + unknown + "its IMU gives nothing: look at its supply and its wire" + again);
  EXPECT_EQ(told(TorqueObstacle::kLooking, 0.1, 0.25),
            "robot: " + unknown +
                "it has stood for 0.1 s, and 0.25 s are needed: leave it on its feet" + again);
  EXPECT_EQ(told(TorqueObstacle::kFeetApart, 0.3, 0.1),
            "robot: " + unknown +
                "its feet tell speeds that are apart by 0.3 m/s, and 0.1 m/s is the most: let no "
                "foot slide" +
                again);
  EXPECT_EQ(told(TorqueObstacle::kTurns, 0.8, 0.5),
            "robot: " + unknown +
                "it turns at 0.8 rad/s, and 0.5 rad/s is taken for a fall: hold it still" + again);
  EXPECT_EQ(told(TorqueObstacle::kNoGravity, 8.31, 9.81),
            "robot: " + unknown +
                "IMU and legs find a gravity of 8.31 m/s², and 9.81 m/s² is right: look at how the "
                "IMU is mounted, and let no foot slide" +
                again);
  EXPECT_EQ(told(TorqueObstacle::kJointOff, 0.0, 0.0, kElbow),
            "elbow: " + begins + "the motor of this joint is not on: see its board" + again);
  EXPECT_EQ(told(TorqueObstacle::kJointHeld, 0.0, 0.0, kElbow),
            "elbow: " + begins + "this joint is held: free it first" + again);
  EXPECT_EQ(told(TorqueObstacle::kJointMoves, 0.0, 0.0, kElbow),
            "elbow: " + begins + "this joint is still on its way: let it arrive" + again);
}

TEST(EventText, AMotionThatBreaksOffTellsTheWaypointAndTheReason) {
  Event e = event(EventKind::kPlanBroken);
  e.waypoint = 2;
  e.detail = static_cast<std::uint8_t>(PlanChange::kContact);
  EXPECT_EQ(said(e),
            "elbow: the plan ends on the way to waypoint 2, since this joint has stopped on a "
            "contact");
  e.detail = static_cast<std::uint8_t>(PlanChange::kLeft);
  e.mode = JointMode::kIdle;
  EXPECT_EQ(said(e),
            "elbow: the plan ends on the way to waypoint 2, since this joint has another command "
            "or mode: idle");
  e.detail = static_cast<std::uint8_t>(PlanChange::kDisabled);
  EXPECT_EQ(said(e),
            "elbow: the plan ends on the way to waypoint 2, since the motor of this joint was "
            "switched off");
  e.detail = static_cast<std::uint8_t>(PlanChange::kFault);
  EXPECT_EQ(said(e),
            "elbow: the plan ends on the way to waypoint 2, since the part of this joint is held");
  e.fault = FaultCode::kOverCurrent;
  EXPECT_EQ(said(e),
            "elbow: the plan ends on the way to waypoint 2, since this joint has a fault: " +
                std::string(describe(FaultCode::kOverCurrent)));
  e.detail = static_cast<std::uint8_t>(PlanChange::kPathTolerance);
  e.value = 0.02;
  e.limit = 0.01;
  EXPECT_EQ(said(e),
            "elbow: the plan stops on the way to waypoint 2: 0.02 rad from its reference, and the "
            "tolerance is 0.01 rad");
}

TEST(EventText, AFallTellsWhereTo) {
  Event e = event(EventKind::kLawFailed);
  e.detail = static_cast<std::uint8_t>(LawFailure::kFell);
  e.value = 0.051;
  e.limit = 0.05;
  const auto told = [&](float direction) {
    e.direction = direction;
    return said(e);
  };
  EXPECT_NE(told(0.1F).find("falls ahead (6 deg from ahead)"), std::string::npos) << told(0.1F);
  EXPECT_NE(told(1.4F).find("falls to the left (80 deg"), std::string::npos);
  EXPECT_NE(told(-1.4F).find("falls to the right (-80 deg"), std::string::npos);
  EXPECT_NE(told(3.0F).find("falls backwards (172 deg"), std::string::npos);
}

TEST(EventText, ModesAndInteractionsAreNamed) {
  Event mode = event(EventKind::kModeChanged);
  mode.mode = JointMode::kTorque;
  mode.was = JointMode::kCalibDone;
  EXPECT_EQ(said(mode), "elbow: mode torque, was calib_done");
  Event interaction = event(EventKind::kInteractionChanged);
  interaction.detail = static_cast<std::uint8_t>(InteractionMode::kCompliant);
  EXPECT_EQ(said(interaction), "elbow: interaction compliant");
}

TEST(EventText, AFaultTellsValueAgainstLimitAndTheWayOut) {
  Event e = event(EventKind::kFault);
  e.fault = FaultCode::kOverCurrent;
  e.value = 12.5;
  e.limit = 10.0;
  EXPECT_EQ(said(e),
            "elbow: fault over_current: the motor current is too high: 12.5 A against a limit of "
            "10 A; remove the cause, then ask for force_idle");
  e.kind = EventKind::kFaultStays;
  EXPECT_EQ(said(e),
            "elbow: fault over_current stays after force_idle: the motor current is too high: 12.5 "
            "A against a limit of 10 A; the cause remains");
  e.kind = EventKind::kFaultCleared;
  EXPECT_EQ(said(e), "elbow: fault over_current cleared");

  Event on_slide = event(EventKind::kFault, kLift);
  on_slide.fault = FaultCode::kOverSpeed;
  on_slide.value = 5.0;
  on_slide.limit = 3.0;
  EXPECT_EQ(said(on_slide),
            "lift: fault over_speed: the joint is too fast: 5 m/s against a limit of 3 m/s; remove "
            "the cause, then ask for force_idle");
}

TEST(EventText, TwoDrivesUnderOneNumberAreToldWithTheNumberTheEvidenceAndWhatToDo) {
  Event e = event(EventKind::kFault);
  e.fault = FaultCode::kDuplicateNode;
  e.value = 3.0;
  e.limit = static_cast<double>(TwinEvidence::kSerials);
  EXPECT_EQ(said(e),
            "elbow: fault duplicate_node: two drives answer under one number: node 3, since its "
            "serial number was answered with two values; unplug one of them or give it a number of "
            "its own, then ask for force_idle");
  e = event(EventKind::kNotice);
  e.detail = static_cast<std::uint8_t>(Notice::kDuplicateNode);
  e.value = 3.0;
  e.limit = static_cast<double>(TwinEvidence::kStates);
  EXPECT_EQ(said(e),
            "elbow: dup_node: two nodes send under its number (node 3, since more different states "
            "came than one drive sends after SYNC); unplug one of them or give it a number of its "
            "own");
  e.limit = 0.0;
  EXPECT_EQ(said(e).rfind("elbow: dup_node: two nodes send under its number (node 3); ", 0), 0U);
}

TEST(EventText, TimeoutsLimitsGoalsCalibrationsAndOverruns) {
  Event timeout = event(EventKind::kCommandTimeout);
  timeout.value = timeout.limit = 0.2;
  timeout.detail = static_cast<std::uint8_t>(TimeoutReaction::kDamp);
  EXPECT_EQ(said(timeout),
            "elbow: no command for 0.2 s, the timeout of this stream: damp; send more often or set "
            "a longer timeout");

  Event limited = event(EventKind::kLimited, kLift);
  limited.detail = static_cast<std::uint8_t>(Limit::kTorqueRate);
  EXPECT_EQ(said(limited), "lift: limited by torque_rate");
  limited.value = 12.345678;
  limited.limit = 1.02345678;
  EXPECT_EQ(said(limited),
            "lift: limited by torque_rate: 12.35 N wanted, 1.023 N is the most in this cycle");
  limited.value = 1.02345999;
  EXPECT_EQ(said(limited),
            "lift: limited by torque_rate: 1.02346 N wanted, 1.023457 N is the most in this cycle");
  limited.value = std::nextafter(limited.limit, 2.0);
  EXPECT_EQ(said(limited),
            "lift: limited by torque_rate: 1.023 N wanted, 1.023 N is the most in this cycle")
      << "rounding is no figure to read";
  limited.value = 900.0;
  limited.limit = 500.0;
  EXPECT_EQ(said(limited),
            "lift: limited by torque_rate: 900 N wanted, 500 N is the most in this cycle");

  Event goal = event(EventKind::kGoalReached);
  goal.value = 0.5;
  EXPECT_EQ(said(goal), "elbow: goal 0.5 rad reached");

  Event engaged = event(EventKind::kEngaged);
  engaged.value = -21.9876;
  engaged.limit = 1.0;
  EXPECT_EQ(said(engaged),
            "elbow: the motor came on with -21.99 N·m at once to carry the joint; the torque rate "
            "is 1 N·m a cycle");

  Event calibrated = event(EventKind::kCalibrationDone, kLift);
  calibrated.value = -0.01;
  EXPECT_EQ(said(calibrated), "lift: calibrated, offset -0.01 m");

  Event overrun = event(EventKind::kOverrun, kNoJoint);
  overrun.value = 1.3e-3;
  overrun.limit = 1e-3;
  overrun.detail = static_cast<std::uint8_t>(LoopStage::kWrite);
  EXPECT_EQ(
      said(overrun),
      "robot: the cycle was over 1.3 ms after it was due, with a period of 1 ms; most of that was "
      "write");

  Event missed = event(EventKind::kCyclesMissed, kNoJoint);
  missed.value = 37;
  EXPECT_EQ(said(missed), "robot: the scenario fell behind the loop and missed 37 cycles");
}

TEST(EventText, AChangeOfTheLeaseTellsWhoseItWasAndWhy) {
  const auto told = [](EventKind kind, LeaseAct act) {
    Event lease = event(kind, kNoJoint);
    lease.detail = static_cast<std::uint8_t>(act);
    lease.number = 3;
    lease.value = 0.2;
    return sentence(lease, elbow_and_lift(), "remote1:anna");
  };
  EXPECT_EQ(told(EventKind::kLease, LeaseAct::kTaken),
            "robot: remote1:anna took the lease (epoch 3)");
  EXPECT_EQ(told(EventKind::kLease, LeaseAct::kReleased),
            "robot: remote1:anna released the lease (epoch 3)");
  EXPECT_EQ(told(EventKind::kLeaseLost, LeaseAct::kTakenOver),
            "robot: remote1:anna lost the lease (epoch 3): another client took it over");
  EXPECT_EQ(told(EventKind::kLeaseLost, LeaseAct::kSilent),
            "robot: remote1:anna lost the lease (epoch 3): it was silent for 0.2 s");
  EXPECT_EQ(told(EventKind::kLeaseLost, LeaseAct::kDisconnected),
            "robot: remote1:anna lost the lease (epoch 3): its connection ended");
  EXPECT_EQ(told(EventKind::kLeaseLost, LeaseAct::kStopped),
            "robot: remote1:anna lost the lease (epoch 3): another client stopped the robot");
}

TEST(EventText, AForceSensorThatFailsTellsArmValueAndLimit) {
  RobotConfig config = elbow_and_lift();
  config.arms.emplace_back().name = "left";
  Event e = event(EventKind::kForceSensor, kNoJoint);
  e.arm = 0;
  e.detail = static_cast<std::uint8_t>(ForceSensorState::kStale);
  e.value = 5;
  e.limit = 5;
  EXPECT_EQ(sentence(e, config, ""),
            "arm left: the force/torque sensor is stale: 5 samples are missing in a row, and it "
            "tolerates fewer than 5; the last wrench is held");
  e.detail = static_cast<std::uint8_t>(ForceSensorState::kFrozen);
  e.value = 0.62;
  e.limit = 0.5;
  e.quantity = QuantityKind::kForce;
  EXPECT_EQ(
      sentence(e, config, ""),
      "arm left: the force/torque sensor is frozen: the weight on it has turned by 0.62 N, which "
      "is more than 0.5 N, and it reads the same to the bit; the last wrench is held");
  e.detail = static_cast<std::uint8_t>(ForceSensorState::kSaturated);
  e.value = -31.0;
  e.limit = 30.0;
  e.number = 2;
  EXPECT_EQ(sentence(e, config, ""),
            "arm left: the force/torque sensor is saturated: its force along z is -31 N, and its "
            "range ends at 30 N; take load off the tool");
  e.number = 5;
  e.quantity = QuantityKind::kTorque;
  EXPECT_EQ(sentence(e, config, ""),
            "arm left: the force/torque sensor is saturated: its torque about z is -31 N·m, and "
            "its range ends at 30 N·m; take load off the tool");
}

TEST(EventText, AContactTellsValueThresholdAndWhatFollows) {
  Event contact = event(EventKind::kContact);
  contact.detail = static_cast<std::uint8_t>(ContactKind::kImpact);
  contact.value = 14.2;
  contact.limit = 13.05;
  contact.quantity = QuantityKind::kTorque;
  EXPECT_EQ(said(contact),
            "elbow: impact: 14.2 N·m of sudden torque against a threshold of 13.05 N·m, most on "
            "this joint; its part stops for 0.5 s");
  contact.joint = kLift;
  contact.detail = static_cast<std::uint8_t>(ContactKind::kSquish);
  EXPECT_EQ(said(contact),
            "lift: squish: 14.2 N of external torque against a threshold of 13.05 N, most on this "
            "joint; its part holds softly until a mode is asked for");
  contact.detail = static_cast<std::uint8_t>(ContactKind::kHandWrench);
  // The same threshold for either.
  contact.limit = 30.0;
  contact.value = 120.0;
  contact.quantity = QuantityKind::kForce;
  EXPECT_EQ(said(contact),
            "lift: hand_wrench: 120 N on the hand against a threshold of 30 N, most on this "
            "joint; its part stops for 0.5 s");
  contact.quantity = QuantityKind::kTorque;
  EXPECT_EQ(said(contact),
            "lift: hand_wrench: 120 N·m on the hand against a threshold of 30 N·m, most on this "
            "joint; its part stops for 0.5 s");
}

TEST(EventText, AvoidanceAndSuppressionSayWhatTheyDo) {
  Event avoids = event(EventKind::kAvoidance);
  avoids.detail = static_cast<std::uint8_t>(AvoidanceAct::kPushes);
  avoids.value = 0.0312;
  avoids.limit = 0.05;
  EXPECT_EQ(said(avoids),
            "elbow: collision avoidance pushes, this joint most: surfaces are 0.0312 m apart, less "
            "than the margin of 0.05 m");
  avoids.detail = static_cast<std::uint8_t>(AvoidanceAct::kStops);
  EXPECT_EQ(
      said(avoids),
      "elbow: collision avoidance stops references that bring surfaces, 0.0312 m apart, nearer "
      "than the margin of 0.05 m, this joint most; give a goal that leads away");
  avoids.number = number_of_shapes(2, 1);
  RobotConfig named = elbow_and_lift();
  named.avoidance.emplace().shapes = {{"base", "table", "hand"}};
  EXPECT_EQ(sentence(avoids, named),
            "elbow: collision avoidance stops references that bring surfaces of hand and table, "
            "0.0312 m apart, nearer than the margin of 0.05 m, this joint most; give a goal that "
            "leads away; where they may meet: collision_avoidance: {exclude: [[hand, table]]}");
  Event suppressed = event(EventKind::kSuppressed);
  suppressed.detail = static_cast<std::uint8_t>(Suppressible::kCuff);
  suppressed.value = suppressed.limit = 0.2;
  EXPECT_EQ(said(suppressed), "elbow: cuff is suppressed while messages come within 0.2 s");
  suppressed.kind = EventKind::kUnsuppressed;
  suppressed.value = 1.5;
  EXPECT_EQ(said(suppressed),
            "elbow: cuff acts again: no message for 0.2 s, it was suppressed for 1.5 s");
}

}  // namespace
}  // namespace jointrig::harness
