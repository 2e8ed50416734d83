#pragma once
/// The composition root: a robot's files become a configuration, a backend, a stack and a loop.

#include <functional>
#include <memory>
#include <string>

#include "app/board/bench.h"
#include "control/core/robot_config.h"
#include "control/model/discovery.h"
#include "control/stack/loop.h"
#include "control/stack/stack.h"
#include "scenarios/files/robot_file.h"
#include "sim/kinematic_backend.h"
#include "sim/sim_backend.h"

namespace jointrig {

#define JOINTRIG_BACKEND_KINDS(X) \
  X(kSim, "sim")                  \
  X(kKinematic, "kinematic")      \
  X(kHw, "hw")
JOINTRIG_ENUM(BackendKind, JOINTRIG_BACKEND_KINDS)

/// Reads the model, then lays robot.yaml and overrides on what it found. `adjust` may change what
/// must be known before the model is read (keyframe, scene). Throws ModelError or FileError.
Discovery load_robot(const RobotSource& source,
                     const std::function<void(RobotConfig&)>& adjust = {});

struct RigOptions {
  BackendKind backend = BackendKind::kSim;
  PlantOptions plant;
  BenchPlan bench{};       ///< of hw
  Pacer* pacer = nullptr;  ///< null: as fast as it can
};

/// A robot ready to run: start() it, then step the loop.
class Rig {
 public:
  /// Throws ModelError, ConfigError or std::invalid_argument with a sentence; nothing is
  /// half-started.
  Rig(const RobotConfig& config, const RigOptions& options);
  ~Rig();
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  void start() { backend_->start(); }
  [[nodiscard]] Backend& backend() noexcept { return *backend_; }
  [[nodiscard]] SimBackend* sim() noexcept { return sim_; }  ///< null on another backend
  /// The physics behind the boards; null on a backend that has none of ours.
  [[nodiscard]] Plant* plant() noexcept;
  [[nodiscard]] std::span<SimBoard> boards() noexcept;
  [[nodiscard]] Stack& stack() noexcept { return *stack_; }
  [[nodiscard]] Loop& loop() noexcept { return *loop_; }

  /// Why the loop's step() returned false: a sentence.
  [[nodiscard]] std::string why_ended() const;

  /// Of all that changes in plant and boards: equal for equal runs. 0 on a backend without physics
  /// of ours.
  [[nodiscard]] std::uint64_t hash() const noexcept;

 private:
  std::unique_ptr<Bench> bench_;  ///< of hw, before the backend on it
  std::unique_ptr<Backend> backend_;
  SimBackend* sim_ = nullptr;
  KinematicBackend* kinematic_ = nullptr;
  std::unique_ptr<Stack> stack_;
  std::unique_ptr<Loop> loop_;
};

}  // namespace jointrig
