/// Laws from shared libraries: the example against this project's own law of the same equation, and
/// libraries that are refused.

#include "app/rig/law_library.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "control/laws/cartesian_impedance.h"
#include "control/laws/posture.h"
#include "control/laws/tool_error.h"
#include "control/stack/law_declaration.h"
#include "tests/support/alloc_guard.h"

namespace jointrig {
namespace {

constexpr std::size_t kJoints = 7;

std::string library(const std::string& name) { return std::string(LAWS) + "/" + name + ".so"; }

RobotConfig franka_with(const std::string& name) {
  RobotConfig config = app::load_robot(harness::find_robot("franka")).config;
  config.avoidance->on = config.detection->on = false;
  LawConfig law;
  law.name = "mine";
  law.library = library(name);
  for (JointIndex i = 0; i < kJoints; ++i) law.joints.push_back(i);
  config.laws.push_back(law);
  app::load_laws(config);
  return config;
}

struct Robot {
  explicit Robot(const RobotConfig& config)
      : rig(config, {}), client(rig.stack().config(), rig.stack().inbox(), "test") {
    rig.start();
    rig.loop().step();
    client.set_mode(client.select("all"), ModeRequest::kPosition);
    run(300);
    client.set_mode(client.select("arm"), ModeRequest::kTorque);
  }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) rig.loop().step();
  }
  const Snapshot& now() { return rig.stack().snapshot(); }
  app::Rig rig;
  RobotClient client;
};

/// The equation by this project's laws, on a model of the test's own.
class OwnLaws {
 public:
  explicit OwnLaws(const RobotConfig& config)
      : model_(config), tool_(model_.find_frame("panda_hand")) {}

  void read(const Snapshot& now) {
    RobotState state;
    state.joints.resize(now.joints.size());
    for (std::size_t i = 0; i < now.joints.size(); ++i) state.joints[i] = now.joints[i].state;
    model_.update(state);
    q_.resize(kJoints);
    v_.resize(kJoints);
    for (std::size_t i = 0; i < kJoints; ++i) {
      q_[static_cast<Eigen::Index>(i)] = state.joints[i].q;
      v_[static_cast<Eigen::Index>(i)] = state.joints[i].v;
    }
  }
  void start() {
    const FramePose pose = model_.pose(tool_);
    start_ = {pose.position, pose.rotation};
    q_start_ = q_;
  }
  [[nodiscard]] ArmVector torque(const std::array<double, LawSnapshot{}.parameters.size()>& p) {
    FrameJacobian whole(6, static_cast<Eigen::Index>(model_.joint_count()));
    model_.jacobian(tool_, whole);
    const FramePose pose = model_.pose(tool_);
    ToolState tool;
    tool.pose = {pose.position, pose.rotation};
    tool.jacobian = whole.leftCols<kJoints>();
    tool.twist = tool.jacobian * v_;
    // In the order of the example's declaration: offset_x turn_x offset_y turn_y offset_z turn_z
    // ...
    Placement target = start_;
    target.position += Eigen::Vector3d(p[0], p[2], p[4]);
    target.rotation = rotation_of(Eigen::Vector3d(p[1], p[3], p[5])) * target.rotation;
    Vector6 k;
    k << p[6], p[6], p[6], p[7], p[7], p[7];
    const Vector6 d = 2.0 * p[8] * k.cwiseSqrt();
    ArmVector spring = ArmVector::Zero(kJoints);
    ArmVector damping = ArmVector::Zero(kJoints);
    add_cartesian_impedance(k.asDiagonal(), d.asDiagonal(), Vector6::Constant(10.0),
                            Eigen::Matrix3d::Identity(), tool, target, spring, damping);
    ArmVector posture = ArmVector::Zero(kJoints);
    const PostureGains gains{ArmVector::Constant(kJoints, p[9]),
                             ArmVector::Constant(kJoints, 2.0 * std::sqrt(p[9])), 1e9};
    add_posture(gains, Projector::kKinematic, q_start_, q_, v_, tool.jacobian, tool.jacobian,
                ToolInertia(), posture);
    return spring + damping + posture;
  }

 private:
  RobotModel model_;
  FrameId tool_;
  Placement start_;
  ArmVector q_, v_, q_start_;
};

TEST(LawLibrary, ExampleGivesTheTorqueOfOurOwnLawOfTheSameEquation) {
  const RobotConfig config = franka_with("example_law");
  Robot robot(config);
  OwnLaws own(config);
  while (robot.now().laws[0].state != LawState::kRuns) robot.run(1);
  own.read(robot.now());
  own.start();
  robot.run(150);  // its torque has come in
  double largest = 0.0;
  for (int n = 0; n < 2000; ++n) {
    if (n == 100) robot.client.set_law_parameter("mine", "offset_z", 0.1);
    if (n == 500) robot.client.set_law_parameter("mine", "turn_x", 0.4);
    if (n == 700) robot.client.set_law_parameter("mine", "turn_z", -0.3);
    if (n == 900) robot.client.set_law_parameter("mine", "stiffness", 900.0);
    if (n == 1200) robot.client.set_law_parameter("mine", "posture_stiffness", 20.0);
    robot.run(1);
    own.read(robot.now());
    const ArmVector expected = own.torque(robot.now().laws[0].parameters);
    for (std::size_t i = 0; i < kJoints; ++i) {
      const double is = robot.now().joints[i].effort.laws;
      ASSERT_NEAR(is, expected[static_cast<Eigen::Index>(i)], 1e-9) << "joint " << i << ", " << n;
      largest = std::max(largest, std::abs(is));
    }
  }
  EXPECT_GT(largest, 5.0) << "it does something";
}

TEST(LawLibrary, ExampleAllocatesNothingInTheCycle) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  Robot robot(franka_with("example_law"));
  robot.client.set_law_parameter("mine", "coriolis", 1.0);
  robot.run(10);
  RealtimeGuard guard;
  robot.run(300);
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
  EXPECT_EQ(robot.now().laws[0].state, LawState::kRuns);
}

void expect_refused(const std::string& path, const std::string& words) {
  try {
    app::open_law_library(path);
    ADD_FAILURE() << path << " was opened";
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find(path), std::string::npos) << e.what();
  }
}

TEST(LawLibrary, IsRefusedWithASentenceThatNamesIt) {
  expect_refused(library("nowhere"), "there is no library");
  expect_refused(library("library_without_law"), "has no symbol jointrig_user_law");
  expect_refused(library("law_of_other_version"), "was built for version 2");
  expect_refused(library("law_of_other_layout"), "lays out LawCycle in 12 bytes");
  expect_refused(__FILE__, "can't be loaded");
}

TEST(LawLibrary, StaysOpenAsLongAsALawOfIt) {
  std::shared_ptr<UserLaw> law;
  {
    RobotConfig config = franka_with("naughty_law");
    law = (*config.laws[0].maker)();
  }
  EXPECT_NE(law, nullptr);
  law.reset();  // runs the library's own destructor
}

/// An exception of the library is caught on this side of its border.
TEST(LawLibrary, ThrowsAcrossItsBorderAndIsShutOut) {
  Robot robot(franka_with("naughty_law"));
  EventRing::Reader events(robot.rig.stack().events());
  robot.client.set_law_parameter("mine", "way", 1.0);
  robot.run(200);
  EXPECT_EQ(robot.now().laws[0].state, LawState::kFailed);
  Event event;
  bool told = false;
  while (events.next(event)) told = told || event.kind == EventKind::kLawFailed;
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace jointrig
