#pragma once
/// Virtual boards on stepped buses: host, bus and boards in one thread and a time of their own.

#include <array>

#include "app/boards/virtual_robot.h"
#include "hw/can/bus_hub.h"
#include "hw/can/stepped_bus.h"
#include "hw/driver/hw_backend.h"

namespace jointrig::app {

/// Puts the boards of one bus on it, each a node, and a listener that tells the robot of each cycle
/// before any of them hears what opens it. `robot` and `line` outlive each other's use.
void attach(VirtualRobot& robot, std::size_t bus, can::SteppedBus& line);

/// The same on a bus that other programs use.
void attach(VirtualRobot& robot, std::size_t bus, can::BusHub& hub);

/// The time of a stepped bus, for a host that has a link to it.
class SteppedClock final : public hw::BusClock {
 public:
  explicit SteppedClock(can::SteppedBus& line) noexcept : line_(&line) {}
  [[nodiscard]] std::int64_t now() const noexcept override { return line_->now(); }
  void sleep_until(std::int64_t time) const noexcept override { line_->run_until(time); }

 private:
  can::SteppedBus* line_;
};

}  // namespace jointrig::app
