#pragma once
/// A robot on a bench: its virtual boards on modelled buses, and a backend that drives them, all in
/// this program and in a time of their own. What a run over a bus does, and does alike each time;
/// it needs no adapter and no second process.
///
/// Whatever the robot's own buses are, here eight joints share one. A drive counts in the steps of
/// its joint's encoder, and its torque reaches tau_max in kTorqueSteps.

#include <deque>
#include <memory>

#include "app/board/stepped_bench.h"

namespace jointrig {

class Bench {
 public:
  static constexpr std::size_t kJointsPerBus = 8;
  static constexpr double kTorqueSteps = 30'000.0;

  /// Throws as VirtualRobot.
  explicit Bench(const RobotConfig& robot, const PlantOptions& options = {});
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  /// The backend on it, once; the bench outlives it.
  [[nodiscard]] std::unique_ptr<hw::HwBackend> make_backend();

  [[nodiscard]] VirtualRobot& robot() noexcept { return robot_; }

  /// The robot with the buses and drives of a bench in place of its own.
  [[nodiscard]] static RobotConfig wired(RobotConfig robot);

 private:
  RobotConfig config_;
  VirtualRobot robot_;
  std::deque<can::SteppedBus> buses_;
  std::deque<SteppedClock> clocks_;
};

}  // namespace jointrig
