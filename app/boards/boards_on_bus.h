#pragma once
/// Virtual boards on stepped buses: host, bus and boards in one thread with simulated time.

#include <array>

#include "app/boards/virtual_robot.h"
#include "hw/can/bus_hub.h"
#include "hw/can/stepped_bus.h"
#include "hw/driver/hw_backend.h"

namespace jointrig::app {

/// Attaches the boards of one bus as nodes, and a listener that reports each cycle to the robot
/// before a board receives the frame that opens it. `robot` and `line` outlive each other's use.
void attach(VirtualRobot& robot, std::size_t bus, can::SteppedBus& line);

/// Attaches them to a bus that other programs use.
void attach(VirtualRobot& robot, std::size_t bus, can::BusHub& hub);

/// The clock of a stepped bus, for a host with a link to it.
class SteppedClock final : public hw::BusClock {
 public:
  explicit SteppedClock(can::SteppedBus& line) noexcept : line_(&line) {}
  [[nodiscard]] std::int64_t now() const noexcept override { return line_->now(); }
  void sleep_until(std::int64_t time) const noexcept override { line_->run_until(time); }

 private:
  can::SteppedBus* line_;
};

}  // namespace jointrig::app
