// Plans of a served robot, while its loop may be anywhere.

#include "app/serve/served_planner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "app/rig/rig.h"
#include "app/rig/robot_loading.h"
#include "harness/config/robot_file.h"

namespace jointrig::app {
namespace {

using namespace std::chrono_literals;

class ServedPlans : public testing::Test {
 protected:
  ServedPlans() { rig.start(); }

  /// The first joint goes 0.1 rad on.
  [[nodiscard]] static remote::Trajectory a_way() {
    remote::Trajectory way;
    way.joints.set(0);
    AskedWaypoint& to = way.waypoints.emplace_back();
    to.q = {0.1};
    return way;
  }

  Rig rig{load_robot(harness::find_robot("franka")).config, {}};
  ServedPlanner planner{rig.stack(), rig.loop().exchange()};
};

// Nobody has asked for a state before, and the loop stands for a while: there is none at first.
TEST_F(ServedPlans, APlanWaitsForTheFirstStateOfTheLoop) {
  std::atomic<bool> is_over{false};
  std::thread loop([&] {
    std::this_thread::sleep_for(100ms);
    while (!is_over.load()) {
      rig.loop().step();
      std::this_thread::sleep_for(1ms);
    }
  });
  FollowPlan command{};
  EXPECT_NO_THROW(command = planner.plan(a_way(), [] { return true; }).command);
  is_over.store(true);
  loop.join();
  EXPECT_NE(command.round, 0U) << "a plan waits for this ticket";
}

TEST_F(ServedPlans, ALoopThatStandsForASecondIsTold) {
  try {
    static_cast<void>(planner.plan(a_way(), [] { return true; }));
    FAIL() << "planned from no state";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the loop doesn't run");
  }
}

}  // namespace
}  // namespace jointrig::app
