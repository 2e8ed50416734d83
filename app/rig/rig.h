#pragma once
/// The composition root: makes a configuration, a backend, a stack and a loop from a robot's files.

#include <memory>
#include <string>

#include "app/rig/backend_kit.h"
#include "app/rig/law_watch.h"
#include "app/rig/rig_options.h"
#include "app/rig/robot_loading.h"
#include "control/core/robot_config.h"
#include "control/model/robot_model.h"
#include "control/stack/loop.h"
#include "control/stack/stack.h"

namespace jointrig::app {

/// One motion can't be made by two backends: throws std::invalid_argument where joints that the
/// model ties to each other are on different ones.
void refuse_torn_joints(const RobotConfig& robot, const RobotModel& model);

/// A robot ready to run: call start(), then step the loop.
class Rig {
 public:
  /// On buses it checks whether the boards are virtual, and sets this robot on them. Throws
  /// ModelError, ConfigError, std::invalid_argument or std::runtime_error with a sentence; nothing
  /// is half-started.
  Rig(const RobotConfig& config, const RigOptions& options);
  ~Rig();
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  /// Throws as the backend's start() and Stack::connect_base(), and std::runtime_error for real
  /// drives without a recorded, passed wiggle test (app/wiggle/wiggle_record.h).
  void start();

  [[nodiscard]] Backend& backend() noexcept { return kit_->backend(); }
  [[nodiscard]] Stack& stack() noexcept { return *stack_; }
  [[nodiscard]] Loop& loop() noexcept { return *loop_; }

  /// A sentence for each force/torque sensor of robot.yaml that the backend lacks, and for each
  /// joint whose loop has no margin, neither without dynamics; and one on pairs of bodies that
  /// collision avoidance leaves out. Call before start().
  [[nodiscard]] std::vector<std::string> robot_notes();

  // See backend_kit.h.
  [[nodiscard]] std::string note_on_boards() const { return kit_->note_on_boards(); }
  [[nodiscard]] bool is_on_buses() const noexcept { return kit_->is_on_buses(); }
  [[nodiscard]] bool is_on_real_drives() const noexcept { return kit_->is_on_real_drives(); }
  [[nodiscard]] bool keeps_the_boards_time() const noexcept {
    return kit_->keeps_the_boards_time();
  }
  [[nodiscard]] sim::SimBackend* sim() noexcept { return kit_->sim(); }
  [[nodiscard]] sim::Plant* plant() noexcept { return kit_->plant(); }
  [[nodiscard]] sim::SimSensors* sensors() noexcept { return kit_->sensors(); }
  [[nodiscard]] std::span<sim::SimBoard> boards() noexcept { return kit_->boards(); }
  [[nodiscard]] const RobotConfig& simulated_robot() const noexcept {
    return kit_->simulated_robot();
  }
  /// The rig outlives the world.
  [[nodiscard]] std::unique_ptr<harness::World> make_world() { return kit_->make_world(); }
  [[nodiscard]] std::string why_ended() const { return kit_->why_ended(); }
  [[nodiscard]] std::uint64_t hash() const noexcept { return kit_->hash(); }
  [[nodiscard]] std::any save() const { return kit_->save(); }
  void restore(const std::any& state) { kit_->restore(state); }

 private:
  RobotConfig config_;
  bool wiggle_check_ = true;
  std::unique_ptr<BackendKit> kit_;
  std::vector<std::string> sensor_notes_;
  std::unique_ptr<Stack> stack_;
  std::unique_ptr<Loop> loop_;
  std::unique_ptr<LawWatch> law_watch_;  ///< present if the robot has laws of one's own
};

}  // namespace jointrig::app
