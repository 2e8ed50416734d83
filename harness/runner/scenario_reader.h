#pragma once
/// Scenario files to scenarios: one for each variation of the file's matrix.
///
/// Strict: what the schema doesn't have is an error with file, line, column and the nearest right
/// word. What needs the robot (joints, signals, bodies) is checked when a run is made (runner.h).

#include <filesystem>
#include <string>
#include <vector>

#include "harness/runner/scenario.h"

namespace jointrig::harness {

/// @param settings  `path=value`, as of `--set`: any key of the file, `parameters.payload=2 kg`
/// Throws FileError.
std::vector<Scenario> read_scenarios(const std::filesystem::path& file,
                                     const std::vector<std::string>& settings = {});

/// The same of a document already read.
std::vector<Scenario> read_scenarios(const YamlNode& document, const std::filesystem::path& file,
                                     const std::vector<std::string>& settings = {});

}  // namespace jointrig::harness
