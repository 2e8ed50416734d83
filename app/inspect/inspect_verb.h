#pragma once
/// `jointrig inspect`: what a model has, what is wrong with it, and a robot.yaml to start from.

#include <string>
#include <vector>

namespace jointrig::app {

struct InspectOptions {
  std::string model;  ///< a robot's name, a robot.yaml, an MJCF or a URDF
  std::string write;  ///< the robot.yaml to be written; empty: none
  std::string keyframe;
  bool pin_base = false;
  bool motors = false;
  std::vector<std::string> package_path;
};

/// Returns the exit code: 0, or 1 where an error was found. Throws ModelError, FileError and
/// std::runtime_error.
int inspect_verb(const InspectOptions& options);

}  // namespace jointrig::app
