#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/config/file_error.h"
#include "harness/runner/scenario.h"

namespace jointrig::app {

/// Finds scenarios by arguments: files, folders (every scenario below them, but for those that runs
/// wrote beside their logs), names of scenarios, tags, or patterns of both with * and ? (searched
/// below the nearest folder `scenarios` here or above, else the program's own). Several arguments
/// give the union, in the order of files.
/// Throws FileError, or std::invalid_argument for a word without a scenario.
std::vector<harness::Scenario> find_scenarios(const std::vector<std::string>& what,
                                              const std::vector<std::string>& settings);

/// Every scenario of that folder; files that can't be read become problems.
std::vector<harness::Scenario> all_scenarios(harness::Problems& problems);

/// True if the text is that of the pattern, where * stands for any characters and ? for one.
bool fits_pattern(std::string_view pattern, std::string_view text) noexcept;

}  // namespace jointrig::app
