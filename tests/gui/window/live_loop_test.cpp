#include "app/gui/live_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "control/exchange/robot_client.h"

namespace jointrig {
namespace {

struct LiveLoopTest : ::testing::Test {
  LiveLoopTest()
      : config(load_robot(find_robot("franka")).config), loop(config, BackendKind::kSim) {
    loop.start({.priority = 0, .lock_memory = false});
  }

  /// Takes what the ring brings until something is so; false if it isn't within 20 s.
  bool wait_for(const std::function<bool()>& is_so) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < end) {
      drain();
      if (is_so()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
  void drain() {
    Snapshot next;
    while (loop.ring().pop(next)) {
      if (seen > 0 && loop.ring().dropped() == 0) {
        EXPECT_EQ(next.cycle, snapshot.cycle + 1);
      }
      snapshot = next;
      ++seen;
    }
  }
  /// Until a pause has reached the loop: nothing more comes.
  void wait_for_standstill() {
    std::uint64_t last = 0;
    do {
      drain();
      last = seen;
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      drain();
    } while (seen != last);
  }

  RobotConfig config;
  LiveLoop loop;
  Snapshot snapshot;
  std::uint64_t seen = 0;
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
  const std::vector<std::string> types = loop.fault_types();
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

TEST_F(LiveLoopTest, EndsThoughItIsPaused) { loop.pause(true); }

}  // namespace
}  // namespace jointrig
