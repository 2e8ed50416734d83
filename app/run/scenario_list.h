#pragma once

#include <string>
#include <vector>

#include "harness/runner/scenario.h"

namespace jointrig::app {

/// Scenarios that arguments name: files, folders (every .yaml below them that is a scenario), names
/// of scenarios or tags (looked for below `scenarios/`). With several, what any of them names, in
/// the order of files; each once. Throws FileError, or std::invalid_argument for a word that names
/// nothing.
std::vector<harness::Scenario> find_scenarios(const std::vector<std::string>& what,
                                              const std::vector<std::string>& settings);

}  // namespace jointrig::app
