#pragma once
/// Backend `boards`: a robot's virtual boards on modelled buses, and their driver, all in this
/// program and in simulated time. It is equivalent to a run over a bus, reproducible, and needs no
/// adapter and no second process.
///
/// With BusPlan::own_buses the buses and drives are those of robot.yaml, if it has a drive for each
/// joint and one of them is no board of the project. Else they come from the plan, except that a
/// joint keeps the cycle of its own bus and the layout of its drive; joints with different cycles
/// share no bus. A CANopen drive of the plan counts in the steps of its joint's encoder, and its
/// torque reaches tau_max in kTorqueSteps. A moteus servo has the gains of the simulated board's
/// own loops. A sensor for which robot.yaml names no node has a bus of its own.

#include <deque>
#include <memory>
#include <vector>

#include "app/boards/boards_on_bus.h"

namespace jointrig::app {

/// Distribution of a robot's joints over modelled buses, in their order.
struct BusPlan {
  std::size_t joints_per_bus = 8;
  std::vector<BusProtocol> buses = {};  ///< protocols of the first buses; the others speak CANopen
  bool own_buses = false;               ///< robot.yaml's, if it has drives of other makes
  DriveConfig servo = {};  ///< gear, polarity and zero of every moteus servo; a slide's feed is 1 m
};

class LocalBoards {
 public:
  static constexpr double kTorqueSteps = 30'000.0;

  /// Throws as VirtualRobot; std::invalid_argument for a joint that needs calibration on a moteus
  /// bus, and for the first of wiring_problems() of the robot's own buses.
  explicit LocalBoards(const RobotConfig& robot, const sim::PlantOptions& options = {},
                       const BusPlan& plan = {});
  LocalBoards(const LocalBoards&) = delete;
  LocalBoards& operator=(const LocalBoards&) = delete;

  /// The backend for these boards, made once; these boards outlive it.
  [[nodiscard]] std::unique_ptr<hw::HwBackend> make_backend();

  [[nodiscard]] VirtualRobot& robot() noexcept { return robot_; }
  [[nodiscard]] const VirtualRobot& robot() const noexcept { return robot_; }

  /// The robot with the plan's buses and drives in place of its own, or with its own.
  [[nodiscard]] static RobotConfig wired(RobotConfig robot, const BusPlan& plan = {});

 private:
  RobotConfig config_;
  VirtualRobot robot_;
  std::deque<can::SteppedBus> buses_;
  std::deque<SteppedClock> clocks_;
};

}  // namespace jointrig::app
