#pragma once
/// One scenario from its file to its result: robot, plant, stack, log, judge. Runs in one thread of
/// its own and shares nothing with others, so that jobs run side by side to the same bits.

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/rig/rig.h"
#include "app/run/onlooker.h"
#include "control/stack/loop_statistics.h"
#include "harness/runner/result.h"
#include "harness/runner/scenario.h"
#include "remote/connection.h"

namespace jointrig::app {

/// Prefix of `--set` paths for robot.yaml.
inline constexpr std::string_view kRobotPrefix = "robot.";

/// Settings of a command line, by the file that they are of.
struct Settings {
  std::vector<std::string> scenario;
  std::vector<std::string> robot;  ///< without the prefix
};
Settings split_settings(const std::vector<std::string>& settings);

struct JobOptions {
  std::optional<BackendKind> backend;     ///< none: the robot's
  BusPlan bus_plan{.own_buses = true};    ///< for backend boards
  std::string robot;                      ///< replaces the scenario's; empty: the scenario's
  bool pin_base = false;                  ///< fixes a floating base
  bool motors = false;                    ///< a motor at each joint without an actuator
  std::vector<std::string> package_path;  ///< of a URDF's meshes; empty: robot.yaml's
  std::vector<std::string>
      robot_settings;  ///< `path=value` for robot.yaml, from `--set robot.path=value`
  std::optional<std::uint64_t> seed;  ///< replaces the scenario's
  std::filesystem::path folder;       ///< for log and effective.yaml; empty: none are written
  bool realtime = false;              ///< paced to the wall clock
  double real_time_factor = 1.0;
  bool wiggle_check = true;
  std::optional<double> speed_override = std::nullopt;  ///< initial factor; none: as Rig sets it
  double spin_us = 0.0;                                 ///< lead of the wake-up, for spinning
  std::optional<int> core;
  std::atomic<bool>* interrupted = nullptr;  ///< set: the run ends
  /// Called about ten times a second of the wall clock, with the progress.
  std::function<void(const std::string& progress, double sim_time)> on_progress;
  /// Makes one for a run in real time, before it begins; the rig outlives it. Throws. Empty: nobody
  /// looks on.
  std::function<std::unique_ptr<Onlooker>(Rig& rig, const std::string& scenario)> onlooker;
  /// Connects to a robot that another program serves, in place of a rig here (connected_job.h).
  /// Throws std::exception with a sentence. Empty: the robot is made here.
  std::function<std::unique_ptr<remote::Connection>(const std::string& name)> connect;
  bool take_over = false;  ///< with `connect`: the lease, also from its holder
};

struct JobResult {
  harness::Result result;
  std::string effective_yaml;
  std::string log_path;     ///< empty: no log was written
  bool log_failed = false;  ///< it ends early: a full disk, or another error
  std::optional<LoopSummary> loop;
  std::vector<std::uint64_t> hashes;  ///< state hashes: each second of robot time, and the end
  std::vector<std::string> remarks;   ///< real-time set-up, log trouble
  std::vector<std::string>
      robot_remarks;  ///< the same in each run of its robot; each names the robot
};

/// The robot's files of a scenario, with the changes of scenario and command line. Throws
/// FileError.
harness::RobotSource robot_source_of(const harness::Scenario& scenario, const JobOptions& options);

/// The robot of a scenario, with the changes of scenario and command line. Throws FileError or
/// ModelError.
Discovery robot_of(const harness::Scenario& scenario, const JobOptions& options);

/// Options of the plant for a scenario: its obstacles, and the bodies of its payloads. Throws
/// BadAction.
sim::PlantOptions plant_options_of(const harness::Scenario& scenario);

/// The result of a scenario that did not begin.
[[nodiscard]] harness::Result could_not_run(const harness::Scenario& scenario,
                                            const std::string& why);

/// Removes the log of a run that passed, and leaves no trace of it in the results. One that is
/// incomplete stays: it is told of by name.
void drop_log_if_passed(JobResult& job);

/// Never throws: an error becomes the result.
JobResult run_scenario(const harness::Scenario& scenario, const JobOptions& options);

/// Binds a scenario to its robot without running it: names of joints, parts, poses, signals, bodies
/// and faults, units. Passed, skipped or could not run. Never throws.
JobResult check_scenario(const harness::Scenario& scenario, const JobOptions& options);

}  // namespace jointrig::app
