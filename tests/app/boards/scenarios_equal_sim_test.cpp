// Whole scenarios in simulation and over the bus, compared sample by sample: every joint, every
// cycle.
//
// Those in which a loop on the position holds every joint against what the wire rounds, so that
// there is a bound (wire_resolution.h). Where none does (torque, openloop, a stream of velocities)
// what is rounded adds up with time, and where a joint sticks, or lies on a stop, the last bit
// decides when it slips: such runs part by more and are judged by their own expectations
// (scenarios_over_the_bus).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "app/run/scenario_job.h"
#include "harness/log/log_reader.h"
#include "harness/runner/scenario_reader.h"
#include "tests/app/boards/wire_resolution.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

/// The readings of every joint in every cycle.
std::vector<std::vector<double>> positions(const std::string& log) {
  std::vector<std::vector<double>> q;
  harness::LogReader(log).for_each_state([&](const RobotState& state) {
    q.emplace_back();
    for (const JointState& joint : state.joints) q.back().push_back(joint.q);
    return true;
  });
  return q;
}

std::vector<std::vector<double>> run_on(BackendKind backend, const harness::Scenario& scenario) {
  const fs::path folder = fs::path(::testing::TempDir()) / "scenarios_equal_sim" /
                          std::string(to_string(backend)) / scenario.family;
  fs::create_directories(folder);
  JobOptions options;
  options.backend = backend;
  options.folder = folder;
  const JobResult job = run_scenario(scenario, options);
  EXPECT_EQ(job.result.outcome, harness::Outcome::kPassed) << job.result.reason;
  auto q = positions(job.log_path);
  fs::remove_all(folder);
  return q;
}

class ScenarioOverTheBus : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(WhereALoopOnThePositionCloses, ScenarioOverTheBus,
                         ::testing::Values("joints/hold_under_gravity", "joints/goal_on_the_move",
                                           "joints/retarget", "joints/minimum_jerk",
                                           "joints/idle_and_caught", "joints/deprecated_names",
                                           "streaming/far_sample", "streaming/sample_rates"));

TEST_P(ScenarioOverTheBus, EverySampleOfEveryJointIsWhereSimHasItToTheResolutionOfTheWire) {
  const fs::path file = "scenarios/" + std::string(GetParam()) + ".yaml";
  for (const harness::Scenario& scenario : harness::read_scenarios(file)) {
    SCOPED_TRACE(scenario.name);
    const RobotConfig robot = robot_of(scenario, {}).config;
    const auto in_sim = run_on(BackendKind::kSim, scenario);
    const auto over_bus = run_on(BackendKind::kBoards, scenario);
    ASSERT_EQ(over_bus.size(), in_sim.size());
    ASSERT_GT(in_sim.size(), 500U);
    for (std::size_t j = 0; j < robot.joints.size(); ++j) {
      const double bound = jointrig::testing::resolution_of_the_wire(robot.joints[j]);
      std::size_t outside = 0;
      double worst = 0.0;
      for (std::size_t i = 0; i < in_sim.size(); ++i) {
        const double apart = std::abs(in_sim[i][j] - over_bus[i][j]);
        worst = std::max(worst, apart);
        outside += apart > bound ? 1 : 0;
      }
      EXPECT_EQ(outside, 0U) << robot.joints[j].name << " is up to " << worst
                             << " off, the wire resolves " << bound;
    }
  }
}

}  // namespace
}  // namespace jointrig::app
