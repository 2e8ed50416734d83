#pragma once
/// The result of a scan as text, with its differences from robot.yaml. Pure.

#include <string>
#include <vector>

#include "app/bus/bus_choice.h"
#include "app/bus/node_scan.h"

namespace jointrig::app {

/// A table, a node a line.
[[nodiscard]] std::string scan_table(const ChosenBus& bus, const std::vector<FoundNode>& found);

/// One sentence each: numbers that several nodes have; on a robot's bus also drives that are
/// missing, not in the file, or another device than the file says.
[[nodiscard]] std::vector<std::string> scan_problems(const ChosenBus& bus,
                                                     const std::vector<FoundNode>& found);

}  // namespace jointrig::app
