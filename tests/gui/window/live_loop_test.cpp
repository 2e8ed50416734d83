#include "app/gui/live_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "control/exchange/robot_client.h"
#include "harness/config/joint_names.h"

namespace jointrig::gui {
namespace {

struct LiveLoopTest : ::testing::Test {
  LiveLoopTest() : config(franka()), loop(config, BackendKind::kSim) {
    loop.start({.priority = 0, .lock_memory = false});
  }
  /// Joints that are off fall on their stops, which is a contact.
  static RobotConfig franka() {
    RobotConfig robot = app::load_robot(harness::find_robot("franka")).config;
    robot.detection->on = false;
    return robot;
  }

  /// Takes rows from the ring until a condition is true; returns false after a minute.
  bool wait_for(const std::function<bool()>& is_so) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      drain();
      if (is_so()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
  void drain() {
    while (loop.ring().pop([this](const TraceRow& row) {
      if (seen > 0 && loop.ring().dropped() == 0) {
        EXPECT_EQ(row.cycle, last_cycle + 1);
      }
      last_cycle = row.cycle;
      ++seen;
    })) {
    }
    loop.newest(snapshot);
  }
  /// Until a pause has reached the loop: nothing more comes.
  void wait_for_standstill() {
    constexpr int kLooks =
        10;  // of one alone the loop's thread may not have been let run meanwhile
    for (int looks = 0; looks < kLooks; ++looks) {
      drain();
      const std::uint64_t last = seen;
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      drain();
      if (seen != last) looks = -1;
    }
  }

  RobotConfig config;
  app::LiveLoop loop;
  Snapshot snapshot;
  std::uint64_t seen = 0;
  std::uint64_t last_cycle = 0;
};

TEST_F(LiveLoopTest, GivesEveryCycleInOrder) {
  EXPECT_TRUE(wait_for([&] { return seen > 200; }));
}

TEST_F(LiveLoopTest, StandsStillWhilePausedAndStepsByTheCycle) {
  ASSERT_TRUE(wait_for([&] { return seen > 10; }));
  loop.pause(true);
  wait_for_standstill();
  const std::uint64_t cycle = snapshot.cycle;
  loop.step(3);
  ASSERT_TRUE(wait_for([&] { return snapshot.cycle == cycle + 3; }));
  wait_for_standstill();
  EXPECT_EQ(snapshot.cycle, cycle + 3);
  loop.pause(false);
  EXPECT_TRUE(wait_for([&] { return snapshot.cycle > cycle + 50; }));
}

TEST_F(LiveLoopTest, AnInjectedFaultIsFoundAndOnceItEndsForceIdleClearsIt) {
  RobotClient client(loop.rig().stack().config(), loop.rig().stack().inbox(), "test");
  const std::vector<std::string> types = loop.fault_types(2);
  const auto hot = std::find(types.begin(), types.end(), "over_temperature");
  ASSERT_NE(hot, types.end());
  ASSERT_TRUE(wait_for([&] { return seen > 10; }));
  loop.inject(2, static_cast<std::size_t>(hot - types.begin()));
  ASSERT_TRUE(wait_for([&] { return snapshot.joints[2].mode == JointMode::kHwFault; }));
  EXPECT_EQ(snapshot.joints[2].fault.code, FaultCode::kOverTemperature);
  EXPECT_NE(snapshot.joints[1].mode, JointMode::kHwFault);
  loop.end_faults(2);
  EXPECT_TRUE(wait_for([&] {
    client.set_mode(JointSet{}.set(2), ModeRequest::kForceIdle);
    return snapshot.joints[2].mode == JointMode::kIdle;
  }));
}

TEST_F(LiveLoopTest, ManyFaultsEndedWhilePausedKeepNobodyWaiting) {
  loop.pause(true);
  for (int i = 0; i < 1000; ++i) loop.end_faults(0);
  loop.pause(false);
  EXPECT_TRUE(wait_for([&] { return seen > 10; }));
}

TEST_F(LiveLoopTest, AWindowThatFreezesLeavesItsStreamToTheTimeoutAndTheLoopGoesOn) {
  constexpr JointIndex kJoint = 3;
  RobotClient client(loop.rig().stack().config(), loop.rig().stack().inbox(), "window");
  const auto stream = [&] { client.send<StreamVelocity>({{kJoint, {0.2}}}); };
  ASSERT_TRUE(wait_for([&] { return seen > 10; }));
  client.set_mode(JointSet{}.set(kJoint), ModeRequest::kVelocity);
  ASSERT_TRUE(wait_for([&] {
    stream();
    return snapshot.joints[kJoint].state.v > 0.1 && !snapshot.joints[kJoint].timed_out;
  }));
  const std::uint64_t froze = snapshot.cycle;

  // The window's thread stands still for 5 s of the robot's time: takes nothing, sends nothing.
  loop.set_speed(20.0);
  const std::uint64_t before = loop.ring().dropped();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (loop.ring().dropped() < before + 5000 - loop.ring().capacity() &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  ASSERT_TRUE(wait_for([&] { return snapshot.cycle >= froze + 5000; }));
  const JointSnapshot& joint = snapshot.joints[kJoint];
  EXPECT_TRUE(joint.timed_out);
  EXPECT_EQ(joint.mode, JointMode::kPosition);
  EXPECT_FALSE(joint.fault);
  EXPECT_EQ(joint.reference.v, 0.0) << "its reaction is to hold";
  // The other joints are off: the arm still swings on this one.
  EXPECT_NEAR(joint.state.v, 0.0, 0.02);
  const std::uint64_t cycle = snapshot.cycle;
  EXPECT_TRUE(wait_for([&] { return snapshot.cycle > cycle + 100; }));
  client.set_mode(JointSet{}.set(kJoint), ModeRequest::kVelocity);
  EXPECT_TRUE(wait_for([&] {
    stream();
    return snapshot.joints[kJoint].state.v > 0.1;
  })) << "and a window that is back asks for the mode and streams again";
}

TEST_F(LiveLoopTest, APushOfAWindowThatFreezesIsLetGo) {
  RobotClient client(loop.rig().stack().config(), loop.rig().stack().inbox(), "window");
  JointSet all;
  for (std::size_t i = 0; i < config.joints.size(); ++i) all.set(i);
  ASSERT_TRUE(wait_for([&] { return seen > 10; }));
  client.set_mode(all, ModeRequest::kPosition);
  const auto worst_error = [&] {
    double worst = 0.0;
    for (const JointSnapshot& joint : snapshot.joints) {
      if (joint.mode != JointMode::kPosition) continue;
      worst = std::max(worst, std::abs(joint.reference.q - joint.state.q));
    }
    return worst;
  };
  ASSERT_TRUE(wait_for(
      [&] { return snapshot.joints[0].mode == JointMode::kPosition && worst_error() < 5e-4; }));
  const int hand = mj_name2id(&loop.rig().plant()->model(), mjOBJ_BODY, "panda_hand");
  ASSERT_GT(hand, 0);
  EXPECT_TRUE(wait_for([&] {
    loop.push({.body = hand, .point = {}, .target = {3.0, 0.0, 3.0}, .stiffness = 500.0});
    return worst_error() > 3e-3;
  })) << "the hand is felt";
  // 3 m away, 500 N/m pull with all that a hand has.
  const std::array<double, 3> pull = loop.world()->pull;
  EXPECT_NEAR(std::hypot(pull[0], pull[1], pull[2]), sim::PushSpring::kMostForce, 1e-6);
  EXPECT_TRUE(wait_for([&] { return worst_error() < 5e-4; })) << "nobody says so any more";
  EXPECT_TRUE(wait_for([&] { return loop.world()->pull == std::array<double, 3>{}; }));
}

TEST_F(LiveLoopTest, TellsWhereTheWorldIs) {
  ASSERT_TRUE(wait_for([&] { return loop.world() != nullptr; }));
  EXPECT_EQ(loop.world()->qpos.size(), static_cast<std::size_t>(loop.rig().plant()->model().nq));
}

TEST_F(LiveLoopTest, RunsARobotOfPartsAsItsFileSaysAndFaultsAreForJointsOfThePhysics) {
  for (JointConfig& joint : config.joints) {
    if (joint.name.starts_with("panda_finger")) joint.backend = BackendKind::kKinematic;
  }
  const JointIndex finger = harness::joint_index(config, "panda_finger_joint1");
  app::LiveLoop split(config, std::nullopt);
  EXPECT_EQ(split.panel_robot().backend, "sim+kinematic");
  EXPECT_FALSE(split.fault_types(0).empty());
  EXPECT_TRUE(split.fault_types(finger).empty());
  split.inject(finger, 0);
  split.end_faults(finger);
  split.start({.priority = 0, .lock_memory = false});
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  Snapshot last;
  while (last.cycle < 20 && std::chrono::steady_clock::now() < end) split.newest(last);
  EXPECT_GE(last.cycle, 20U);
}

TEST_F(LiveLoopTest, ABackendWithoutAClockIsRefusedWithOnesThatHaveOne) {
  try {
    const app::LiveLoop refused(config, BackendKind::kBoards);
    ADD_FAILURE() << "opened";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("`--backend sim`"), std::string::npos);
  }
}

TEST_F(LiveLoopTest, EndsThoughItIsPaused) { loop.pause(true); }

}  // namespace
}  // namespace jointrig::gui
