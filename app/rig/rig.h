#pragma once
/// The composition root: a robot's files become a configuration, a backend, a stack and a loop.

#include <memory>
#include <string>

#include "app/boards/local_boards.h"
#include "app/boards/side_line_client.h"
#include "app/rig/robot_loading.h"
#include "control/core/robot_config.h"
#include "control/stack/loop.h"
#include "control/stack/stack.h"
#include "sim/kinematic_backend.h"
#include "sim/sim_backend.h"

namespace jointrig {

struct RigOptions {
  BackendKind backend = BackendKind::kSim;
  PlantOptions plant;
  BusPlan bus_plan{};              ///< of backend boards
  bool held_until_driven = false;  ///< of sim, see SimOptions
  Pacer* pacer = nullptr;          ///< null: as fast as it can; on buses: as fast as the boards can
  /// That the stack starts with; none: robot.yaml's on real drives, else 1.
  std::optional<double> speed_override = std::nullopt;
  bool wiggle_check = true;  ///< real drives are started only where they have passed that test
};

/// A robot ready to run: start() it, then step the loop.
class Rig {
 public:
  /// On buses: looks whether the boards are virtual, and has them take this robot.
  /// Throws ModelError, ConfigError, std::invalid_argument or std::runtime_error with a sentence;
  /// nothing is half-started.
  Rig(const RobotConfig& config, const RigOptions& options);
  ~Rig();
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  /// Throws what the backend's start() throws, and std::runtime_error for real drives without a
  /// passed wiggle test on record (app/wiggle/wiggle_record.h).
  void start();

  /// Why the boards are taken for real ones, where virtual ones could be meant; else empty.
  [[nodiscard]] std::string note_on_boards() const;
  /// A sentence for each force/torque sensor that the robot's file names and the backend lacks.
  [[nodiscard]] const std::vector<std::string>& sensor_notes() const noexcept {
    return sensor_notes_;
  }
  /// On buses, and nobody says that their boards are virtual.
  [[nodiscard]] bool is_on_real_drives() const noexcept { return on_buses_ && !virtual_boards_; }
  [[nodiscard]] Backend& backend() noexcept { return *backend_; }
  [[nodiscard]] SimBackend* sim() noexcept { return sim_; }  ///< null on another backend
  /// The physics behind the boards; null on a backend that has none of ours.
  [[nodiscard]] Plant* plant() noexcept;
  [[nodiscard]] SimForceSensors* force_sensors() noexcept;  ///< null where none are read
  [[nodiscard]] std::span<SimBoard> boards() noexcept;
  [[nodiscard]] Stack& stack() noexcept { return *stack_; }
  [[nodiscard]] Loop& loop() noexcept { return *loop_; }

  /// What a scenario may ask of the world around the robot; nothing on a backend without one. The
  /// rig outlives it.
  [[nodiscard]] std::unique_ptr<World> make_world();

  /// The boards go by a clock of their own, and the loop has to keep to it.
  [[nodiscard]] bool keeps_the_boards_time() const noexcept { return keeps_time_; }

  /// Why the loop's step() returned false: a sentence.
  [[nodiscard]] std::string why_ended() const;

  /// Of all that changes in plant and boards: equal for equal runs. 0 on a backend without physics
  /// of ours.
  [[nodiscard]] std::uint64_t hash() const noexcept;

 private:
  void open_buses(const RigOptions& options);

  RobotConfig config_;
  std::unique_ptr<LocalBoards> local_boards_;       ///< before the backend on it
  std::unique_ptr<SideLineClient> virtual_boards_;  ///< of hw, in another program
  std::vector<std::string> sensor_notes_;
  bool on_buses_ = false;
  bool wiggle_check_ = true;
  bool keeps_time_ = false;
  std::unique_ptr<Backend> backend_;
  SimBackend* sim_ = nullptr;
  KinematicBackend* kinematic_ = nullptr;
  std::unique_ptr<Stack> stack_;
  std::unique_ptr<Loop> loop_;
};

}  // namespace jointrig
