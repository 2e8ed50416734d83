// The scenarios of the arm, run on a robot whose joints are on buses of two natures: CiA 402 drives
// over CANopen and moteus servos.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "app/run/scenario_job.h"
#include "harness/runner/scenario_reader.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

/// Servos up to the elbow, drives from there to the hand.
BusPlan mixed() {
  BusPlan plan;
  plan.joints_per_bus = 4;
  plan.buses = {BusProtocol::kMoteus, BusProtocol::kCanopen};
  plan.servo.gear = 1.5;
  plan.servo.reversed = true;
  plan.servo.zero_counts = 0.25;
  return plan;
}

/// Three unlike drives: servos on CAN, servos on a serial line, CiA 402 drives.
BusPlan of_three() {
  BusPlan plan = mixed();
  plan.joints_per_bus = 3;
  plan.buses = {BusProtocol::kMoteus, BusProtocol::kDynamixel, BusProtocol::kCanopen};
  return plan;
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class MixedRobot : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Folders, MixedRobot,
                         testing::Values("scenarios/joints", "scenarios/streaming",
                                         "scenarios/payload"));

TEST_P(MixedRobot, PassesTheScenariosAsInSimulation) {
  JobOptions options;
  options.backend = BackendKind::kBoards;
  options.bus_plan = mixed();
  int passed = 0;
  for (const fs::path& file : files_of(GetParam())) {
    for (const harness::Scenario& scenario : harness::read_scenarios(file)) {
      const harness::Result result = run_scenario(scenario, options).result;
      EXPECT_EQ(result.backend, "hw");
      EXPECT_EQ(result.outcome, harness::Outcome::kPassed)
          << scenario.name << ": " << result.reason;
      passed += result.outcome == harness::Outcome::kPassed ? 1 : 0;
    }
  }
  EXPECT_GE(passed, 3);
}

TEST(MixedRobot, OfThreeUnlikeDrivesPassesTheScenariosOfJointsThatNeedNoDutyCycle) {
  JobOptions options;
  options.backend = BackendKind::kBoards;
  options.bus_plan = of_three();
  int passed = 0;
  for (const fs::path& file : files_of("scenarios/joints")) {
    for (const harness::Scenario& scenario : harness::read_scenarios(file)) {
      const harness::Result result = run_scenario(scenario, options).result;
      if (result.outcome == harness::Outcome::kSkipped) {
        EXPECT_NE(result.reason.find("takes no duty cycle"), std::string::npos) << result.reason;
        continue;
      }
      EXPECT_EQ(result.outcome, harness::Outcome::kPassed)
          << scenario.name << ": " << result.reason;
      passed += result.outcome == harness::Outcome::kPassed ? 1 : 0;
    }
  }
  EXPECT_GE(passed, 20);
}

TEST(MixedRobot, TwoRunsAreEqualToTheBit) {
  JobOptions options;
  options.backend = BackendKind::kBoards;
  options.bus_plan = mixed();
  const harness::Scenario scenario =
      harness::read_scenarios("scenarios/joints/mixed_mode.yaml").front();
  const JobResult one = run_scenario(scenario, options);
  const JobResult other = run_scenario(scenario, options);
  EXPECT_FALSE(one.hashes.empty());
  EXPECT_EQ(one.hashes, other.hashes);
}

}  // namespace
}  // namespace jointrig::app
