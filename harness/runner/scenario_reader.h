#pragma once
/// Scenario files to scenarios: one for each variation of the file's matrix.
///
/// Strict: a key outside the schema is an error with file, line, column and the nearest known word.
/// Names that need the robot (joints, signals, bodies) are checked when a run is made (runner.h).

#include <filesystem>
#include <string>
#include <vector>

#include "harness/runner/scenario.h"

namespace jointrig::harness {

/// @param settings `path=value`, as in `--set`: any key of the file, `parameters.payload=2 kg`
/// Throws FileError.
std::vector<Scenario> read_scenarios(const std::filesystem::path& file,
                                     const std::vector<std::string>& settings = {});

/// Reads scenarios from a document.
std::vector<Scenario> read_scenarios(const YamlNode& document, const std::filesystem::path& file,
                                     const std::vector<std::string>& settings = {});

}  // namespace jointrig::harness
