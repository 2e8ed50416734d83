// Messages in frames by name, and homes that don't move with the start: by transforms that were
// computed by hand.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <string>

#include "tests/control/wholebody/body_without_physics.h"

namespace jointrig {
namespace {

using namespace body;

const double kHalfRoot = std::sqrt(0.5);

/// The iCub whose stance is at (1, 2) m and looks along the world's y. Its pelvis, as in the start
/// pose, is turned by half a turn about the vertical: the x axis of root_link points backward.
struct Elsewhere : Body {
  Elsewhere() { begin(); }
  void begin() {
    Eigen::Matrix3d axes;
    axes << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    place(Eigen::Vector3d(1.0, 2.0, 0.0), 0.5 * std::numbers::pi);
    managers.begin(icub.model, {Eigen::Vector3d(1.0, 2.0, 0.0), axes}, notices);
    notices.clear();
  }
  /// Puts the base above a place, turned about the vertical from its start pose.
  void place(const Eigen::Vector3d& at, double yaw) {
    apply(icub.mjcf.start, icub.plant, *icub.data);
    mjtNum* q = icub.data->qpos;
    for (int k = 0; k < 2; ++k) q[k] += at[k];
    const Eigen::Quaterniond turned = Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ()) *
                                      Eigen::Quaterniond(q[3], q[4], q[5], q[6]);
    q[3] = turned.w();
    q[4] = turned.x();
    q[5] = turned.y();
    q[6] = turned.z();
    icub.read();
    mj_kinematics(&icub.plant, icub.data.get());
  }
  /// In the world, by MuJoCo.
  [[nodiscard]] Eigen::Vector3d body_place(const char* name) const {
    const int id = mj_name2id(&icub.plant, mjOBJ_BODY, name);
    return Eigen::Vector3d(icub.data->xpos + 3 * id);
  }
  [[nodiscard]] Eigen::Vector3d site_place(const char* name) const {
    const int id = mj_name2id(&icub.plant, mjOBJ_SITE, name);
    return Eigen::Vector3d(icub.data->site_xpos + 3 * id);
  }
  [[nodiscard]] const BodyPoint& hand_end() const {
    return managers.state().hands[0].queue().end();
  }
};

HandTrajectory hand_in(PointFrame frame, std::initializer_list<double> numbers) {
  HandTrajectory hand;
  hand.id = 1;
  hand.given_in = frame;
  hand.waypoints = rows(numbers);
  return hand;
}

bool near(const Eigen::Vector3d& a, const Eigen::Vector3d& b) { return (a - b).norm() < 1e-6; }

TEST(GivenFrames, APointInTheWorldIsTheSamePointInTheStance) {
  Elsewhere body;
  // A quarter turn about z brings the stance's axes to the world's: (0.8, 2.25) is 0.25 m along
  // the world's y, which is ahead, and -0.2 m along its x, which is 0.2 m to the left.
  const HandTrajectory hand =
      hand_in(PointFrame::kWorld, {6.0, 0.8, 2.25, 0.7, kHalfRoot, 0.0, 0.0, kHalfRoot});
  ASSERT_FALSE(body.send(hand));
  EXPECT_TRUE(near(body.hand_end().x.head<3>(), {0.25, 0.2, 0.7})) << body.hand_end().x;
  EXPECT_LT(turn_between(body.hand_end().rotation, Eigen::Matrix3d::Identity()).norm(), 1e-9)
      << "turned as the stance is";
}

TEST(GivenFrames, APointInThePelvisIsBehindItWhereItsAxisPointsBackward) {
  Elsewhere body;
  const Eigen::Vector3d from = body.body_place("root_link") - Eigen::Vector3d(1.0, 2.0, 0.0);
  // 0.2 m along an axis that points backward is 0.2 m behind; its y points to the right.
  ASSERT_FALSE(
      body.send(hand_in(PointFrame::kPelvis, {6.0, -0.2, -0.15, 0.1, 1.0, 0.0, 0.0, 0.0})));
  const Eigen::Vector3d wanted(from.y() + 0.2, -from.x() + 0.15, from.z() + 0.1);
  EXPECT_TRUE(near(body.hand_end().x.head<3>(), wanted)) << body.hand_end().x;
  const Eigen::AngleAxisd turned(body.hand_end().rotation);
  EXPECT_NEAR(turned.angle(), std::numbers::pi, 1e-6) << "as the pelvis: half a turn";
}

TEST(GivenFrames, APointInAFootIsAboveItsSoleWhichIsLevel) {
  Elsewhere body;
  for (const bool is_right : {false, true}) {
    const Eigen::Vector3d sole =
        body.site_place(is_right ? "r_sole" : "l_sole") - Eigen::Vector3d(1.0, 2.0, 0.0);
    const PointFrame frame = is_right ? PointFrame::kFoot2 : PointFrame::kFoot1;
    ASSERT_FALSE(body.send(hand_in(frame, {6.0, 0.2, 0.1, 0.6, 1.0, 0.0, 0.0, 0.0})));
    const Eigen::Vector3d wanted(sole.y() + 0.2, -sole.x() + 0.1, sole.z() + 0.6);
    EXPECT_TRUE(near(body.hand_end().x.head<3>(), wanted)) << body.hand_end().x;
  }
}

TEST(GivenFrames, APointInTheChestGoesWhereMuJoCoHasItAndVelocitiesTurnAlong) {
  Elsewhere body;
  const int chest = mj_name2id(&body.icub.plant, mjOBJ_BODY, "chest");
  const Eigen::Vector3d given(0.1, -0.2, 0.15);
  mjtNum moved[3];
  mju_mulMatVec3(moved, body.icub.data->xmat + 9 * chest, given.data());
  const Eigen::Vector3d world = body.body_place("chest") + Eigen::Vector3d(moved);
  HandTrajectory hand =
      hand_in(PointFrame::kChest, {6.0, given.x(), given.y(), given.z(), 1.0, 0.0, 0.0, 0.0});
  ASSERT_FALSE(body.send(hand));
  const Eigen::Vector3d seen = world - Eigen::Vector3d(1.0, 2.0, 0.0);
  EXPECT_TRUE(near(body.hand_end().x.head<3>(), {seen.y(), -seen.x(), seen.z()}));

  hand = hand_in(PointFrame::kWorld,
                 {6.0, 0.8, 2.25, 0.7, 1.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.3, 0.0});
  hand.velocities = true;
  hand.id = 2;
  ASSERT_FALSE(body.send(hand));
  // Along the world's x is to the right, about its y is about what is ahead.
  EXPECT_TRUE(near(body.hand_end().v.head<3>(), {0.0, -0.1, 0.0})) << body.hand_end().v;
  EXPECT_TRUE(near(body.hand_end().turning, {0.3, 0.0, 0.0})) << body.hand_end().turning;
}

TEST(GivenFrames, ATurnCountsFromHowTheFrameHasTurnedSinceTheStart) {
  Elsewhere body;
  ChestTrajectory chest;
  chest.id = 1;
  chest.given_in = PointFrame::kWorld;
  chest.waypoints = rows({2.0, std::cos(0.15), std::sin(0.15), 0.0, 0.0});
  ASSERT_FALSE(body.send(chest));
  // About the world's x, which points to the right: about -y of the stance.
  const auto wanted = Eigen::AngleAxisd(0.3, -Eigen::Vector3d::UnitY()).toRotationMatrix();
  EXPECT_LT(turn_between(body.managers.state().chest.queue.end().rotation, wanted).norm(), 1e-9);

  // The robot turns by 0.4 rad to the left; then the head is to look ahead of the pelvis.
  body.place(Eigen::Vector3d(1.0, 2.0, 0.0), 0.5 * std::numbers::pi + 0.4);
  HeadTrajectory head;
  head.id = 2;
  head.given_in = PointFrame::kPelvis;
  head.waypoints = rows({2.0, 1.0, 0.0, 0.0, 0.0});
  ASSERT_FALSE(body.send(head));
  const auto left = Eigen::AngleAxisd(0.4, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  EXPECT_LT(turn_between(body.managers.state().head.queue.end().rotation, left).norm(), 1e-6);
}

TEST(GivenFrames, ThatTheRobotDoesNotHaveIsRefusedByItsField) {
  Elsewhere body;
  const MessageFault fault =
      body.send(hand_in(PointFrame::kFoot3, {6.0, 0.2, 0.1, 0.6, 1.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(fault.reason, RejectReason::kNoSuchPart);
  EXPECT_EQ(fault.place, 1 + place_of<HandTrajectory>("given_in"));
  EXPECT_EQ(body.managers.state().hands[0].queue().last_id(), 0U);
  // A quaternion that is no rotation is told as it was sent.
  const MessageFault longer =
      body.send(hand_in(PointFrame::kChest, {6.0, 0.1, 0.1, 0.1, 1.0, 0.0, 0.1, 0.0}));
  EXPECT_EQ(longer.reason, RejectReason::kOutOfRange);
  EXPECT_NEAR(longer.value, std::sqrt(1.01), 1e-9);
}

// Homes -----------------------------------------------------------------------------------------

/// The controller begins with an elbow bent, the chest turned and the pelvis down and aside.
struct BegunElsewhere : Elsewhere {
  BegunElsewhere() {
    const auto add = [&](const char* joint, double by) {
      const int id = mj_name2id(&icub.plant, mjOBJ_JOINT, joint);
      icub.data->qpos[icub.plant.jnt_qposadr[id]] += by;
    };
    add("r_elbow", 0.5);
    add("torso_yaw", 0.3);
    icub.data->qpos[2] -= 0.03;
    icub.read();
    managers.leave(notices);
    managers.begin(icub.model, managers.state().stance, notices);
    notices.clear();
  }
};

TEST(Homes, AreThoseOfTheStartPoseWhereverTheControllerBegan) {
  BegunElsewhere body;
  ASSERT_FALSE(body.send(GoHome{HomePart::kArm, 1, 1, 3.0}));
  const BodyPoint& arm = body.managers.state().hands[1].queue().end();
  const std::array home{-0.3, 0.35, 0.0, 0.75, 0.0, 0.0, 0.0};  // the model's key "home"
  for (std::size_t k = 0; k < home.size(); ++k) {
    EXPECT_NEAR(arm.x[static_cast<Eigen::Index>(k)], home[k], 1e-9) << k;
  }

  ASSERT_FALSE(body.send(GoHome{HomePart::kChest, 0, 2, 3.0}));
  // It began turned to the left by 0.3 rad about the torso's axis, which is vertical.
  const auto& chest = body.managers.state().chest.queue.end();
  const Eigen::Vector3d back = turn_between(Eigen::Matrix3d::Identity(), chest.rotation);
  EXPECT_NEAR(back.norm(), 0.3, 1e-6);
  EXPECT_NEAR(std::abs(back.z()), 0.3, 1e-6);

  ASSERT_FALSE(body.send(GoHome{HomePart::kPelvis, 0, 3, 3.0}));
  EXPECT_LT(
      turn_between(body.managers.state().pelvis.queue.end().rotation, Eigen::Matrix3d::Identity())
          .norm(),
      1e-6);
  const double above_soles =
      body.body_place("root_link").z() + 0.03 - (body.site_place("l_sole").z() + 0.03 - 0.0105);
  EXPECT_NEAR(body.managers.state().height.end().x[0], above_soles, 1e-4) << "not 30 mm lower";
}

}  // namespace
}  // namespace jointrig
