#pragma once
/// All boards of a robot in a process of their own: `jointrig board`. The process serves the other
/// end of each bus in robot.yaml, with the transmission times of a real bus; boards and physics are
/// those of backend sim.
///
///     lockstep   one period of physics for each SYNC, whenever it comes: a run over the buses
///     gives
///                the same results each time
///     free       physics by the clock of this machine with a drift: for tests of the host's timing
///
/// One thread serves all buses, since the boards share one physics.

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
  double drift_ppm = 0.0;  ///< drift of the boards' clock when free running: above 0 is fast
  /// The drives are those of this process's own robot, and not what a run's file believes of them.
  bool own_drives = false;
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
