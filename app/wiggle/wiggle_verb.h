#pragma once
/// `jointrig wiggle`: the wiggle test on a robot's drives, a table, and a record of it.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "app/wiggle/wiggle_judge.h"
#include "remote/connection.h"

namespace jointrig::app {

struct WiggleVerbOptions {
  std::string robot;
  std::vector<std::string> joints;  ///< empty: all
  /// None: that of the joints whose drives are real, as the robot's file says; or all on hw.
  std::optional<BackendKind> backend;
  WiggleOptions wiggle;
  bool unattended = false;  ///< no person is asked about the motion
  std::vector<std::string> settings;
  /// As of JobOptions: the robot that is served there is tested, and `robot` is its description.
  std::function<std::unique_ptr<remote::Connection>(const std::string& name)> connect;
  bool take_over = false;  ///< the lease, also from its holder
};

/// Returns the exit code: 0 all passed, 1 one failed. Throws as Rig and WiggleTest.
int wiggle_verb(const WiggleVerbOptions& options);

}  // namespace jointrig::app
