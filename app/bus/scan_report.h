#pragma once
/// The result of a scan as text, with its differences from robot.yaml. Pure.

#include <string>
#include <vector>

#include "app/bus/bus_choice.h"
#include "app/bus/node_scan.h"

namespace jointrig::app {

/// A table with one line per node.
[[nodiscard]] std::string scan_table(const ChosenBus& bus, const std::vector<FoundNode>& found);

/// One sentence per problem: numbers used by several nodes; on a robot's bus also missing drives,
/// drives that are not in the file, and devices that differ from the file.
[[nodiscard]] std::vector<std::string> scan_problems(const ChosenBus& bus,
                                                     const std::vector<FoundNode>& found);

}  // namespace jointrig::app
