// The Sawyer's model against its published chain, put together here by other means.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "control/discovery/discovery.h"
#include "control/model/robot_model.h"

namespace jointrig {
namespace {

constexpr double kG = 9.81;
constexpr double kHalf = M_PI / 2;
constexpr double kBaseHeight = 0.913;
const char* const kFile = "models/sawyer/sawyer.xml";

/// From sawyer_description 5.3.0: a joint's origin in the link before it, turned about fixed x, y,
/// z, and the link behind it. Every joint turns about z.
struct Link {
  Eigen::Vector3d xyz;
  Eigen::Vector3d rpy;
  double mass;
  Eigen::Vector3d centre;
};
const std::array<Link, 7> kLinks{{
    {{0, 0, 0.08}, {0, 0, 0}, 5.3213, {0.024366, 0.010969, 0.14363}},
    {{0.081, 0.05, 0.237}, {-kHalf, kHalf, 0}, 4.505, {-0.0030849, -0.026811, 0.092521}},
    {{0, -0.14, 0.1425}, {kHalf, 0, 0}, 1.745, {-0.00016044, -0.014967, 0.13582}},
    {{0, -0.042, 0.26}, {-kHalf, 0, 0}, 2.5097, {-0.0048135, -0.0281, -0.084154}},
    {{0, -0.125, -0.1265}, {kHalf, 0, 0}, 1.1136, {-0.0018844, 0.0069001, 0.1341}},
    {{0, 0.031, 0.275}, {-kHalf, 0, 0}, 1.5625, {0.0061133, -0.023697, 0.076416}},
    {{0, -0.11, 0.1053}, {-kHalf, -0.17453, M_PI}, 0.3292, {-8.0726e-6, 0.0085838, -0.0049566}},
}};
constexpr double kHeadMass = 1.5795;
const Eigen::Vector3d kHand{0, 0, 0.0245};

Eigen::Isometry3d origin_of(const Link& link) {
  Eigen::Isometry3d origin = Eigen::Isometry3d::Identity();
  origin.translate(link.xyz);
  origin.rotate(Eigen::AngleAxisd(link.rpy.z(), Eigen::Vector3d::UnitZ()) *
                Eigen::AngleAxisd(link.rpy.y(), Eigen::Vector3d::UnitY()) *
                Eigen::AngleAxisd(link.rpy.x(), Eigen::Vector3d::UnitX()));
  return origin;
}

using Angles = std::vector<double>;

/// Frames of the links in the world.
std::vector<Eigen::Isometry3d> frames_at(const Angles& q) {
  std::vector<Eigen::Isometry3d> frames;
  Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
  at.translate(Eigen::Vector3d(0, 0, kBaseHeight));
  for (std::size_t i = 0; i < kLinks.size(); ++i) {
    at = at * origin_of(kLinks[i]) * Eigen::AngleAxisd(q[i], Eigen::Vector3d::UnitZ());
    frames.push_back(at);
  }
  return frames;
}

/// Torque that holds joint i: of each weight behind it, about the joint's axis.
double weight_on(std::size_t i, const std::vector<Eigen::Isometry3d>& frames) {
  const Eigen::Vector3d axis = frames[i].rotation().col(2);
  double torque = 0;
  for (std::size_t link = i; link < frames.size(); ++link) {
    const Eigen::Vector3d arm = frames[link] * kLinks[link].centre - frames[i].translation();
    torque += axis.dot(arm.cross(Eigen::Vector3d(0, 0, kLinks[link].mass * kG)));
  }
  return torque;
}

std::vector<Angles> poses() {
  std::vector<Angles> all{{0, 0, 0, 0, 0, 0, 0},
                          {0, -1.18, 0, 2.18, 0, 0.57, 3.3161},
                          {0, -1.57, 0, 2.79, 0, -2.79, 3.3161}};
  std::mt19937 random(5);  // NOLINT(bugprone-random-generator-seed): the same poses each time
  std::uniform_real_distribution<double> angle(-2.2, 2.2);
  for (int n = 0; n < 20; ++n) {
    all.emplace_back();
    for (std::size_t i = 0; i < kLinks.size(); ++i) all.back().push_back(angle(random));
  }
  return all;
}

struct Sawyer {
  RobotConfig robot = discover(kFile).config;
  RobotModel model{robot};

  void move_to(const Angles& q) {
    RobotState state;
    state.joints.resize(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) state.joints[i].q = q[i];
    model.update(state);
  }
};

TEST(Sawyer, StretchedOutItsHandIsWhereTheLinksLengthsAddUpTo) {
  Sawyer sawyer;
  sawyer.move_to({0, 0, 0, 0, 0, 0, 0});
  const FramePose hand = sawyer.model.pose(sawyer.model.find_frame("right_hand"));
  EXPECT_NEAR(hand.position.x(), 0.081 + 0.14 + 0.26 + 0.125 + 0.275 + 0.11 + 0.0245, 1e-9);
  EXPECT_NEAR(hand.position.y(), 0.05 + 0.1425 - 0.042 - 0.1265 + 0.031 + 0.1053, 1e-9);
  EXPECT_NEAR(hand.position.z(), kBaseHeight + 0.08 + 0.237, 1e-9);
}

TEST(Sawyer, ItsHandIsWhereThePublishedChainHasItAndTurnedAsThere) {
  Sawyer sawyer;
  const FrameId frame = sawyer.model.find_frame("right_hand");
  for (const Angles& q : poses()) {
    sawyer.move_to(q);
    const Eigen::Isometry3d last = frames_at(q).back();
    const FramePose hand = sawyer.model.pose(frame);
    const Eigen::Vector3d position = last * kHand;
    const Eigen::Matrix3d rotation =
        last.rotation() * Eigen::AngleAxisd(kHalf, Eigen::Vector3d::UnitZ());
    ASSERT_LT((hand.position - position).norm(), 1e-9);
    ASSERT_LT((hand.rotation - rotation).norm(), 1e-9);
  }
}

TEST(Sawyer, CarriesTheWeightsOfItsLinksAboutItsAxes) {
  Sawyer sawyer;
  for (const Angles& q : poses()) {
    sawyer.move_to(q);
    const std::vector<Eigen::Isometry3d> frames = frames_at(q);
    for (std::size_t i = 0; i < kLinks.size(); ++i) {
      // The head stands on the first link, whose axis is upright: no weight turns that.
      ASSERT_NEAR(sawyer.model.gravity(static_cast<JointIndex>(i)), weight_on(i, frames), 1e-9);
    }
  }
}

TEST(Sawyer, WeighsWhatItsLinksWeigh) {
  const Mjcf mjcf = load_mjcf(kFile);
  const mjModel& m = *mjcf.as_written;
  const int first = mj_name2id(&m, mjOBJ_BODY, "right_l0");
  double sum = kHeadMass;
  for (const Link& link : kLinks) sum += link.mass;
  EXPECT_NEAR(sum, 18.6658, 1e-9);  // added up by hand
  EXPECT_NEAR(m.body_subtreemass[first], sum, 1e-9);
}

TEST(Sawyer, HasThePublishedLimits) {
  const RobotConfig robot = discover(kFile).config;
  constexpr std::array kTorque{80.0, 80.0, 40.0, 40.0, 9.0, 9.0, 9.0};
  constexpr std::array kLow{-3.0503, -3.8095, -3.0426, -3.0439, -2.9761, -2.9761, -4.7124};
  constexpr std::array kHigh{3.0503, 2.2736, 3.0426, 3.0439, 2.9761, 2.9761, 4.7124};
  ASSERT_EQ(robot.joints.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(robot.joints[i].name, "right_j" + std::to_string(i));
    EXPECT_DOUBLE_EQ(robot.joints[i].limits.tau_max, kTorque[i]);
    EXPECT_DOUBLE_EQ(robot.joints[i].limits.q_min, kLow[i]);
    EXPECT_DOUBLE_EQ(robot.joints[i].limits.q_max, kHigh[i]);
  }
}

}  // namespace
}  // namespace jointrig
