#pragma once
/// A discovery in words: what `jointrig inspect MODEL` prints and writes.

#include <string>
#include <string_view>

#include "control/discovery/discovery.h"

namespace jointrig {

/// Tables of the joints and a list of findings, errors first, at most 100 columns wide unless names
/// are longer. Angles are in degrees and marked so; all else is SI.
std::string describe(const Discovery& discovery);

/// A commented robot.yaml to start from: parts and poses, estimates to be checked, and the numbers
/// found in comments. `model` is what it says of the MJCF: a path relative to where the file will
/// stand.
std::string starting_robot_yaml(const Discovery& discovery, std::string_view model);

}  // namespace jointrig
