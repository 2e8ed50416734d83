#include "app/board/virtual_robot.h"

#include <algorithm>

#include "sim/board/random.h"

namespace jointrig {

VirtualRobot::VirtualRobot(const RobotConfig& robot, const std::vector<VirtualSeat>& seats,
                           const PlantOptions& options, const VirtualRobotOptions& pace)
    : seats_(seats), pace_(pace), plant_(robot, options) {
  const double period = to_seconds(robot.period_ns);
  boards_.reserve(robot.joints.size());
  std::size_t buses = 0;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    boards_.emplace_back(make_board_spec(robot.joints[i], robot.plant, period),
                         seed_of(robot.plant.seed, i));
    drives_.emplace_back(seats_.at(i).drive, boards_[i]);
    buses = std::max(buses, seats_[i].bus + 1);
  }
  syncs_.assign(buses, 0);
}

void VirtualRobot::power_on(std::int64_t now) noexcept {
  for (std::size_t i = 0; i < boards_.size(); ++i) {
    boards_[i].power_on(plant_.joint(i));
    drives_[i].node().power_on(now);
  }
}

void VirtualRobot::on_sync(std::size_t bus) noexcept {
  if (++syncs_[bus] > cycles_ && !pace_.free_running) advance();
}

void VirtualRobot::on_period() noexcept {
  for (std::uint64_t& count : syncs_) ++count;
  advance();
}

std::uint64_t VirtualRobot::hash() const noexcept {
  StateHash hash;
  plant_.add_to(hash);
  for (const SimBoard& board : boards_) board.add_to(hash);
  hash.add(cycles_);
  return hash.value();
}

bool VirtualRobot::is_held() const noexcept {
  return std::none_of(drives_.begin(), drives_.end(),
                      [](const VirtualDrive& drive) { return drive.is_released(); });
}

/// From one SYNC to the next. The first one finds the robot where it starts.
void VirtualRobot::advance() noexcept {
  const bool first = cycles_++ == 0;
  if (first) return;
  for (std::size_t i = 0; i < boards_.size(); ++i) {
    drives_[i].on_period();
    if (drives_[i].take_power_cycle()) boards_[i].power_on(plant_.joint(i));
    plant_.set_torque(i, boards_[i].act(&drives_[i].setpoint()));
    plant_.set_added_friction(i, boards_[i].added_friction());
  }
  if (is_held()) {
    plant_.stand_still();
  } else {
    plant_.step();
  }
  for (std::size_t i = 0; i < boards_.size(); ++i) boards_[i].sense(plant_.joint(i));
}

}  // namespace jointrig
