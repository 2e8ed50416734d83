/// Sines in POSITION_DIRECT on arms that others publish, as they are published, with the default
/// law: 2 to 8 Hz, from half of v_max to twice what a joint may do, one joint and all together.
/// Judged is the truth of the physics:
///
///     no joint is faster than 1.05 v_max, that is led or stands beside it
///     none swings up by itself: its third second is no faster than its second, by a tenth
///     all rest when the sine is over

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "sim/sim_backend.h"
#include "tests/control/discovery/published_models.h"

namespace jointrig {
namespace {

constexpr double kFaster = 1.05;   // of v_max
constexpr double kGrows = 1.1;     // of the second before
constexpr double kStill = 0.02;    // of v_max, less than what counts as a swing
constexpr double kFurthest = 0.2;  // [rad or m]

struct Sine {
  double hz = 0.0;
  double speed = 0.0;  ///< peak, in v_max
};

/// A robot in physics that follows sines.
class SineRig {
 public:
  explicit SineRig(const RobotConfig& config)
      : rig_(config, {}), client_(rig_.stack().config(), rig_.stack().inbox(), "test") {
    rig_.start();
    run(1);
    client_.set_mode(client_.select("all"), ModeRequest::kPositionDirect);
    run(500);
  }

  [[nodiscard]] std::size_t size() { return config().joints.size(); }
  [[nodiscard]] const std::string& name(std::size_t k) { return config().joints[k].name; }

  /// Way about its start that it may go [rad or m]
  [[nodiscard]] double room(std::size_t k) {
    const JointLimits& limits = config().joints[k].limits;
    const double q = config().joints[k].q_start;
    const double all = std::min(limits.q_max - q, q - limits.q_min) - limits.soft_margin;
    return std::clamp(0.8 * all, 0.0, kFurthest);
  }

  /// Three seconds of sines of these joints about their start, then half a second there. Returns
  /// the peak speed of the first of them, in v_max.
  double expect_within_bounds(const std::vector<std::size_t>& joints, const Sine& sine) {
    std::array<std::vector<double>, 3> fastest;
    for (std::size_t second = 0; second < 3; ++second) {
      fastest[second].assign(size(), 0.0);
      for (int i = 0; i < 1000; ++i) {
        send(joints, sine, static_cast<double>(second) + 1e-3 * i);
        run(1);
        for (std::size_t k = 0; k < size(); ++k) {
          fastest[second][k] = std::max(fastest[second][k], speed(k));
        }
      }
    }
    for (std::size_t k = 0; k < size(); ++k) {
      for (const std::vector<double>& second : fastest) EXPECT_LE(second[k], kFaster) << name(k);
      // The first one begins from rest.
      EXPECT_LE(fastest[2][k], std::max(kGrows * fastest[1][k], kStill)) << name(k) << " swings up";
    }
    for (int i = 0; i < 250; ++i) {
      send(joints, sine, 3.0 + 1e-3 * i);
      run(1);
    }
    run(500);
    for (std::size_t k = 0; k < size(); ++k) {
      EXPECT_LT(speed(k), kStill) << name(k) << " doesn't come to rest";
      EXPECT_EQ(rig_.stack().snapshot().joints[k].fault.code, FaultCode::kNone) << name(k);
    }
    return fastest[2][joints[0]];
  }

 private:
  [[nodiscard]] const RobotConfig& config() { return rig_.stack().config(); }
  /// The true one, in v_max.
  [[nodiscard]] double speed(std::size_t k) {
    return std::abs(rig_.sim()->truth(k).v) / config().joints[k].limits.v_max;
  }

  /// From rest: a quarter of a second to the whole sine, and back after three.
  void send(const std::vector<std::size_t>& joints, const Sine& sine, double t) {
    std::vector<std::pair<JointIndex, StreamPosition::Value>> samples;
    const double w = 2.0 * std::numbers::pi * sine.hz;
    for (const std::size_t joint : joints) {
      const JointLimits& limits = config().joints[joint].limits;
      const double q = config().joints[joint].q_start;
      const double swing = std::min(sine.speed * limits.v_max / w, room(joint));
      const double part = std::clamp(4.0 * std::min(t, 3.25 - t), 0.0, 1.0);
      const double at = q + swing * part * std::sin(w * t);
      samples.push_back({static_cast<JointIndex>(joint), {at}});
    }
    client_.send<StreamPosition>(samples);
  }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) rig_.loop().step();
  }

  app::Rig rig_;
  RobotClient client_;
};

void sines_on(const std::string& path) {
  SineRig rig(app::load_robot(harness::find_robot(path)).config);
  std::vector<std::vector<std::size_t>> sets(1);
  for (std::size_t joint = 0; joint < rig.size(); ++joint) {
    sets[0].push_back(joint);
    sets.push_back({joint});
  }
  for (const std::vector<std::size_t>& joints : sets) {
    const std::string led = joints.size() == 1 ? rig.name(joints[0]) : "all joints";
    double most = 0.0;
    for (const Sine& sine :
         {Sine{2.0, 0.5}, Sine{2.0, 2.0}, Sine{4.0, 1.0}, Sine{8.0, 0.5}, Sine{8.0, 2.0}}) {
      SCOPED_TRACE(fmt::format("{} led at {} Hz, up to {} v_max", led, sine.hz, sine.speed));
      most = std::max(most, rig.expect_within_bounds(joints, sine));
    }
    EXPECT_TRUE(most > 0.1 || rig.room(joints[0]) < 0.1) << led << " hardly moved: " << most;
  }
}

class PublishedSines : public ::testing::TestWithParam<const char*> {};

TEST_P(PublishedSines, AreNeverFasterThanTheJointMayBe) {
  const std::filesystem::path folder = testing::package_folder("robosuite");
  if (folder.empty()) GTEST_SKIP() << "robosuite is not installed: scripts/test.sh does it";
  sines_on((folder / "models/assets/robots" / GetParam() / "robot.xml").string());
}

INSTANTIATE_TEST_SUITE_P(Robots, PublishedSines,
                         ::testing::Values("baxter", "iiwa", "jaco", "kinova3", "panda", "sawyer",
                                           "spot_arm", "ur5e", "xarm7"));

}  // namespace
}  // namespace jointrig
