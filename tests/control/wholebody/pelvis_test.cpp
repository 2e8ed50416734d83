// The pelvis is led sideways and ahead, and the centre of mass stays above the soles.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tests/control/wholebody/body_without_physics.h"
#include "tests/control/wholebody/obeying_icub.h"

namespace jointrig {
namespace {

using body::Body;
using body::rows;

constexpr std::size_t kRowsAt = place_of<PelvisTrajectory>("waypoints");

/// The pelvis where it is in the stance, the controller having begun.
struct Led : Body {
  Led() {
    managers.leave(notices);
    managers.begin(icub.model, stance_of(icub.model, feet(icub)), notices);
    notices.clear();
  }
  [[nodiscard]] Eigen::Vector3d pelvis() const {
    const Stance& stance = managers.state().stance;
    const Eigen::Vector3d at(icub.data->qpos);
    return stance.axes.transpose() * (at - stance.origin);
  }
  /// To a place beside where it is.
  [[nodiscard]] PelvisTrajectory by(MessageId id, const Eigen::Vector3d& way) const {
    PelvisTrajectory message;
    message.id = id;
    const Eigen::Vector3d to = pelvis() + way;
    message.waypoints = rows({2.0, to.x(), to.y(), to.z(), 1.0, 0.0, 0.0, 0.0});
    return message;
  }
};

TEST(PelvisTrajectory, LeadsPlaceHeightAndTurnAndEachIsTold) {
  Led body;
  PelvisTrajectory message = body.by(1, {0.01, 0.02, -0.03});
  message.waypoints[4] = std::cos(0.05);
  message.waypoints[7] = std::sin(0.05);
  ASSERT_FALSE(body.send(message));
  body.run(2.001);
  const BodyManagers::State& state = body.managers.state();
  EXPECT_LT((state.place.now().x.head<2>() - body.pelvis().head<2>() - Eigen::Vector2d(0.01, 0.02))
                .norm(),
            1e-9);
  EXPECT_NEAR(state.height.now().x[0], body.pelvis().z() - 0.03, 1e-9);
  EXPECT_NEAR(Eigen::AngleAxisd(state.pelvis.queue.now().rotation).angle(), 0.1, 1e-9);
  int completed = 0;
  for (const auto& [id, change] : body.told()) {
    EXPECT_EQ(id, 1U);
    completed += change == MessageChange::kCompleted ? 1 : 0;
  }
  EXPECT_EQ(completed, 3);

  // Where it leads the pelvis to, there the centre of mass goes along.
  Eigen::Vector3d goal = body.icub.model.com();
  body.managers.lead(body.icub.model, goal);
  const Eigen::Vector3d way =
      body.managers.state().stance.axes.transpose() * (goal - body.icub.model.com());
  EXPECT_LT((way - Eigen::Vector3d(0.01, 0.02, 0.0)).norm(), 1e-9);
}

/// Two in one cycle: none has been followed yet.
TEST(PelvisTrajectory, TheSecondMessageOfACycleBeginsWhereThePelvisIs) {
  Led body;
  PelvisHeight down;
  down.id = 1;
  down.waypoints = rows({2.0, body.pelvis().z() - 0.02});
  ASSERT_FALSE(body.send(down));
  ASSERT_FALSE(body.send(body.by(2, {0.0, 0.02, 0.0})));
  ASSERT_FALSE(body.send(body.by(3, {0.0, 0.03, 0.0})));
  body.run(1e-3);
  const BodyManagers::State& state = body.managers.state();
  EXPECT_NEAR(state.height.now().x[0], body.pelvis().z(), 1e-6);
  EXPECT_LT((state.place.now().x.head<2>() - body.pelvis().head<2>()).norm(), 1e-6);
}

TEST(PelvisTrajectory, ThatWouldTipTheRobotIsRefusedByItsRowAndNothingChanges) {
  Led body;
  ASSERT_FALSE(body.send(body.by(1, {0.0, 0.01, 0.0})));
  // The soles' outer edges are at 70.2 + 5 + 36 mm: 111 mm beside the middle.
  PelvisTrajectory aside = body.by(2, {0.0, 0.09, 0.0});
  const MessageFault near = body.managers.check(body.icub.model, aside);
  EXPECT_FALSE(near) << "21 mm inside the edge: " << to_string(near.reason) << " " << near.value;
  for (const double n : {4.0, 0.0, 0.107, 0.57, 1.0, 0.0, 0.0, 0.0}) aside.waypoints.push_back(n);
  aside.waypoints[8 + 1] = body.pelvis().x();
  aside.waypoints[8 + 3] = body.pelvis().z();
  const MessageFault fault = body.send(aside);
  EXPECT_EQ(fault.reason, RejectReason::kWouldTip);
  EXPECT_EQ(fault.waypoint, 2);
  EXPECT_EQ(fault.place, kRowsAt + 8 + 1 + 1);
  EXPECT_NEAR(fault.value, 0.1112 - 0.107, 1.5e-3);
  EXPECT_EQ(fault.limit, WholeBodyConfig{}.lift_margin);
  EXPECT_EQ(body.managers.state().place.last_id(), 1U);
  EXPECT_EQ(body.managers.state().height.last_id(), 1U);
}

TEST(PelvisTrajectory, EachFaultIsToldByItsNumberInTheMessage) {
  Led body;
  const auto refused = [&](auto change) {
    PelvisTrajectory message = body.by(1, {0.0, 0.01, 0.0});
    change(message);
    const MessageFault fault = body.send(message);
    EXPECT_FALSE(body.managers.state().place.active());
    return fault;
  };
  EXPECT_EQ(refused([](auto& m) { m.id = 0; }).reason, RejectReason::kNoId);
  EXPECT_EQ(refused([](auto& m) { m.waypoints.push_back(0.0); }).reason,
            RejectReason::kBadWaypoints);
  MessageFault fault = refused([](auto& m) { m.waypoints[3] = 0.1; });
  EXPECT_EQ(fault.reason, RejectReason::kOutOfRange) << "too low";
  EXPECT_EQ(fault.place, kRowsAt + 3 + 1);
  fault = refused([](auto& m) { m.waypoints[5] = 0.1; });
  EXPECT_EQ(fault.reason, RejectReason::kOutOfRange) << "no rotation";
  EXPECT_EQ(fault.place, kRowsAt + 4 + 1);
  fault = refused([](auto& m) { m.weights[1] = -1.0; });
  EXPECT_EQ(fault.place, place_of<PelvisTrajectory>("weights") + 1 + 1);
  fault = refused([](auto& m) { m.weights[4] = 2e4; });
  EXPECT_EQ(fault.place, place_of<PelvisTrajectory>("weights") + 4 + 1);
  fault = refused([](auto& m) { m.waypoints[0] = 0.06, m.waypoints[2] += 0.03; });
  EXPECT_EQ(fault.reason, RejectReason::kTooFast);
  fault = refused([](auto& m) { m.execution = Execution::kQueue, m.previous = 4; });
  EXPECT_EQ(fault.reason, RejectReason::kWrongPrevious);
  EXPECT_EQ(fault.place, place_of<PelvisTrajectory>("previous") + 1);
}

TEST(PelvisTrajectory, AnAxisThatIsLeftOutIsLeftToTheBalanceAndHomeEndsTheLead) {
  Led body;
  PelvisTrajectory ahead = body.by(1, {0.01, 0.02, 0.0});
  ahead.left_out = {false, true, true, false, false, false};
  ASSERT_FALSE(body.send(ahead));
  body.run(2.001);
  EXPECT_FALSE(body.managers.state().height.active());
  Eigen::Vector3d goal = body.icub.model.com();
  body.managers.lead(body.icub.model, goal);
  const Eigen::Vector3d way =
      body.managers.state().stance.axes.transpose() * (goal - body.icub.model.com());
  EXPECT_LT((way - Eigen::Vector3d(0.01, 0.0, 0.0)).norm(), 1e-9);

  ASSERT_FALSE(body.send(GoHome{HomePart::kPelvis, 0, 2, 1.0}));
  EXPECT_TRUE(body.managers.state().place.active());
  body.run(1.001);
  EXPECT_FALSE(body.managers.state().place.active());
  Eigen::Vector3d as_it_was = goal;
  body.managers.lead(body.icub.model, as_it_was);
  EXPECT_EQ(as_it_was, goal);
}

/// The arms go up ahead while the pelvis stays: the centre of mass goes ahead by what they weigh,
/// and no further than to the margin.
TEST(PelvisTrajectory, TheCentreOfMassIsWantedNoNearerToTheEdgeThanTheMargin) {
  Led body;
  const Stance& stance = body.managers.state().stance;
  const auto inside = [&](const Eigen::Vector3d& goal) {
    // The front edge is 80 mm ahead of the soles' middle.
    return 0.08 - (stance.axes.transpose() * (goal - stance.origin)).x();
  };
  const double room = inside(body.icub.model.com());
  ASSERT_FALSE(body.send(body.by(1, {room - 0.012, 0.0, 0.0})));
  body.run(2.001);
  Eigen::Vector3d goal = body.icub.model.com();
  body.managers.lead(body.icub.model, goal);
  EXPECT_NEAR(inside(goal), 0.012, 1e-4);
  for (const char* joint : {"l_shoulder_pitch", "r_shoulder_pitch"}) {
    const int id = mj_name2id(&body.icub.plant, mjOBJ_JOINT, joint);
    body.icub.data->qpos[body.icub.plant.jnt_qposadr[id]] = -1.4;
  }
  body.icub.read();
  const double shifted = inside(body.icub.model.com()) - room;
  ASSERT_LT(shifted, -0.005) << "the arms weigh so much";
  body.managers.lead(body.icub.model, goal);
  EXPECT_NEAR(inside(goal), WholeBodyConfig{}.lift_margin, 1e-4);
}

/// In physics, from where it stands to the left and ahead, and down.
TEST(PelvisTrajectory, ThePelvisGoesWhereItIsToldWhileTheRobotStands) {
  soles::ObeyingIcub robot;
  robot.run(1.5);
  const Eigen::Vector3d start = robot.pelvis();
  PelvisTrajectory aside;
  aside.id = 1;
  const Eigen::Vector3d to = start + Eigen::Vector3d(0.01, 0.04, -0.02);
  aside.waypoints = soles::row({2.0, to.x(), to.y(), to.z(), 1.0, 0.0, 0.0, 0.0});
  robot.send_whole(aside);
  robot.run(3.5);
  EXPECT_LT((robot.pelvis() - to).head<2>().norm(), 0.003) << robot.pelvis() - to;
  EXPECT_NEAR(robot.pelvis().z(), to.z(), 0.003);
  robot.go_home({HomePart::kPelvis, 0, 2, 2.0});
  robot.run(5.0);
  EXPECT_LT((robot.pelvis() - start).norm(), 0.02);
}

}  // namespace
}  // namespace jointrig
