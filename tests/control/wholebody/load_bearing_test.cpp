// Loads of feet and hands: what is refused, ramps, and what the program makes of them.

#include <gtest/gtest.h>

#include <cmath>

#include "control/wholebody/managers.h"
#include "tests/control/wholebody/icub_on_soles.h"

namespace jointrig {
namespace {

/// The iCub in its start pose, its weight in the middle of both soles. No physics.
struct Loaded {
  explicit Loaded(double lift_margin = 0.01) : managers(made(lift_margin)) {
    for (SixNumbers& wrench : solution.contact_wrench) wrench.setZero();
    icub.read();
    managers.begin(icub.model, {Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()}, notices);
  }
  BodyManagers made(double lift_margin) {
    WholeBodyConfig config;
    config.hands = {{"left", "l_palm", {}, {}}, {"right", "r_palm", {}, {}}};
    config.feet = {{"left", "l_sole", {}, {}, {}}, {"right", "r_sole", {}, {}, {}}};
    config.lift_margin = lift_margin;
    std::vector<BodyManagers::JointRoom> rooms;
    for (const JointBounds& one : icub.bounds) rooms.push_back({one.low, one.high, 3.5});
    return {icub.model, config, soles::both_soles(icub.model), rooms, 0};
  }
  void run(double seconds) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds * 1e3)); ++i) {
      managers.advance(icub.model, solution, 1e-3, notices);
    }
  }
  void press(std::size_t contact, double force) { solution.contact_wrench[contact][2] = force; }
  MessageFault unload(std::uint8_t foot, MessageId id = 1) {
    const FootLoadBearing message{foot, id, false, 0.5};
    const MessageFault fault = managers.check(icub.model, message);
    if (!fault) managers.take(icub.model, message, notices);
    return fault;
  }
  [[nodiscard]] const FootManager& foot(std::size_t i) const { return managers.state().feet[i]; }

  soles::Icub icub;
  BodyManagers managers;
  WholeBodySolution solution;
  MessageNotices notices;
};

TEST(FootLoad, AFootWithTheWeightOnItIsNotLetGo) {
  Loaded body;
  body.press(1, 162.0);
  body.run(1e-3);

  const MessageFault fault = body.unload(1);

  EXPECT_EQ(fault.reason, RejectReason::kBearsLoad);
  EXPECT_NEAR(fault.value, 162.0, 0.01) << "so much it bears";
  // The centre of mass is between the soles, 70.2 mm from the middle of each; a sole's edge is
  // 36 mm from its middle, and 5 mm further outward.
  EXPECT_NEAR(fault.limit, -(0.0752 - 0.036), 5e-4);
  EXPECT_TRUE(body.managers.is_on_ground(1));
}

TEST(FootLoad, ARampEndsInTheAirWhereTheFootIsHeld) {
  Loaded body(/*lift_margin=*/-1.0);
  body.press(1, 100.0);
  body.run(1e-3);
  EXPECT_TRUE(std::isinf(body.foot(1).force_max()));
  ASSERT_FALSE(body.unload(1));
  body.run(0.25);
  EXPECT_NEAR(body.foot(1).force_max(), 50.0, 1e-6) << "half of the ramp from what it bore";
  EXPECT_TRUE(body.managers.is_on_ground(1));
  body.run(0.25);
  EXPECT_FALSE(body.managers.is_on_ground(1));
  EXPECT_TRUE(body.managers.is_on_ground(0));
  const Eigen::Vector3d sole = body.icub.model.position(body.icub.model.find_frame("r_sole"));
  EXPECT_LT((body.foot(1).queue().now().x.head<3>() - sole).norm(), 1e-12);
  ASSERT_EQ(body.notices.size(), 2U);
  EXPECT_EQ(body.notices[1].change, MessageChange::kCompleted);

  WholeBodyCommand command;
  command.privileged.acceleration.setZero(body.icub.model.joint_count());
  command.privileged.weights.setZero(body.icub.model.joint_count());
  command.joints = command.privileged;
  body.managers.want(body.icub.model, command);
  EXPECT_TRUE(command.contacts[0].on);
  EXPECT_FALSE(command.contacts[1].on);
}

TEST(FootLoad, AFootOnTheGroundIsMovedByNoTrajectoryAndOneInTheAirByOne) {
  Loaded body(/*lift_margin=*/-1.0);
  FootTrajectory up;
  up.hand = 1;
  up.id = 2;
  for (const double n : {1.0, 0.0, -0.07, 0.05, 1.0, 0.0, 0.0, 0.0}) up.waypoints.push_back(n);
  EXPECT_EQ(body.managers.check(body.icub.model, path_message(up)).reason,
            RejectReason::kBearsLoad);
  ASSERT_FALSE(body.unload(1));
  body.run(0.5);
  ASSERT_FALSE(body.managers.check(body.icub.model, path_message(up)));
  body.managers.take(body.icub.model, path_message(up), body.notices);
  body.run(1.0);
  EXPECT_NEAR(body.foot(1).queue().now().x[2], 0.05, 1e-12);
  up.hand = 2;
  EXPECT_EQ(body.managers.check(body.icub.model, path_message(up)).reason,
            RejectReason::kNoSuchPart);
}

TEST(FootLoad, AFootInTheAirBearsNothingBeforeItIsDown) {
  Loaded body(/*lift_margin=*/-1.0);
  ASSERT_FALSE(body.unload(1));
  body.run(0.5);
  // The knee bends: the sole comes up, and tilts.
  for (int j = 0; j < body.icub.plant.njnt; ++j) {
    if (body.icub.model.joints().size() > 0 &&
        std::string(mj_id2name(&body.icub.plant, mjOBJ_JOINT, j)) == "r_knee") {
      body.icub.data->qpos[body.icub.plant.jnt_qposadr[j]] -= 0.3;
    }
  }
  body.icub.read();
  const FootLoadBearing down{1, 3, true, 0.5};
  const MessageFault fault = body.managers.check(body.icub.model, down);
  EXPECT_EQ(fault.reason, RejectReason::kInTheAir);
  EXPECT_GT(fault.value, 0.02);
  EXPECT_EQ(fault.limit, WholeBodyConfig{}.touch_height);
}

TEST(HandLoad, EveryNumberHasItsRange) {
  Loaded body;
  const HandLoadBearing good{
      .hand = 0, .id = 1, .bears = true, .duration = 1.0, .force = 20.0, .normal = {0.0, 0.0, 1.0}};
  EXPECT_FALSE(body.managers.check(good));
  const auto refused = [&](auto change) {
    HandLoadBearing message = good;
    change(message);
    return body.managers.check(message);
  };
  EXPECT_EQ(refused([](auto& m) { m.id = 0; }).reason, RejectReason::kNoId);
  EXPECT_EQ(refused([](auto& m) { m.hand = 2; }).reason, RejectReason::kNoSuchPart);
  MessageFault fault = refused([](auto& m) { m.force = 61.0; });
  EXPECT_EQ(fault.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(fault.limit, WholeBodyConfig{}.hand_force_max);
  EXPECT_EQ(fault.place, 1 + place_of<HandLoadBearing>("force"));
  fault = refused([](auto& m) { m.normal[0] = 0.1; });
  EXPECT_EQ(fault.place, 1 + place_of<HandLoadBearing>("normal"));
  fault = refused([](auto& m) { m.duration = 0.01; });
  EXPECT_EQ(fault.place, 1 + place_of<HandLoadBearing>("duration"));

  body.managers.take(good, body.notices);
  body.press(2, 20.0);
  body.run(1.0);
  EXPECT_NEAR(body.managers.state().bearing[0].force(), 20.0, 1e-12);
  ArmJointTrajectory arm;
  arm.id = 2;
  for (const double n : {2.0, -0.3, 0.35, 0.0, 0.75, 0.0, 0.0, 0.0}) arm.waypoints.push_back(n);
  fault = body.managers.check(body.icub.model, path_message(arm));
  EXPECT_EQ(fault.reason, RejectReason::kBearsLoad);
  EXPECT_NEAR(fault.value, 20.0, 1e-12);
}

TEST(HandLoad, AHandThatHasLetGoHoldsAsFirmlyAsItStoodAndThenLessAndLess) {
  Loaded body;
  HandLoadBearing press{0, 1, true, 0.5, 20.0, {0.0, 0.0, 1.0}, {}};
  body.managers.take(press, body.notices);
  body.run(1.0);
  body.managers.take(HandLoadBearing{0, 2, false, 0.5}, body.notices);
  body.run(0.499);
  WholeBodyCommand command;
  command.privileged.weights.setConstant(body.icub.model.joint_count(), 1.0);
  command.privileged.acceleration.setZero(body.icub.model.joint_count());
  const auto weight = [&] {
    body.managers.want(body.icub.model, command);
    double largest = 0.0;
    for (const SpatialTask& task : command.spatial) {
      if (task.on) largest = std::max(largest, task.weights.maxCoeff());
    }
    return largest;
  };
  EXPECT_TRUE(command.spatial.empty() || weight() == 0.0) << "a contact, no task";
  EXPECT_TRUE(command.contacts[2].on);
  body.run(0.002);
  const double first = weight();
  EXPECT_FALSE(command.contacts[2].on);
  EXPECT_GT(first, 0.8 * HandBearing::kFirmness * WholeBodyConfig{}.hand_weight);
  // Evenly in its logarithm: after half the time the root of it is left.
  body.run(0.5 * HandBearing::kSettleTime);
  EXPECT_NEAR(weight() / std::sqrt(first), 1.0, 0.05);
  body.run(HandBearing::kSettleTime);
  EXPECT_EQ(weight(), WholeBodyConfig{}.hand_weight);
}

TEST(StopAll, LeavesRampsOfLoadsWhereTheyAre) {
  Loaded body(/*lift_margin=*/-1.0);
  body.press(1, 100.0);
  body.run(1e-3);
  ASSERT_FALSE(body.unload(1, 5));
  const HandLoadBearing press{
      .hand = 0, .id = 6, .bears = true, .duration = 1.0, .force = 20.0, .normal = {0.0, 0.0, 1.0}};
  body.managers.take(press, body.notices);
  body.run(0.25);
  body.notices.clear();
  body.managers.take(body.icub.model, StopAllTrajectories{7}, body.notices);
  ASSERT_EQ(body.notices.size(), 2U);
  for (const MessageNotice& notice : body.notices) {
    EXPECT_EQ(notice.change, MessageChange::kDropped) << notice.id;
  }
  body.run(2.0);
  EXPECT_NEAR(body.foot(1).force_max(), 50.0, 1e-6) << "half of what it bore";
  EXPECT_TRUE(body.managers.is_on_ground(1));
  EXPECT_NEAR(body.managers.state().bearing[0].force(), 5.0, 1e-6) << "a quarter of what was asked";

  body.press(1, 50.0);
  body.run(1e-3);
  ASSERT_FALSE(body.unload(1, 8)) << "a new message goes on";
  body.run(0.5);
  EXPECT_FALSE(body.managers.is_on_ground(1));
}

/// The pull that held the foot in the air goes with the ramp: stopped, it stays, and it goes on
/// from there.
TEST(StopAll, AFootThatHasLandedKeepsWhatIsLeftOfItsPull) {
  Loaded body(/*lift_margin=*/-1.0);
  ASSERT_FALSE(body.unload(1));
  body.run(0.5);
  const FootLoadBearing down{1, 3, true, 0.5};
  ASSERT_FALSE(body.managers.check(body.icub.model, down));
  body.managers.take(body.icub.model, down, body.notices);
  body.run(0.2);
  EXPECT_NEAR(body.foot(1).pull_left(), 0.6, 1e-6);
  body.managers.take(body.icub.model, StopAllTrajectories{4}, body.notices);
  body.run(0.3);
  EXPECT_NEAR(body.foot(1).pull_left(), 0.6, 1e-6);
  body.managers.take(body.icub.model, FootLoadBearing{1, 5, true, 0.5}, body.notices);
  EXPECT_NEAR(body.foot(1).pull_left(), 0.6, 1e-6) << "no jump";
  body.run(0.25);
  EXPECT_NEAR(body.foot(1).pull_left(), 0.3, 1e-6);
  body.run(0.25);
  EXPECT_EQ(body.foot(1).pull_left(), 0.0);
  EXPECT_TRUE(std::isinf(body.foot(1).force_max()));
}

TEST(ContactLimit, TheNormalForceOfAFootKeepsToItAndTheOtherTakesTheRest) {
  soles::Icub icub;
  icub.read();
  std::mt19937 random(7);
  WholeBodyCore core(icub.model, soles::both_soles(icub.model), icub.bounds);
  WholeBodyCommand command = soles::stand(icub, random, 0.0);
  for (const double most : {200.0, 40.0, 5.0, 0.0}) {
    SCOPED_TRACE(most);
    command.contacts[1].force_max = most;
    const WholeBodySolution& answer = core.solve(icub.model, command);
    ASSERT_NE(answer.outcome, CoreOutcome::kNoAnswer);
    EXPECT_LE(answer.point_force[1].row(2).sum(), most + 1e-6);
    EXPECT_NEAR(answer.point_force[0].row(2).sum() + answer.point_force[1].row(2).sum(),
                icub.model.mass() * 9.81, 15.0);
  }
}

TEST(ContactLimit, AHandPressesByTheForceThatItIsToldWhereItIsTold) {
  soles::Icub icub;
  icub.read();
  std::mt19937 random(7);
  std::vector<ContactSetup> contacts = soles::both_soles(icub.model);
  contacts.push_back({"left", icub.model.find_frame("l_palm"), {Eigen::Vector3d::Zero()}});
  WholeBodyCore core(icub.model, contacts, icub.bounds);
  WholeBodyCommand command = soles::stand(icub, random, 0.0);
  ContactCommand& hand = command.contacts[2];
  hand.on = true;
  hand.is_placed = true;  // upwards, whatever the palm looks to
  hand.point = {0.01, 0.02, 0.03};
  hand.wrench[2] = 20.0;
  hand.wrench_weights.head<3>().setConstant(10.0);
  const WholeBodySolution& answer = core.solve(icub.model, command);
  ASSERT_EQ(answer.outcome, CoreOutcome::kSolved);
  EXPECT_NEAR(answer.contact_wrench[2][2], 20.0, 0.5);
  // About the palm's origin: arm x force.
  const Eigen::Vector3d arm = icub.model.rotation(contacts[2].frame) * hand.point;
  const Eigen::Vector3d moment = arm.cross(answer.contact_wrench[2].head<3>());
  EXPECT_LT((answer.contact_wrench[2].tail<3>() - moment).norm(), 1e-9);
}

}  // namespace
}  // namespace jointrig
