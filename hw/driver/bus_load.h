#pragma once
/// The load of a bus of CANopen drives in each cycle, known before the bus is opened.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hw/can/bus_budget.h"
#include "hw/driver/drive_setup.h"

namespace jointrig::hw {

/// SYNC, what each drive sends with it, and the frames of one order to each.
[[nodiscard]] std::vector<can::CyclicFrame> cyclic_frames(std::span<const DriveSettings> drives);

/// The frames among them that carry one order to each drive.
[[nodiscard]] std::vector<can::CyclicFrame> order_frames(std::span<const DriveSettings> drives);

/// Adds what so many sensors send each cycle, and SYNC if there is none yet.
void add_sensors(std::size_t sensors, std::uint32_t period_us,
                 std::vector<can::CyclicFrame>& frames);

/// Empty if the bus can carry them (hw/can/bus_budget.h), else a sentence with the load and what
/// would help.
[[nodiscard]] std::optional<std::string> why_overfull(std::string_view bus,
                                                      std::span<const DriveSettings> drives,
                                                      const can::BitRates& rates,
                                                      double budget = can::kCyclicBudget);

}  // namespace jointrig::hw
