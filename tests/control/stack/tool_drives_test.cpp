// Tools follow velocities in the loop: as far as they can, never by a jump, and no longer than they
// may.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "harness/log/event_text.h"
#include "tests/control/planning/few_joints.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

constexpr double kDt = 1e-3;

RobotConfig robot_named(const std::string& name) {
  return app::load_robot(harness::find_robot(name)).config;
}

/// A robot of a model of one's own, whose part `arm` moves the site `tip`.
RobotConfig configured(odd::TempModel& model, const std::string& keys) {
  model.add("robot.yaml", "schema: 1\nname: own\nmodel: robot.xml\n" + keys +
                              "arms: {arm: {part: arm, tool: tip}}\n");
  return robot_named(model.path().substr(0, model.path().rfind('/')) + "/robot.yaml");
}

app::RigOptions kinematic() {
  app::RigOptions options;
  options.backend = BackendKind::kKinematic;
  return options;
}

double size_of(const Six& v) {
  return std::hypot(std::hypot(v[0], v[1], v[2]), v[3], std::hypot(v[4], v[5]));
}

/// A robot whose joints are where they are asked to be, and watched: by differences of their
/// references.
struct Driven {
  explicit Driven(RobotConfig config)
      : rig(std::move(config), kinematic()),
        client(rig.stack().config(), rig.stack().inbox(), "test"),
        events(rig.stack().events()) {
    rig.start();
    rig.loop().step();
    for (const ArmConfig& arm : rig.stack().config().arms) {
      client.set_mode(joints_of(arm), ModeRequest::kPosition);
    }
    for (int i = 0; i < 20; ++i) rig.loop().step();
    remember();
  }

  [[nodiscard]] const Snapshot& now() { return rig.stack().snapshot(); }
  [[nodiscard]] const ArmSnapshot& arm(std::size_t i = 0) { return now().arms[i]; }

  void remember() {
    q.clear();
    for (const JointSnapshot& joint : now().joints) q.push_back(joint.reference.q);
    v.assign(q.size(), 0.0);
  }

  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      rig.loop().step();
      watch();
      Event event;
      while (events.next(event)) told.push_back(event);
    }
  }

  void watch() {
    // Also of the cycle in which something else takes over.
    const bool is_on = std::any_of(now().arms.begin(), now().arms.end(),
                                   [](const ArmSnapshot& arm) { return arm.drive.is_on; });
    const bool counts = is_on || was_on;
    was_on = is_on;
    for (std::size_t i = 0; i < q.size(); ++i) {
      const JointLimits& limits = rig.stack().config().joints[i].limits;
      const double here = now().joints[i].reference.q;
      const double speed = (here - q[i]) / kDt;
      fastest = std::max(fastest, std::abs(speed) / limits.v_max);
      if (counts) hardest = std::max(hardest, std::abs(speed - v[i]) / kDt / limits.a_max);
      EXPECT_GE(here, limits.q_min + limits.soft_margin - 1e-9) << i;
      EXPECT_LE(here, limits.q_max - limits.soft_margin + 1e-9) << i;
      q[i] = here;
      v[i] = speed;
    }
  }

  void drive(const Six& velocity, double duration, ToolFrame frame = ToolFrame::kBase,
             ArmIndex of_arm = 0, bool together = false, FreeRotation free = FreeRotation::kNone) {
    client.post(DriveTool{of_arm, velocity, frame, duration, together, free});
  }

  [[nodiscard]] int count(EventKind kind, std::uint8_t detail) const {
    return static_cast<int>(std::count_if(told.begin(), told.end(), [&](const Event& event) {
      return event.kind == kind && event.detail == detail;
    }));
  }
  [[nodiscard]] int count(DriveChange change) const {
    return count(EventKind::kDrive, static_cast<std::uint8_t>(change));
  }
  /// The sentence of the last refusal.
  [[nodiscard]] std::string refusal() {
    std::string last;
    for (const Event& event : told) {
      if (event.kind == EventKind::kRejected) last = harness::sentence(event, rig.stack().config());
    }
    return last;
  }

  app::Rig rig;
  RobotClient client;
  EventRing::Reader events;
  std::vector<Event> told;
  std::vector<double> q, v;
  double fastest = 0.0;  ///< of all joints: share of v_max, and of a_max
  double hardest = 0.0;  ///< while a tool is driven
  bool was_on = false;
};

class FrankaTool : public ::testing::Test {
 protected:
  void expect_smooth() {
    EXPECT_LE(t.fastest, 1.0 + 1e-6);
    EXPECT_LE(t.hardest, 1.0 + 1e-4);
  }
  Driven t{robot_named("franka")};
};

// A trapezoid of v, T and a has the length v T: it ramps down as it ramps up, after T.
TEST_F(FrankaTool, GoesItsWayInItsTimeAndRests) {
  const std::array<double, 3> from = t.arm().tool.position;
  t.drive({0.0, 0.1, 0.0, 0.0, 0.0, 0.0}, 0.5);
  t.run(400);
  EXPECT_TRUE(t.arm().drive.is_on);
  EXPECT_NEAR(t.arm().drive.had[1], 0.1, 1e-9);
  EXPECT_EQ(t.arm().drive.share, 1.0);
  EXPECT_NEAR(t.arm().drive.left, 0.1, 2e-3);
  EXPECT_NEAR(t.arm().twist[1], 0.1, 1e-3) << "the tool itself";
  t.run(300);
  EXPECT_FALSE(t.arm().drive.is_on);
  EXPECT_EQ(t.count(DriveChange::kLapsed), 1);
  const std::array<double, 3> to = t.arm().tool.position;
  EXPECT_NEAR(to[1] - from[1], 0.1 * 0.5, 2e-4);
  EXPECT_NEAR(to[0], from[0], 1e-6);
  EXPECT_NEAR(to[2], from[2], 1e-6);
  const std::vector<double> rest = t.q;
  t.run(200);
  EXPECT_EQ(t.q, rest);
  expect_smooth();
}

// Its tool points down: along its own z it goes down, and about that z nothing but the turn
// changes.
TEST_F(FrankaTool, FollowsTheAxesOfItsFrame) {
  const std::array<double, 3> from = t.arm().tool.position;
  t.drive({0.0, 0.0, 0.1, 0.0, 0.0, 0.3}, 0.5, ToolFrame::kTool);
  t.run(1000);
  const std::array<double, 3> down = t.arm().tool.position;
  EXPECT_NEAR(down[2] - from[2], -0.05, 2e-4);
  EXPECT_NEAR(std::hypot(down[0] - from[0], down[1] - from[1]), 0.0, 1e-3);
  t.drive({0.0, 0.0, 0.1, 0.0, 0.0, 0.0}, 0.5, ToolFrame::kWorld);
  t.run(1000);
  EXPECT_NEAR(t.arm().tool.position[2], down[2] + 0.05, 2e-4) << "the world's z is up";
  expect_smooth();
}

// The stretched arm is singular: it is come near to, told once, and left at once.
TEST_F(FrankaTool, ComesOutOfASingularityAsItWentIn) {
  const std::array<double, 3> from = t.arm().tool.position;
  t.drive({0.2, 0.0, 0.0, 0.0, 0.0, 0.0}, 4.0);
  t.run(3500);
  EXPECT_LT(t.arm().drive.share, 0.05);
  EXPECT_EQ(t.count(DriveChange::kFree), 0);
  int held = 0;
  for (const DriveChange why : kAllDriveChange) held += holds_back(why) ? t.count(why) : 0;
  EXPECT_EQ(held, 1) << "told once";
  EXPECT_TRUE(holds_back(t.arm().drive.held_by));
  const double far = t.arm().tool.position[0];
  EXPECT_GT(far, from[0] + 0.1);
  t.drive({-0.2, 0.0, 0.0, 0.0, 0.0, 0.0}, 1.0);
  t.run(500);
  EXPECT_EQ(t.count(DriveChange::kFree), 1);
  EXPECT_EQ(t.arm().drive.share, 1.0);
  t.run(1000);
  EXPECT_NEAR(t.arm().tool.position[0], far - 0.2, 0.02);
  EXPECT_NEAR(t.arm().tool.position[1], from[1], 1e-4);
  EXPECT_NEAR(t.arm().tool.position[2], from[2], 1e-4);
  expect_smooth();
}

// Joint 7 turns the hand about its own z until its range ends; the other way it is free.
TEST_F(FrankaTool, StopsAtTheEndOfAJointAndGoesAway) {
  constexpr JointIndex kLast = 6;
  t.drive({0.0, 0.0, 0.0, 0.0, 0.0, 0.8}, 20.0, ToolFrame::kTool);
  t.run(6000);
  const auto told = std::find_if(t.told.begin(), t.told.end(), [](const Event& event) {
    return event.kind == EventKind::kDrive &&
           event.detail == static_cast<std::uint8_t>(DriveChange::kPosition);
  });
  ASSERT_NE(told, t.told.end());
  EXPECT_LT(std::abs(told->value), std::abs(told->limit));
  EXPECT_NEAR(told->value, told->limit, 0.2);
  EXPECT_LT(told->joint, t.q.size());
  const double q = t.q[kLast];
  const int freed = t.count(DriveChange::kFree);  // it may have found a way around the end
  t.drive({0.0, 0.0, 0.0, 0.0, 0.0, -0.8}, 1.0, ToolFrame::kTool);
  t.run(1500);
  EXPECT_EQ(t.count(DriveChange::kFree), freed + 1);
  EXPECT_GT(std::abs(t.q[kLast] - q), 0.3);
  expect_smooth();
}

// Velocities at random, replaced while the tool moves, stops and moves of joints between them.
TEST_F(FrankaTool, WhateverReplacesWhatNoJointJumps) {
  std::mt19937 engine(7);
  const auto number = [&](double most) {
    return std::uniform_real_distribution<>(-most, most)(engine);
  };
  int stops = 0;
  for (int i = 0; i < 400; ++i) {
    Six velocity{};
    for (std::size_t axis = 0; axis < 6; ++axis) velocity[axis] = number(axis < 3 ? 0.14 : 0.55);
    const auto frame = static_cast<ToolFrame>(engine() % kAllToolFrame.size());
    const double duration = 0.01 + std::abs(number(0.4));
    if (engine() % 8 == 0) {
      t.client.post(Stop{joints_of(t.rig.stack().config().arms[0])});
      ++stops;
    } else if (engine() % 8 == 0) {
      t.client.move(t.client.select("panda_joint4"), -2.0 + number(0.3), 0.5);
    } else {
      t.drive(velocity, duration, frame);
    }
    t.run(static_cast<int>(engine() % 200));
  }
  ASSERT_GT(stops, 20);
  EXPECT_GT(t.fastest, 0.1) << "it moved";
  expect_smooth();
}

TEST_F(FrankaTool, AStopBrakesAlongTheWay) {
  const std::array<double, 3> from = t.arm().tool.position;
  t.drive({0.0, 0.2, 0.0, 0.0, 0.0, 0.0}, 60.0);
  t.run(500);
  const double y = t.arm().tool.position[1];
  t.client.post(Stop{joints_of(t.rig.stack().config().arms[0])});
  t.run(400);
  EXPECT_FALSE(t.arm().drive.is_on);
  EXPECT_EQ(t.count(DriveChange::kStopped), 1);
  // v²/2a, of the marker's 1 m/s².
  EXPECT_NEAR(t.arm().tool.position[1] - y, 0.2 * 0.2 / 2.0, 1e-3);
  EXPECT_NEAR(t.arm().tool.position[0], from[0], 1e-6) << "on its line";
  expect_smooth();
}

TEST_F(FrankaTool, AJointThatIsLedElsewhereEndsIt) {
  t.drive({0.0, 0.2, 0.0, 0.0, 0.0, 0.0}, 60.0);
  t.run(500);
  t.client.move(t.client.select("panda_joint1"), 0.3, 0.5);
  t.run(2000);
  EXPECT_FALSE(t.arm().drive.is_on);
  EXPECT_EQ(t.count(EventKind::kDriveBroken, static_cast<std::uint8_t>(PlanChange::kLeft)), 1);
  EXPECT_NEAR(t.q[0], 0.3, 1e-9);
  expect_smooth();
}

TEST_F(FrankaTool, GoesAtTheSpeedOverride) {
  t.client.post(SetSpeedOverride{0.5});
  t.drive({0.0, 0.1, 0.0, 0.0, 0.0, 0.0}, 10.0);
  t.run(500);
  EXPECT_NEAR(t.arm().drive.had[1], 0.05, 1e-9);
  EXPECT_EQ(t.arm().drive.share, 1.0) << "of the velocity at the override";
}

TEST_F(FrankaTool, WhatCantBeIsRefusedWholeAndByName) {
  const std::vector<double> rest = t.q;
  const auto says = [&](const char* words) {
    t.run(2);
    EXPECT_NE(t.refusal().find(words), std::string::npos) << t.refusal();
  };
  t.drive({0.2, 0.2, 0.0, 0.0, 0.0, 0.0}, 1.0);
  says("its linear velocity has a size of 0.282");
  t.drive({0.0, 0.0, 0.0, 0.0, 0.0, 3.0}, 1.0);
  says("its angular velocity has a size of 3 rad/s");
  t.drive({0.1, 0.0, 0.0, 0.0, 0.0, 0.0}, 0.0);
  says("give a time above 0, at most 600 s");
  t.drive({0.1, 0.0, 0.0, 0.0, 0.0, 0.0}, 601.0);
  says("its duration is 601 s");
  t.drive({NAN, 0.0, 0.0, 0.0, 0.0, 0.0}, 1.0);
  says("its velocity along x is nan");
  t.drive({0.1, 0.0, 0.0, 0.0, 0.0, 0.0}, 1.0, ToolFrame::kBase, 3);
  says("it names arm number 3, the robot has 1");
  EXPECT_EQ(t.q, rest);
  t.drive({0.1, 0.0, 0.0, 0.0, 0.0, 0.0}, 1.0);
  t.run(100);
  t.client.post(SetTool{0, {0.0, 0.0, 0.1}});
  says("tool_moves");
  t.client.set_mode(joints_of(t.rig.stack().config().arms[0]), ModeRequest::kVelocity);
  t.run(500);
  t.drive({0.1, 0.0, 0.0, 0.0, 0.0, 0.0}, 1.0);
  says("panda_joint1");
  says("drive_tool");
}

// A restored state goes on to the bit.
TEST_F(FrankaTool, GoesOnFromASavedState) {
  t.drive({0.1, 0.1, 0.05, 0.0, 0.2, 0.0}, 0.5, ToolFrame::kTool);
  t.run(200);
  const Stack::State saved = t.rig.stack().state();
  const auto advanced = [&] {
    RobotState state = t.rig.loop().state();
    std::vector<double> references;
    RobotCommand command;
    for (int i = 0; i < 600; ++i) {
      ++state.cycle;
      state.time_ns += 1'000'000;
      t.rig.stack().cycle(state, command);
      for (std::size_t j = 0; j < state.joints.size(); ++j) {
        state.joints[j].q = t.now().joints[j].reference.q;
        references.push_back(state.joints[j].q);
      }
    }
    return references;
  };
  const std::vector<double> first = advanced();
  t.rig.stack().restore(saved);
  EXPECT_EQ(advanced(), first);
  EXPECT_NE(first.front(), first[first.size() - t.q.size()]);
}

// Five joints: the place is followed, and the hand turns as it must.
TEST(FewJoints, LeadThePlaceOfTheirTool) {
  RobotConfig config = robot_named("franka");
  config.arms[0].joints = {0, 1, 3, 4, 5};
  Driven t(config);
  const std::array<double, 3> from = t.arm().tool.position;
  t.drive({0.0, 0.0, 0.0, 0.0, 0.0, 0.1}, 1.0);
  t.run(2);
  EXPECT_NE(t.refusal().find("they lead its place alone; give no angular velocity, or a "
                             "free_rotation beside which the others are held: "),
            std::string::npos)
      << t.refusal();
  t.drive({0.1, 0.0, -0.1, 0.0, 0.0, 0.0}, 0.5);
  t.run(1000);
  EXPECT_NEAR(t.arm().tool.position[0] - from[0], 0.05, 2e-4);
  EXPECT_NEAR(t.arm().tool.position[2] - from[2], -0.05, 2e-4);
  EXPECT_NEAR(t.arm().tool.position[1], from[1], 1e-6);
  t.drive({0.0, 0.0, 0.1, 0.0, 0.0, 0.0}, 0.5, ToolFrame::kTool);
  t.run(300);
  EXPECT_EQ(t.arm().drive.share, 1.0);
  t.run(700);
  EXPECT_LE(t.hardest, 1.0 + 1e-4);
}

// A desk arm (few_joints.h): its yaw goes with its waist, so that it goes sideways only with it
// free.
class DeskArmTool : public ::testing::Test {
 protected:
  static constexpr double kPitch = 0.5;
  odd::TempModel file{testing::kDeskArm};
  Driven t{
      configured(file,
                 "parts: {arm: [waist, shoulder, elbow, wrist, roll]}\n"
                 "joints: {shoulder: {start: -0.9}, elbow: {start: 1.4}, wrist: {start: 0}}\n")};
};

TEST_F(DeskArmTool, HoldsTheRotationsBesideTheFreeOne) {
  const std::array<double, 3> from = t.arm().tool.position;
  for (const ToolFrame frame : {ToolFrame::kBase, ToolFrame::kWorld}) {
    t.drive({0.0, 0.05, 0.0, 0.0, 0.0, 0.0}, 1.0, frame, 0, false, FreeRotation::kZ);
    t.run(1500);
    EXPECT_NEAR(t.q[1] + t.q[2] + t.q[3], kPitch, 1e-6);
    EXPECT_NEAR(t.q[4], 0.0, 1e-6);
  }
  // v T, twice; the waist is where the tool is, by hand.
  EXPECT_NEAR(t.arm().tool.position[1] - from[1], 0.1, 1e-3);
  EXPECT_NEAR(t.arm().tool.position[0], from[0], 1e-5);
  EXPECT_NEAR(t.q[0], std::atan2(t.arm().tool.position[1], t.arm().tool.position[0]), 1e-6);
  EXPECT_LE(t.hardest, 1.0 + 1e-4);
}

// Pitch p = 0.5: about y of the tool, whose yaw is free, at 0.2 rad/s.
TEST_F(DeskArmTool, TurnsAboutWhatIsHeldAndNotAboutWhatIsFree) {
  const std::array<double, 3> from = t.arm().tool.position;
  t.drive({0.0, 0.0, 0.0, 0.0, 0.2, 0.3}, 1.0, ToolFrame::kBase, 0, false, FreeRotation::kZ);
  t.run(500);
  EXPECT_NEAR(t.arm().drive.wanted[5], 0.0, 1e-12) << "about z it isn't driven";
  EXPECT_EQ(t.arm().drive.share, 1.0);
  t.run(1000);
  EXPECT_NEAR(t.q[1] + t.q[2] + t.q[3], kPitch + 0.2, 1e-3);
  EXPECT_NEAR(t.q[0], 0.0, 1e-9);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(t.arm().tool.position[i], from[i], 1e-6) << i;
}

TEST_F(DeskArmTool, RefusesARotationBesideWhichItCantHoldTheOthersAndSaysWhichItCan) {
  // The roll turns about x of the tool alone: without it four joints are left for five rows.
  t.drive({0.0, 0.02, 0.0, 0.0, 0.0, 0.0}, 1.0, ToolFrame::kBase, 0, false, FreeRotation::kToolX);
  t.run(2);
  const std::string words = t.refusal();
  EXPECT_NE(words.find("can't hold the other two rotations of its tool with free_rotation tool_x; "
                       "give another: "),
            std::string::npos)
      << words;
  EXPECT_NE(words.find("tool_z, all"), std::string::npos) << words;
  EXPECT_EQ(words.find("none"), std::string::npos) << words;
  t.drive({0.0, 0.0, 0.0, 0.0, 0.0, 0.1}, 1.0, ToolFrame::kBase, 0, false, FreeRotation::kAll);
  t.run(2);
  EXPECT_NE(t.refusal().find("free_rotation all holds no rotation of the tool; give no angular"),
            std::string::npos)
      << t.refusal();
  EXPECT_FALSE(t.arm().drive.is_on);
}

// The SCARA's tool stands upright whatever it does: it holds its yaw while it goes.
TEST(Scara, HoldsItsYawWithNothingFree) {
  odd::TempModel file(testing::kScara);
  Driven t(configured(file,
                      "parts: {arm: [shoulder, elbow, lift, turn]}\n"
                      "joints: {shoulder: {start: -0.5}, elbow: {start: 1.2}}\n"));
  const double yaw = t.q[0] + t.q[1] + t.q[3];
  const std::array<double, 3> from = t.arm().tool.position;
  t.drive({0.0, 0.05, -0.02, 0.0, 0.0, 0.0}, 1.0);
  t.run(1500);
  EXPECT_NEAR(t.arm().tool.position[1] - from[1], 0.05, 5e-4);
  EXPECT_NEAR(t.arm().tool.position[2] - from[2], -0.02, 5e-4);
  EXPECT_NEAR(t.q[0] + t.q[1] + t.q[3], yaw, 1e-6);
  t.drive({0.0, 0.0, 0.0, 0.0, 0.0, 0.2}, 1.0);
  t.run(1500);
  EXPECT_NEAR(t.q[0] + t.q[1] + t.q[3], yaw + 0.2, 2e-3);
  EXPECT_LE(t.hardest, 1.0 + 1e-4);
}

// Each command with another free rotation, at rest and on the way, along any axes.
TEST_F(FrankaTool, ItsFreeRotationChangesOnTheWayWithoutAJump) {
  std::mt19937 engine(11);
  const auto number = [&](double most) {
    return std::uniform_real_distribution<>(-most, most)(engine);
  };
  int taken = 0;
  for (int i = 0; i < 300; ++i) {
    Six velocity{};
    const FreeRotation free = kAllFreeRotation[engine() % kAllFreeRotation.size()];
    const auto frame = static_cast<ToolFrame>(engine() % kAllToolFrame.size());
    const std::size_t axes = free == FreeRotation::kAll ? 3 : 6;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      velocity[axis] = number(axis < 3 ? 0.14 : 0.55);
    }
    t.drive(velocity, 0.01 + std::abs(number(0.4)), frame, 0, false, free);
    t.run(1 + static_cast<int>(engine() % 200));
    if (t.arm().drive.is_on) ++taken;
  }
  EXPECT_GT(taken, 100);
  EXPECT_EQ(t.refusal(), "");
  EXPECT_GT(t.fastest, 0.1) << "it moved";
  expect_smooth();
}

// The place alone: the hand turns as it must. Then all is held, and what turned comes to rest.
TEST_F(FrankaTool, HeldAgainATurnRampsDown) {
  t.drive({0.0, 0.2, 0.0, 0.0, 0.0, 0.0}, 60.0, ToolFrame::kBase, 0, false, FreeRotation::kAll);
  t.run(600);
  EXPECT_GT(size_of({0.0, 0.0, 0.0, t.arm().twist[3], t.arm().twist[4], t.arm().twist[5]}), 0.02);
  t.drive({0.0, 0.2, 0.0, 0.0, 0.0, 0.0}, 60.0);
  t.run(300);
  EXPECT_GT(t.arm().drive.share, 0.99);
  for (std::size_t axis = 3; axis < 6; ++axis) EXPECT_NEAR(t.arm().twist[axis], 0.0, 1e-3) << axis;
  expect_smooth();
}

// The right hand is driven to the end of its reach, the left one could go on: both stand, and what
// they hold stays between them.
TEST(TwoTools, ThatDriveTogetherGoByOneShare) {
  Driven t(robot_named("icub_upper_body"));
  ASSERT_GE(t.rig.stack().config().arms.size(), 2U);
  const auto place = [&](std::size_t arm) { return t.arm(arm).tool.position; };
  const std::array<double, 3> left = place(0);
  const std::array<double, 3> right = place(1);
  const Six up{0.0, 0.0, 0.05, 0.0, 0.0, 0.0};
  const Six away{-0.05, 0.0, 0.0, 0.0, 0.0, 0.0};
  for (int i = 0; i < 80; ++i) {
    t.drive(up, 0.2, ToolFrame::kBase, 0, true);
    t.drive(away, 0.2, ToolFrame::kBase, 1, true);
    t.run(100);
    EXPECT_NEAR(t.arm(0).drive.share, t.arm(1).drive.share, 1e-9) << i;
    EXPECT_NEAR(size_of(t.arm(0).drive.had), size_of(t.arm(1).drive.had), 1e-9) << i;
  }
  EXPECT_LT(t.arm(0).drive.share, 0.2) << "one of them is at its end";
  const double rose = place(0)[2] - left[2];
  EXPECT_NEAR(rose, right[0] - place(1)[0], 1e-3) << "equal ways";
  EXPECT_GT(rose, 0.02);
  // Alone the one that isn't held back goes on.
  const bool is_right = holds_back(t.arm(1).drive.held_by);
  const ArmIndex free = is_right ? 0 : 1;
  t.drive(is_right ? up : away, 0.5, ToolFrame::kBase, free);
  t.run(400);
  EXPECT_GT(t.arm(free).drive.share, 0.99);
  EXPECT_LE(t.fastest, 1.0 + 1e-6);
  EXPECT_LE(t.hardest, 1.0 + 1e-4);
}

}  // namespace
}  // namespace jointrig
