#pragma once

#include <memory>
#include <span>
#include <utility>

#include "control/core/sane.h"
#include "control/model/robot_model.h"
#include "control/stack/joints.h"

namespace jointrig {

/// The controller's model in the robot's pose: the last sane positions and the last sane pose of
/// the base. Without a model it computes nothing.
///
/// Functions are for the cycle.
class PlacedModel {
 public:
  /// @param model  null: none
  PlacedModel(std::unique_ptr<RobotModel> model, std::size_t joint_count)
      : model_(std::move(model)) {
    state_.joints.resize(joint_count);
  }

  [[nodiscard]] explicit operator bool() const noexcept { return model_ != nullptr; }
  RobotModel& operator*() const noexcept { return *model_; }
  RobotModel* operator->() const noexcept { return model_.get(); }

  /// Runs one cycle: places the model and computes gravity.
  void advance(const RobotState& state) noexcept {
    for (std::size_t i = 0; i < state_.joints.size(); ++i) {
      if (is_sane(state.joints[i].q)) state_.joints[i].q = state.joints[i].q;
    }
    if (is_sane(state.base)) state_.base = state.base;
    has_velocities_ = false;
    if (model_) model_->update(state_);
  }

  /// Gives the model the joints' velocities, once per cycle.
  void place_velocities(std::span<const JointControl> joints) noexcept {
    if (has_velocities_) return;
    for (std::size_t i = 0; i < joints.size(); ++i) state_.joints[i].v = joints[i].state().v;
    model_->update_velocities(state_);
    has_velocities_ = true;
  }

  /// Torque that holds a joint at rest [N·m or N]; 0 without a model.
  [[nodiscard]] double gravity(std::size_t joint) const noexcept {
    return model_ ? model_->gravity(static_cast<JointIndex>(joint)) : 0.0;
  }

  /// Joints and base that place the model: saved and restored by assignment.
  using State = RobotState;
  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  std::unique_ptr<RobotModel> model_;
  RobotState state_;
  bool has_velocities_ = false;  // in this cycle
};

}  // namespace jointrig
