#pragma once
/// `jointrig inspect`: what a model has, what is wrong with it, and a robot.yaml to start from.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "remote/connection.h"

namespace jointrig::app {

struct InspectOptions {
  /// A robot's name, a robot.yaml, an MJCF or a URDF; with `connect` the name of the robot that has
  /// to be served there, or empty.
  std::string model;
  std::string write;  ///< the robot.yaml to be written; empty: none
  std::string keyframe;
  bool pin_base = false;
  bool motors = false;
  std::vector<std::string> package_path;
  /// Set: the robot that is served there, as the server tells of it. Throws std::exception with a
  /// sentence.
  std::function<std::unique_ptr<remote::Connection>(const std::string& name)> connect;
  std::string address;  ///< of it, for people
};

/// Returns the exit code: 0, or 1 where an error was found. Throws ModelError, FileError and
/// std::runtime_error.
int inspect_verb(const InspectOptions& options);

}  // namespace jointrig::app
