#pragma once
/// Facts of a robot's configuration for Python.

#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "control/exchange/parameter_exchange.h"
#include "python/bindings.h"

namespace jointrig::python {

template <typename Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const Named& one : all) names.push_back(one.name);
  return names;
}

/// Names of the joints of each part.
[[nodiscard]] nb::dict parts_of(const RobotConfig& config);
/// Joint and position of each named pose.
[[nodiscard]] nb::dict poses_of(const RobotConfig& config);
/// A number of each joint's limits, by name.
[[nodiscard]] nb::dict limits_of(const RobotConfig& config);

/// Of each parameter, by its name, an array over the joints.
[[nodiscard]] nb::dict dict_of(const ParameterTable& parameters);

}  // namespace jointrig::python
