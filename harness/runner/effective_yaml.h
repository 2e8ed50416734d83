#pragma once

#include <string>

#include "harness/runner/scenario.h"

namespace jointrig::harness {

/// The scenario with all defaults written out, parameters replaced, repeats and includes expanded:
/// a record of the run that does not depend on later defaults. It is a scenario file that reads
/// back as the same run. A robot or scene given by a path keeps its text: put the file beside the
/// original one.
std::string to_yaml(const Scenario& scenario);

/// A step in one line: `message: {kind: go_home, id: 3, ...}`, without what a message need not say.
std::string in_one_line(const MessageStep& step);
/// `force: {body: hand, ...}`
std::string in_one_line(const ActionStep& step);

}  // namespace jointrig::harness
