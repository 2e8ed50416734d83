/// Collision avoidance, collision detection and suppression on the Franka arm.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "control/stack/collision_avoidance.h"
#include "tests/control/stack/franka_in_physics.h"
#include "tests/support/alloc_guard.h"

namespace jointrig {
namespace {

constexpr std::size_t kJoints = 8;  // seven of the arm, a finger

RobotConfig protected_franka() {
  RobotConfig config = app::load_robot(harness::find_robot("franka")).config;
  config.avoidance->on = true;
  config.detection->on = true;
  return config;
}

struct Physics : testing::FrankaInPhysics {
  using FrankaInPhysics::FrankaInPhysics;
  /// Answers to a command that was just posted.
  RejectReason answer() {
    EventRing::Reader events(rig.stack().events());
    run(1);
    Event event;
    while (events.next(event)) {
      if (event.kind == EventKind::kRejected) return event.reason;
    }
    return RejectReason::kNone;
  }
  std::uint64_t set_protection(Protection what, bool on) {
    return client.post(SetProtection{what, on});
  }
  std::uint64_t suppress(std::string_view joints, Suppressible what) {
    return client.post(Suppress{client.select(joints), what});
  }
};

/// Enough of a stack to ask for torques in poses of one's own.
struct Bare {
  explicit Bare(RobotConfig with) : config(std::move(with)), model(config), avoid(config, model) {
    config.avoidance->torque_max = 1e6;  // the cap is another test's
    config.avoidance->damping = 0.0;
    for (JointConfig joint : config.joints) {
      joint.limits.q_min = -100.0;  // these, too
      joint.limits.q_max = 100.0;
      JointCapabilities board;
      board.joint = joint.name;
      board.drive_modes = {DriveMode::kOff, DriveMode::kTorque};
      setups.push_back(make_setup(joint, board, 1e-3));
      joints.emplace_back(setups.back());
    }
  }
  void place(const std::array<double, kJoints>& q) {
    RobotState state;
    state.joints.resize(kJoints);
    for (std::size_t i = 0; i < kJoints; ++i) state.joints[i].q = q[i];
    model.update(state);
  }
  [[nodiscard]] std::array<double, kJoints> torques(const std::array<double, kJoints>& q) {
    place(q);
    std::array<double, kJoints> tau{};
    avoid.advance(*config.avoidance, model, setups, joints, Suppression(kJoints), obstacles, tau);
    return tau;
  }
  /// Sum of k o²/2 over all pairs, by the shapes alone. Where the segment of a capsule is in a box,
  /// which is deeper than its own radius, it has no slope to speak of: not a number.
  [[nodiscard]] double potential(const std::array<double, kJoints>& q) {
    place(q);
    const CollisionGeometry& geometry = avoid.geometry();
    double sum = 0.0;
    for (const CollisionGeometry::Pair& pair : geometry.pairs) {
      const Shape& a = geometry.shapes[pair.a];
      const Shape& b = geometry.shapes[pair.b];
      const auto at = [&](const Shape& shape) {
        if (shape.body == 0) return Placed{shape.centre, shape.axes};
        const FramePose body = model.pose({mjOBJ_BODY, shape.body});
        return Placed{body.position + body.rotation * shape.centre, body.rotation * shape.axes};
      };
      const double distance = nearest(a, at(a), b, at(b)).distance;
      const bool has_box = a.kind == Shape::Kind::kBox || b.kind == Shape::Kind::kBox;
      if (has_box && distance + std::max(a.radius, b.radius) < 1e-3) return std::nan("");
      const double overlap = config.avoidance->margin - distance;
      if (overlap > 0.0) sum += 0.5 * config.avoidance->stiffness * overlap * overlap;
    }
    return sum + potential_of_balls();
  }

  /// For obstacles that are spheres, each beside all shapes of links.
  [[nodiscard]] double potential_of_balls() const {
    const CollisionGeometry& geometry = avoid.geometry();
    double sum = 0.0;
    for (const KnownObstacle& ball : obstacles) {
      const Eigen::Vector3d centre(ball.position[0], ball.position[1], ball.position[2]);
      for (std::size_t i = 0; i < geometry.geom_count; ++i) {
        const Shape& link = geometry.shapes[i];
        if (link.body == 0) continue;
        const FramePose body = model.pose({mjOBJ_BODY, link.body});
        const Placed at{body.position + body.rotation * link.centre, body.rotation * link.axes};
        Shape point;
        const double distance =
            nearest(link, at, point, {centre, Eigen::Matrix3d::Identity()}).distance - ball.size[0];
        const double overlap = config.avoidance->margin - distance;
        if (overlap > 0.0) sum += 0.5 * config.avoidance->stiffness * overlap * overlap;
      }
    }
    return sum;
  }

  RobotConfig config;
  RobotModel model;
  CollisionAvoidance avoid;
  KnownObstacles obstacles;
  std::vector<JointSetup> setups;
  std::vector<JointControl> joints;
};

std::array<double, kJoints> random_pose(const RobotConfig& config, std::mt19937& random) {
  std::array<double, kJoints> q{};
  for (std::size_t i = 0; i < kJoints; ++i) {
    const JointLimits& limits = config.joints[i].limits;
    q[i] = std::uniform_real_distribution<double>(limits.q_min, limits.q_max)(random);
  }
  return q;
}

/// ∂U/∂qᵢ by central difference.
double slope_of_potential(Bare& robot, const std::array<double, kJoints>& q, std::size_t i) {
  constexpr double kStep = 1e-6;
  std::array<double, kJoints> more = q;
  std::array<double, kJoints> less = q;
  more[i] += kStep;
  less[i] -= kStep;
  return (robot.potential(more) - robot.potential(less)) / (2.0 * kStep);
}

TEST(CollisionAvoidance, TorqueIsTheSlopeOfThePotential) {
  RobotConfig config = protected_franka();
  const std::filesystem::path model = config.model_path;
  config.scene_path = (model.parent_path() / "../../scenes/table.xml").string();
  Bare robot(config);
  std::mt19937 random(11);
  int pushed = 0;
  for (int n = 0; n < 400; ++n) {
    const std::array<double, kJoints> q = random_pose(config, random);
    if (!(robot.potential(q) > 0.0)) continue;
    const std::array<double, kJoints> tau = robot.torques(q);
    for (std::size_t i = 0; i < kJoints; ++i) {
      const double slope = slope_of_potential(robot, q, i);
      EXPECT_NEAR(tau[i], -slope, 1e-3 * std::max(1.0, std::abs(slope)))
          << "joint " << i << " of pose " << n;
    }
    ++pushed;
  }
  EXPECT_GT(pushed, 50);
}

TEST(CollisionAvoidance, TorqueOfAnObstacleIsTheSlopeOfThePotential) {
  RobotConfig config = protected_franka();
  Bare robot(config);
  std::mt19937 random(12);
  int pushed = 0;
  for (int n = 0; n < 300; ++n) {
    const std::array<double, kJoints> q = random_pose(config, random);
    std::uniform_real_distribution<double> near(-0.6, 0.6);
    KnownObstacle ball{.size = {0.05, 0.0, 0.0},
                       .position = {near(random), near(random), 0.5 + near(random)},
                       .shape = KnownShape::kSphere};
    robot.obstacles.clear();
    robot.obstacles.push_back(ball);
    robot.place(q);
    if (!(robot.potential_of_balls() > 0.0)) continue;
    const std::array<double, kJoints> tau = robot.torques(q);
    for (std::size_t i = 0; i < kJoints; ++i) {
      const double slope = slope_of_potential(robot, q, i);
      if (std::isnan(slope)) continue;
      EXPECT_NEAR(tau[i], -slope, 1e-3 * std::max(1.0, std::abs(slope)))
          << "joint " << i << " of pose " << n;
    }
    ++pushed;
  }
  EXPECT_GT(pushed, 20);
}

TEST(CollisionAvoidance, PushesAJointLessWithinItsSoftMarginAndNotOverItsLimit) {
  Bare robot(protected_franka());
  std::mt19937 random(3);
  std::array<double, kJoints> q{};
  while (!(robot.potential(q) > 0.0)) {
    for (std::size_t i = 0; i < kJoints; ++i) {
      const JointLimits& limits = robot.config.joints[i].limits;
      q[i] = std::uniform_real_distribution<double>(limits.q_min, limits.q_max)(random);
    }
  }
  const std::array<double, kJoints> free = robot.torques(q);
  for (std::size_t i = 0; i < kJoints; ++i) {
    if (free[i] == 0.0) continue;
    JointLimits& limits = robot.setups[i].config.limits;
    const JointLimits wide = limits;
    limits.soft_margin = 0.2;
    double& ahead = free[i] > 0.0 ? limits.q_max : limits.q_min;
    double& behind = free[i] > 0.0 ? limits.q_min : limits.q_max;
    behind = robot.joints[i].state().q;
    EXPECT_EQ(robot.torques(q), free) << "away from a limit";
    ahead = robot.joints[i].state().q + std::copysign(0.05, free[i]);
    EXPECT_DOUBLE_EQ(robot.torques(q)[i], 0.25 * free[i]);
    ahead = robot.joints[i].state().q;
    EXPECT_EQ(robot.torques(q)[i], 0.0);
    ahead = robot.joints[i].state().q - std::copysign(0.05, free[i]);
    EXPECT_EQ(robot.torques(q)[i], 0.0) << "beyond its limit";
    limits = wide;
  }
}

/// The finger that follows the other one, too.
TEST(CollisionAvoidance, NoBodyMovesFurtherThanItsLeversSay) {
  Bare robot(protected_franka());
  std::mt19937 random(8);
  const FrameId follower = robot.model.find_frame("panda_rightfinger");
  for (const char* name : {"panda_link4", "panda_hand", "panda_rightfinger"}) {
    const FrameId body = robot.model.find_frame(name);
    const std::vector<RobotModel::Lever> levers = robot.model.levers(body.id, 0.0);
    double nearest = 1.0;
    for (int n = 0; n < 1000; ++n) {
      const auto from = random_pose(robot.config, random);
      auto to = from;
      for (double& q : to) q += std::uniform_real_distribution<double>(-0.02, 0.02)(random);
      robot.place(from);
      const Eigen::Vector3d before = robot.model.pose(body).position;
      robot.place(to);
      const double moved = (robot.model.pose(body).position - before).norm();
      double most = 0.0;
      for (const auto& lever : levers) {
        most += lever.most * std::abs(to[lever.joint] - from[lever.joint]);
      }
      EXPECT_LE(moved, most);
      nearest = std::min(nearest, most - moved);
    }
    EXPECT_LT(nearest, 0.01) << name;
    const auto by_finger = [](const auto& lever) { return lever.joint == 7; };
    EXPECT_EQ(std::any_of(levers.begin(), levers.end(), by_finger), body.id == follower.id);
  }
}

TEST(CollisionAvoidance, AllocatesNothingWhileItPushes) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  Bare robot(protected_franka());
  std::mt19937 random(5);
  const Suppression nothing(kJoints);
  std::array<double, kJoints> tau{};
  RobotState state;
  state.joints.resize(kJoints);
  int pushed = 0;

  RealtimeGuard guard;
  for (int n = 0; n < 1000; ++n) {
    for (std::size_t i = 0; i < kJoints; ++i) {
      const JointLimits& limits = robot.config.joints[i].limits;
      state.joints[i].q =
          std::uniform_real_distribution<double>(limits.q_min, limits.q_max)(random);
    }
    robot.model.update(state);
    const auto outcome = robot.avoid.advance(*robot.config.avoidance, robot.model, robot.setups,
                                             robot.joints, nothing, robot.obstacles, tau);
    if (outcome.force > 0.0) ++pushed;
  }
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
  EXPECT_GT(pushed, 50);
}

TEST(CollisionAvoidance, LeavesNeighboursAndPairsThatAreNearAtHomeAlone) {
  Bare robot(protected_franka());
  std::array<double, kJoints> home{};
  for (std::size_t i = 0; i < kJoints; ++i) home[i] = robot.config.joints[i].q_start;
  EXPECT_EQ(robot.potential(home), 0.0);
  const CollisionGeometry& geometry = robot.avoid.geometry();
  EXPECT_GT(geometry.pairs.size(), 30U);
  for (const CollisionGeometry::Pair& pair : geometry.pairs) {
    const std::string& a = geometry.names[pair.a];
    const std::string& b = geometry.names[pair.b];
    EXPECT_NE(a, b);
    EXPECT_FALSE(a == "panda_link3" && b == "panda_link4");             // a joint connects them
    EXPECT_FALSE(a == "panda_link5" && b == "panda_link7");             // the MJCF excludes them
    EXPECT_FALSE(a == "panda_leftfinger" && b == "panda_rightfinger");  // the robot's file does
  }
}

TEST(CollisionAvoidance, NamesABodyThatIsNotThere) {
  RobotConfig config = protected_franka();
  config.avoidance->exclude = {{"panda_hnad", "panda_link1", {"robot.yaml:7:3: "}}};
  try {
    Bare robot(config);
    FAIL() << "it was taken";
  } catch (const ModelError& e) {
    EXPECT_STREQ(e.what(),
                 "robot.yaml:7:3: there is no body \"panda_hnad\"; did you mean \"panda_hand\"?");
  }
}

TEST(Protection, IsNotSwitchedWhereTheFileHasNone) {
  RobotConfig config = app::load_robot(harness::find_robot("franka")).config;
  config.detection.reset();
  Physics robot(config);
  robot.set_protection(Protection::kCollisionDetection, true);
  EXPECT_EQ(robot.answer(), RejectReason::kUnsupported);
  robot.set_protection(Protection::kCollisionAvoidance, true);
  EXPECT_EQ(robot.answer(), RejectReason::kNone);
  EXPECT_TRUE(robot.now().protection.on.has(Protection::kCollisionAvoidance));
}

TEST(Suppression, TakesGravityAwayAndGivesItBackWithoutAStep) {
  Physics robot(protected_franka());
  const JointSet joint = robot.client.select("panda_joint4");
  robot.client.set_mode(joint, ModeRequest::kTorque);
  robot.run(200);
  const std::size_t i = 3;
  const double carried = robot.now().joints[i].setpoint.tau;
  EXPECT_GT(std::abs(carried), 5.0);
  robot.suppress("panda_joint4", Suppressible::kGravityCompensation);
  int suppressed = 0;
  double least = std::abs(carried);
  for (int n = 0; n < 400; ++n) {
    const double before = robot.now().joints[i].setpoint.tau;
    robot.run(1);
    const JointSnapshot& now = robot.now().joints[i];
    // Over a tenth of a second: a hundredth of it each cycle, and what the fall itself changes. A
    // joint that has fallen for long is held to its speed limit, by whatever that takes.
    if (std::abs(now.state.v) < 0.8) {
      EXPECT_LE(std::abs(now.setpoint.tau - before), 0.015 * std::abs(carried));
    }
    least = std::min(least, std::abs(now.setpoint.tau));
    if (now.suppressed.has(Suppressible::kGravityCompensation)) ++suppressed;
  }
  EXPECT_LT(least, 1e-9);
  // The message counts from the cycle that takes it.
  EXPECT_EQ(suppressed, 199);
  EXPECT_GT(std::abs(robot.now().joints[i].setpoint.tau), 0.5 * std::abs(carried));
}

TEST(Protection, IsSavedAndRestoredWithTheStack) {
  Physics robot(protected_franka());
  robot.suppress("arm", Suppressible::kContactSafety);
  robot.run(50);
  const Stack::State saved = robot.rig.stack().state();
  robot.run(300);
  EXPECT_FALSE(robot.now().protection.suppressed.has(Suppressible::kContactSafety));
  robot.rig.stack().restore(saved);
  robot.run(1);
  EXPECT_TRUE(robot.now().protection.suppressed.has(Suppressible::kContactSafety));
}

}  // namespace
}  // namespace jointrig
