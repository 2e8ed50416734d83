// Collision avoidance of an arm among posts that random commands of every kind lead it through. Its
// distance to them is a formula: points and segments in space.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

constexpr double kUpper = 0.5;        // m, length of the links
constexpr double kFore = 0.45;        // m
constexpr double kThick = 0.03;       // m, their radius
constexpr double kPost = 0.06;        // m, radius of a post
constexpr double kMarginHere = 0.05;  // m
constexpr std::size_t kTurns = 3;

using Angles = std::array<double, kTurns>;

/// Two links on a turntable, along x at the start.
struct Arm {
  std::vector<Eigen::Vector3d> posts;

  [[nodiscard]] static std::array<Eigen::Vector3d, 3> places(const Angles& q) {
    const auto out = [&](double lift) -> Eigen::Vector3d {
      return {std::cos(q[0]) * std::cos(lift), std::sin(q[0]) * std::cos(lift), -std::sin(lift)};
    };
    const Eigen::Vector3d elbow = kUpper * out(q[1]);
    return {Eigen::Vector3d::Zero(), elbow, elbow + kFore * out(q[1] + q[2])};
  }
  [[nodiscard]] static double from_segment(const Eigen::Vector3d& p, const Eigen::Vector3d& a,
                                           const Eigen::Vector3d& b) {
    const double along = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
    return (p - a - along * (b - a)).norm();
  }
  [[nodiscard]] double distance(const Angles& q) const {
    const auto [base, elbow, tip] = places(q);
    double least = 10.0;
    for (const Eigen::Vector3d& post : posts) {
      least = std::min({least, from_segment(post, base, elbow), from_segment(post, elbow, tip)});
    }
    return least - kThick - kPost;
  }
  [[nodiscard]] std::string mjcf() const {
    std::string fixed;
    for (const Eigen::Vector3d& at : posts) {
      fixed +=
          fmt::format("<geom type='sphere' size='{}' pos='{} {} {}'/>", kPost, at[0], at[1], at[2]);
    }
    return fmt::format(R"(
      <mujoco><compiler angle='radian'/><worldbody>{0}
      <body><joint name='turn' axis='0 0 1' range='-3 3' armature='.1'/>
      <inertial pos='0 0 0' mass='1' diaginertia='.01 .01 .01'/>
      <body><joint name='lift' axis='0 1 0' range='-2 2' armature='.1'/>
      <geom type='capsule' size='{1}' fromto='0 0 0 {2} 0 0' mass='2'/>
      <body pos='{2} 0 0'><joint name='fold' axis='0 1 0' range='-2.5 2.5' armature='.05'/>
      <geom type='capsule' size='{1}' fromto='0 0 0 {3} 0 0' mass='1'/></body></body></body>
      </worldbody><actuator><motor joint='turn' ctrlrange='-150 150'/>
      <motor joint='lift' ctrlrange='-150 150'/><motor joint='fold' ctrlrange='-80 80'/></actuator>
      </mujoco>)",
                       fixed, kThick, kUpper, kFore);
  }
};

/// Posts about as far as the links reach, none near the start.
Arm random_arm(std::mt19937& random) {
  Arm arm;
  std::normal_distribution<double> any;
  std::uniform_real_distribution<double> far(0.3, 1.05);
  while (arm.posts.size() < 8) {
    const Eigen::Vector3d way(any(random), any(random), any(random));
    arm.posts.emplace_back(far(random) * way.normalized());
    if (arm.distance({}) < kMarginHere + 0.1) arm.posts.pop_back();
  }
  return arm;
}

enum class Way { kMove, kVelocity, kPosition, kTrajectory, kTarget, kVelocityTarget };

struct Among {
  Among(const Arm& with, BackendKind backend)
      : arm(with),
        file(arm.mjcf()),
        rig(config(), on(backend)),
        client(rig.stack().config(), rig.stack().inbox(), "test"),
        events(rig.stack().events()),
        all(client.select("all")) {
    rig.start();
    rig.loop().step();
    client.set_mode(all, ModeRequest::kPosition);
    for (int i = 0; i < 100; ++i) run();
  }
  static app::RigOptions on(BackendKind backend) {
    app::RigOptions options;
    options.backend = backend;
    return options;
  }
  RobotConfig config() const {
    RobotConfig robot = app::load_robot(harness::find_robot(file.path())).config;
    robot.avoidance.emplace();
    robot.avoidance->on = true;
    robot.avoidance->margin = kMarginHere;
    robot.detection.reset();
    return robot;
  }
  void run() {
    rig.loop().step();
    Angles q{};
    for (std::size_t i = 0; i < kTurns; ++i) q[i] = rig.stack().snapshot().joints[i].state.q;
    least = std::min(least, arm.distance(q));
    Event e;
    while (events.next(e)) {
      if (e.kind == EventKind::kAvoidance) ++stops;
    }
  }
  template <typename C, typename F>
  void post(const F& value) {
    C command;
    command.joints = all;
    for (std::size_t i = 0; i < kTurns; ++i) command.values.push_back(value(i));
    client.post(command);
  }
  [[nodiscard]] double reference(std::size_t i) {
    return rig.stack().snapshot().joints[i].reference.q;
  }
  static ModeRequest mode_for(Way way) {
    if (way == Way::kVelocity) return ModeRequest::kVelocity;
    const bool is_direct = way == Way::kPosition || way == Way::kTrajectory;
    return is_direct ? ModeRequest::kPositionDirect : ModeRequest::kPosition;
  }
  /// Asks for motion to a goal, or towards it, for so long.
  void go(Way way, const Angles& goal, double seconds, double speed) {
    client.set_mode(all, mode_for(way));
    run();
    Angles from{};
    for (std::size_t i = 0; i < kTurns; ++i) from[i] = reference(i);
    const auto cycles = static_cast<int>(1e3 * seconds);
    for (int n = 0; n < cycles; ++n) {
      ask(way, from, goal, n, cycles, speed);
      run();
    }
  }
  void ask(Way way, const Angles& from, const Angles& goal, int n, int cycles, double speed) {
    const auto v = [&](std::size_t i) { return std::clamp(goal[i] - from[i], -speed, speed); };
    // Half a cosine from here to there.
    const double w = M_PI * 1e3 / cycles;
    const double t = 1e-3 * (n + 1);
    const auto far = [&](std::size_t i) { return 0.5 * (goal[i] - from[i]); };
    const auto q = [&](std::size_t i) { return from[i] + far(i) * (1.0 - std::cos(w * t)); };
    switch (way) {
      case Way::kMove:
        if (n > 0) return;
        return post<Move>([&](std::size_t i) { return Move::Value{goal[i], speed}; });
      case Way::kVelocity:
        return post<StreamVelocity>([&](std::size_t i) { return StreamVelocity::Value{v(i)}; });
      case Way::kPosition:
        return post<StreamPosition>([&](std::size_t i) { return StreamPosition::Value{q(i)}; });
      case Way::kTrajectory:
        if (n % 5 != 0) return;
        return post<StreamTrajectory>([&](std::size_t i) {
          return StreamTrajectory::Value{q(i), w * far(i) * std::sin(w * t),
                                         w * w * far(i) * std::cos(w * t), 0.0};
        });
      case Way::kTarget:
        if (n > 0) return;
        return post<SetJointTarget>([&](std::size_t i) {
          SetJointTarget::Value value;
          value.q = goal[i];
          return value;
        });
      case Way::kVelocityTarget:
        if (n % 20 != 0) return;
        SetJointTarget command;
        command.target = TargetKind::kVelocity;
        command.joints = all;
        for (std::size_t i = 0; i < kTurns; ++i) {
          SetJointTarget::Value value;
          value.v = v(i);
          command.values.push_back(value);
        }
        client.post(command);
    }
  }

  Arm arm;
  odd::TempModel file;
  app::Rig rig;
  RobotClient client;
  EventRing::Reader events;
  JointSet all;
  double least = 1.0;  ///< distance so far [m]
  int stops = 0;       ///< events of avoidance
};

/// The arm's least distance to a post under twenty random commands of one kind [m]
double least_distance(unsigned seed, Way way, BackendKind backend, int& stops) {
  std::mt19937 random(seed);
  Among here(random_arm(random), backend);
  const auto within = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int n = 0; n < 20; ++n) {
    const Angles goal{within(-2.5, 2.5), within(-1.5, 1.5), within(-2.0, 2.0)};
    const double seconds = within(0.3, 1.8);
    here.go(way, goal, seconds, within(0.3, 2.8));
  }
  stops += here.stops;
  return here.least;
}

/// Parts of the margin: misses by sampling the way to rest, and in physics a joint's overshoot.
constexpr double kMissed = 0.005;     // m
constexpr double kOvershoot = 0.004;  // m

/// For other seeds: --gtest_random_seed=N, N from 1 on. GoogleTest's own default, which
/// UnitTest::random_seed() gives, is of the clock: another test in each run.
void expect_outside(BackendKind backend, double less) {
  constexpr std::array kWays{Way::kMove,       Way::kVelocity, Way::kPosition,
                             Way::kTrajectory, Way::kTarget,   Way::kVelocityTarget};
  const auto seed = static_cast<unsigned>(std::max(1, GTEST_FLAG_GET(random_seed)));
  double least = 1.0;
  int stops = 0;
  for (std::size_t n = 0; n < kWays.size(); ++n) {
    SCOPED_TRACE(fmt::format("seed {} way {}", seed, n));
    const double distance = least_distance(seed, kWays[n], backend, stops);
    EXPECT_GT(distance, kMarginHere - less);
    least = std::min(least, distance);
  }
  EXPECT_GT(stops, 0) << "avoidance had nothing to do";
  ::testing::Test::RecordProperty("least_um", static_cast<int>(1e6 * least));
}

TEST(CollisionAvoidance, NoReferenceLeadsAnArmAmongPostsIntoTheMargin) {
  expect_outside(BackendKind::kKinematic, kMissed);
}

TEST(CollisionAvoidance, NoCommandLeadsAnArmAmongPostsIntoTheMarginInPhysics) {
  expect_outside(BackendKind::kSim, kMissed + kOvershoot);
}

}  // namespace
}  // namespace jointrig
