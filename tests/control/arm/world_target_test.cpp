// A target in the world, on an arm whose base drives and turns under it: MuJoCo says where the tool
// is.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "tests/app/robot/tilted_arm.h"
#include "tests/support/requests.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

/// The tilted arm on a heavy carriage that drives along x and turns about z.
std::string on_carriage() {
  std::string text = testing::tilted_arm();
  const auto put_before = [&](const std::string& place, const std::string& what) {
    text.insert(text.rfind(place), what);
  };
  put_before("<body name=\"pedestal\"",
             "<body name=\"carriage\"><joint name=\"drive\" type=\"slide\" axis=\"1 0 0\" "
             "range=\"-3 3\"/><joint name=\"turn\" axis=\"0 0 1\"/>"
             "<geom fromto=\"0 0 0 0 0 0.1\" mass=\"40\"/>");
  put_before("</worldbody>", "</body>");
  put_before("</actuator>",
             "<motor joint=\"drive\" ctrlrange=\"-600 600\"/>"
             "<motor joint=\"turn\" ctrlrange=\"-300 300\"/>");
  return text;
}

constexpr double kStiffness = 600.0;  // N/m
constexpr double kDamping = 200.0;    // N·s/m

struct Carried {
  Carried() : file(on_carriage()), truth(file.path()) {
    file.add("robot.yaml", testing::kTiltedRobot);
    const std::string path = file.path();
    rig = std::make_unique<app::Rig>(
        app::load_robot(harness::find_robot(path.substr(0, path.rfind('/')) + "/robot.yaml"))
            .config,
        app::RigOptions{});
    client = std::make_unique<RobotClient>(rig->stack().config(), rig->stack().inbox(), "test");
    rig->start();
    run(1);
    client->set_mode(client->select("all"), ModeRequest::kPosition);
    run(500);
    client->set_mode(client->select("arm"), ModeRequest::kCartesian);
    client->post(testing::arm_request(CommandKind::kSetToolStiffness,
                                      {kStiffness, kStiffness, kStiffness, 60, 60, 60}));
    client->post(testing::arm_request(CommandKind::kSetToolDamping,
                                      {0, kDamping, kDamping, kDamping, 4, 4, 4}));
    run(500);
    EXPECT_TRUE(now().arms[0].runs);
    EXPECT_EQ(now().arms[0].stiffness[0], kStiffness);
  }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) rig->loop().step();
  }
  [[nodiscard]] const Snapshot& now() const { return rig->stack().snapshot(); }
  [[nodiscard]] Isometry3d tool() {
    const RobotConfig& config = rig->stack().config();
    std::vector<double> q;
    for (const char* name :
         {"drive", "turn", "yaw", "shoulder", "elbow", "forearm", "wrist", "roll"}) {
      for (std::size_t i = 0; i < config.joints.size(); ++i) {
        if (config.joints[i].name == name) q.push_back(now().joints[i].state.q);
      }
    }
    truth.place(q);
    return truth.tool();
  }
  void hold(const Isometry3d& pose, TargetFrame frame = TargetFrame::kWorld) {
    const Eigen::Quaterniond q(pose.linear());
    const Vector3d p = pose.translation();
    client->post(SetToolTarget{{0, {p.x(), p.y(), p.z()}, {q.w(), q.x(), q.y(), q.z()}, frame}});
  }
  /// Why such a target is refused.
  RejectReason why_not_held(const Isometry3d& pose) {
    EventRing::Reader reader(rig->stack().events());
    for (Event e; reader.next(e);) {
    }
    hold(pose);
    run(1);
    RejectReason why = RejectReason::kNone;
    for (Event e; reader.next(e);) {
      if (e.kind == EventKind::kRejected) why = e.reason;
    }
    return why;
  }
  /// Drives on, at a constant speed after a while.
  void drive(const char* joint, double speed, int cycles) {
    client->set_mode(client->select(joint), ModeRequest::kVelocity);
    run(2);
    for (int i = 0; i < cycles; ++i) {
      client->post(StreamVelocity{client->select(joint),
                                  testing::per_joint<StreamVelocity::Value>({{speed}})});
      run(1);
    }
  }
  void rest(const char* joint) {
    client->stop(client->select(joint));
    run(2500);
  }

  odd::TempModel file;
  testing::TiltedTruth truth;
  std::unique_ptr<app::Rig> rig;
  std::unique_ptr<RobotClient> client;
};

double apart(const Isometry3d& a, const Isometry3d& b) {
  return (a.translation() - b.translation()).norm();
}
double turned(const Isometry3d& a, const Isometry3d& b) {
  return Eigen::AngleAxisd(Eigen::Matrix3d(a.linear() * b.linear().transpose())).angle();
}

TEST(WorldTarget, ATargetInTheBaseGoesWithTheCarriage) {
  Carried robot;
  const Isometry3d start = robot.tool();
  robot.drive("drive", 0.05, 2000);
  EXPECT_GT(apart(robot.tool(), start), 0.08);
}

TEST(WorldTarget, BehindABaseThatDrivesTheToolLagsByDampingOverStiffnessAndNoMore) {
  Carried robot;
  const Isometry3d start = robot.tool();
  robot.hold(start);
  robot.run(500);
  EXPECT_LT(apart(robot.tool(), start), 5e-4);
  constexpr double kSpeed = 0.05;
  robot.drive("drive", kSpeed, 3000);
  const Vector3d lag = robot.tool().translation() - start.translation();
  const double wanted = kDamping / kStiffness * kSpeed;  // K e = D V, V = -u in the base
  EXPECT_NEAR(lag.x(), wanted, 0.02 * wanted);
  EXPECT_NEAR(lag.tail<2>().norm(), 0.0, 0.02 * wanted);
  robot.rest("drive");
  EXPECT_LT(apart(robot.tool(), start), 5e-4) << "m, after 0.15 m of the carriage";
  EXPECT_LT(turned(robot.tool(), start), 5e-3) << "rad";
}

TEST(WorldTarget, WhileTheCarriageTurnsTheToolKeepsPlaceAndOrientation) {
  Carried robot;
  const Isometry3d start = robot.tool();
  robot.hold(start);
  robot.run(10);
  robot.drive("turn", 0.1, 3000);
  robot.rest("turn");
  EXPECT_LT(apart(robot.tool(), start), 5e-4) << "m, after 0.3 rad of the carriage";
  EXPECT_LT(turned(robot.tool(), start), 5e-3) << "rad";
}

TEST(WorldTarget, AGoalInTheWorldIsReachedWhileTheCarriageDrives) {
  Carried robot;
  Isometry3d goal = robot.tool();
  goal.translation() += Vector3d(0.02, 0.05, -0.04);
  goal.linear() = Eigen::AngleAxisd(0.2, Vector3d::UnitZ()) * goal.linear();
  robot.hold(goal);
  robot.drive("drive", 0.05, 3000);
  robot.rest("drive");
  EXPECT_LT(apart(robot.tool(), goal), 5e-4);
  EXPECT_LT(turned(robot.tool(), goal), 5e-3);
}

TEST(WorldTarget, StopLetsTheToolGoWithTheCarriage) {
  Carried robot;
  const Isometry3d start = robot.tool();
  robot.hold(start);
  robot.run(100);
  robot.client->stop(robot.client->select("arm"));
  robot.run(10);
  robot.drive("drive", 0.05, 2000);
  EXPECT_GT(apart(robot.tool(), start), 0.08);
}

TEST(WorldTarget, BeyondTheArmTheTargetStaysBehindAndIsTakenUpAgainWhereItReaches) {
  Carried robot;
  const Isometry3d start = robot.tool();
  robot.hold(start);
  robot.run(100);
  robot.drive("drive", 0.15, 12000);
  robot.rest("drive");
  EXPECT_GT(apart(robot.tool(), start), 0.5) << "m, the carriage is 1.7 m away";
  EXPECT_TRUE(robot.now().arms[0].runs);
  EXPECT_TRUE(robot.now().arms[0].limits.has(ArmLimit::kToolSpeed));
  robot.drive("drive", -0.15, 12000);
  robot.rest("drive");
  robot.run(3000);
  EXPECT_LT(apart(robot.tool(), start), 2e-3);
}

TEST(WorldTarget, OneThatTheArmDoesNotReachIsRefused) {
  Carried robot;
  Isometry3d far = robot.tool();
  far.translation().x() += 2.0;
  EXPECT_EQ(robot.why_not_held(far), RejectReason::kOutOfReach);
  // At the base's own origin: in the base it is within reach, in the world it isn't.
  robot.drive("drive", 0.15, 12000);
  robot.rest("drive");
  EXPECT_EQ(robot.why_not_held(Isometry3d::Identity()), RejectReason::kOutOfReach);
}

}  // namespace
}  // namespace jointrig
