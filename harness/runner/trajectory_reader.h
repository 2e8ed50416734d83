#pragma once

#include "harness/config/yaml_document.h"
#include "harness/runner/scenario.h"

namespace jointrig::harness {

/// Reads a trajectory. Throws FileError.
TrajectoryStep read_trajectory(const YamlNode& node);

}  // namespace jointrig::harness
