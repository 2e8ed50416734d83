#pragma once
/// A robot on a bench: its virtual boards on modelled buses, and a backend that drives them, all in
/// this program and in a time of their own. What a run over a bus does, and does alike each time;
/// it needs no adapter and no second process.
///
/// Whatever the robot's own buses are, here they are those of a plan; only a joint's cycle is that
/// of its own bus, and joints of different cycles share none. A CANopen drive counts in the
/// steps of its joint's encoder, and its torque reaches tau_max in kTorqueSteps. A moteus servo has
/// the gains of the simulated board's own loops.

#include <deque>
#include <memory>
#include <vector>

#include "app/boards/stepped_bench.h"

namespace jointrig {

/// How a robot's joints are spread, in their order.
struct BenchPlan {
  std::size_t joints_per_bus = 8;
  std::vector<BusProtocol> buses;  ///< of the first ones; those behind them speak CANopen
  DriveConfig servo;  ///< gear, polarity and zero of every moteus servo; a slide's feed is 1 m
};

class Bench {
 public:
  static constexpr double kTorqueSteps = 30'000.0;

  /// Throws as VirtualRobot; std::invalid_argument for a joint that needs calibration on a moteus
  /// bus.
  explicit Bench(const RobotConfig& robot, const PlantOptions& options = {},
                 const BenchPlan& plan = {});
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  /// The backend on it, once; the bench outlives it.
  [[nodiscard]] std::unique_ptr<hw::HwBackend> make_backend();

  [[nodiscard]] VirtualRobot& robot() noexcept { return robot_; }

  /// The robot with the buses and drives of a bench in place of its own.
  [[nodiscard]] static RobotConfig wired(RobotConfig robot, const BenchPlan& plan = {});

 private:
  RobotConfig config_;
  VirtualRobot robot_;
  std::deque<can::SteppedBus> buses_;
  std::deque<SteppedClock> clocks_;
};

}  // namespace jointrig
