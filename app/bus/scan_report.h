#pragma once
/// What a scan found, as text, and what of it is not as robot.yaml has it. Pure.

#include <string>
#include <vector>

#include "app/bus/bus_choice.h"
#include "app/bus/node_scan.h"

namespace jointrig {

/// A table, a node a line.
[[nodiscard]] std::string scan_table(const ChosenBus& bus, const std::vector<FoundNode>& found);

/// One sentence each: numbers that several nodes have; and of a robot's bus what is missing,
/// foreign or another device than the file says.
[[nodiscard]] std::vector<std::string> scan_problems(const ChosenBus& bus,
                                                     const std::vector<FoundNode>& found);

}  // namespace jointrig
