#pragma once

#include <string>
#include <vector>

#include "harness/runner/scenario.h"

namespace jointrig::app {

/// Finds scenarios by arguments: files, folders (every scenario below them), names of scenarios or
/// tags (searched below `scenarios/`). Several arguments give the union, in the order of files.
/// Throws FileError, or std::invalid_argument for a word without a scenario.
std::vector<harness::Scenario> find_scenarios(const std::vector<std::string>& what,
                                              const std::vector<std::string>& settings);

}  // namespace jointrig::app
