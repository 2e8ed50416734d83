#pragma once

#include <string>

#include "harness/runner/scenario.h"

namespace jointrig::harness {

/// The scenario with all defaults written out, parameters put in, repeats and includes written out:
/// what was run, whatever defaults may become. It is a scenario file that reads back as the same
/// run. A robot or scene given by a path keeps its words: put the file beside the one it was made
/// from.
std::string to_yaml(const Scenario& scenario);

}  // namespace jointrig::harness
