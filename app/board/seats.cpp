#include "app/board/seats.h"

#include "app/hw/wiring.h"

namespace jointrig {

std::vector<VirtualSeat> seats_of(const RobotConfig& robot, std::uint32_t bench_token) {
  std::vector<VirtualSeat> seats(robot.joints.size());
  const auto by_bus = joints_by_bus(robot);
  for (std::size_t bus = 0; bus < by_bus.size(); ++bus) {
    for (const std::size_t joint : by_bus[bus]) {
      const JointConfig& config = robot.joints[joint];
      VirtualSeat& seat = seats[joint];
      seat.bus = bus;
      seat.drive.node = static_cast<std::uint8_t>(config.drive.node);
      seat.drive.serial = config.drive.serial.value_or(static_cast<std::uint32_t>(joint + 1));
      seat.drive.bench_token = bench_token;
      seat.drive.facts = facts_of(config.drive);
      seat.drive.slide = config.slide;
      seat.drive.stop_deceleration = config.limits.a_max;
    }
  }
  return seats;
}

}  // namespace jointrig
