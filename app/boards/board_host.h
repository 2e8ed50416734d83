#pragma once
/// All boards of a robot as a process of its own: `jointrig board`. Each bus of robot.yaml is
/// served from its other end, with frames that take the time of a wire; the boards and the physics
/// behind them are those of backend sim.
///
///     lockstep   one period of physics for each SYNC, whenever it comes: a run over the buses does
///                the same each time
///     free       physics by the clock of this machine, off by a drift: for the host's own timing
///
/// One thread serves all buses: the boards share one physics, and a lock would only give the order
/// that a loop has without one.

#include <atomic>
#include <deque>
#include <optional>
#include <string>

#include "app/boards/side_line_server.h"
#include "app/boards/virtual_robot.h"
#include "app/rig/sim_world.h"
#include "hw/can/bus_hub.h"

namespace jointrig::app {

struct BoardHostOptions {
  bool free_running = false;
  double drift_ppm = 0.0;  ///< of the boards' clock when free running: above 0 is fast
};

class BoardHost {
 public:
  /// Throws std::invalid_argument (wiring), ModelError or can::OpenError with a sentence.
  BoardHost(const RobotConfig& robot, const BoardHostOptions& options);
  BoardHost(const BoardHost&) = delete;
  BoardHost& operator=(const BoardHost&) = delete;

  void run(const std::atomic<bool>& stop);

  [[nodiscard]] std::size_t buses() const noexcept { return hubs_.size(); }
  [[nodiscard]] can::BusHub& bus(std::size_t index) noexcept { return hubs_[index]; }
  [[nodiscard]] VirtualRobot& robot() noexcept { return *robot_; }
  [[nodiscard]] const RobotConfig& config() const noexcept { return config_; }

 private:
  void place(const RobotConfig& robot, const sim::PlantOptions& options);
  void replace(const RobotConfig& robot, const sim::PlantOptions& options);
  void step();
  void run_physics();

  RobotConfig config_;
  BoardHostOptions options_;
  std::uint32_t token_;
  std::optional<VirtualRobot> robot_;
  std::optional<SimWorld> world_;
  std::deque<can::BusHub> hubs_;
  std::optional<SideLineServer> server_;
  can::TimeNs next_period_ = 0;
};

}  // namespace jointrig::app
