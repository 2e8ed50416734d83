#pragma once
/// `jointrig run`: scenarios in, verdicts, logs and a report out.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "app/run/onlooker.h"
#include "remote/connection.h"

namespace jointrig::app {

struct RunOptions {
  std::vector<std::string> what;       ///< scenario files, folders, or tags
  std::optional<BackendKind> backend;  ///< none: each robot's own
  std::string robot;
  bool pin_base = false;
  bool motors = false;                    ///< a motor at each joint without an actuator
  std::vector<std::string> package_path;  ///< of a URDF's meshes; empty: robot.yaml's
  int jobs = 1;
  int repeat = 1;
  bool check_hash = false;
  std::filesystem::path out;        ///< empty: runs/<date-time>; "-": nothing is written
  bool overwrite = false;           ///< results of an earlier run in `out`
  bool last_failed = false;         ///< only what did not pass in the newest run below runs/
  std::filesystem::path failed_in;  ///< only what did not pass in this run's folder; empty: all
  std::filesystem::path junit;      ///< besides the one in `out`
  bool report = true;
  bool keep_passed_logs = true;  ///< else the log of a run that passed is removed after its verdict
  std::vector<std::string> settings;  ///< `path=value`; `robot.…` goes to the robot's
  std::optional<std::uint64_t> seed;
  bool list = false;
  bool dry_run = false;
  bool verbose = false;
  bool realtime = false;
  double real_time_factor = 1.0;
  double spin_us = 0.0;
  std::optional<int> core;
  bool wiggle_check = true;
  std::optional<double> speed_override;  ///< none: as Rig sets it
  /// As JobOptions::onlooker. Its text (any thread) is a line above the progress.
  std::function<std::unique_ptr<Onlooker>(Rig& rig, const std::string& scenario,
                                          const std::function<void(const std::string&)>& tell)>
      onlooker;
  /// As JobOptions::connect and take_over.
  std::function<std::unique_ptr<remote::Connection>(const std::string& name)> connect;
  bool take_over = false;
};

/// Returns the exit code: 0 passed, 1 an expectation failed, 2 could not run, 3 safety stop or
/// unexpected fault, 4 time-out, 5 not deterministic, 77 all skipped, 130 interrupted.
int run_verb(const RunOptions& options);

}  // namespace jointrig::app
