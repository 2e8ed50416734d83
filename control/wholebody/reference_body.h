#pragma once
/// The robot of the controller's own in mode inverse_kinematics: it starts where the measured one
/// is, at rest, and from there on goes by the accelerations of the program alone,
///
///     q ← q + v dt + ½ v̇ dt²      v ← v + v̇ dt
///
/// the base's orientation by the rotation of ω dt + ½ ω̇ dt². All tasks have their feedback on it,
/// and nothing of the measured robot comes into it. So what follows it can't make a loop with them:
/// an error of the joints' servos moves no task.
///
/// Contacts that bear stand where they were when they began to, with
///
///     a = k (x_d − x) − d v,    k = 2500 1/s², d = 100 1/s (critically damped)
///
/// against the error of the integration alone.

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "control/model/floating_model.h"
#include "control/wholebody/commands.h"
#include "control/wholebody/core.h"
#include "control/wholebody/feedback.h"

namespace jointrig {

class ReferenceBody {
 public:
  /// State that is saved and restored by assignment.
  struct State {
    BaseState base;
    std::vector<double> q;                     ///< by joint of the model; empty: it never was
    std::vector<double> v;                     ///< likewise
    std::array<FrameGoal, kMaxContacts> held;  ///< poses of contacts, in the world
    std::array<bool, kMaxContacts> is_held{};  ///< the contact bore in the cycle before
  };

  /// For start-up. Throws ModelError.
  explicit ReferenceBody(const Mjcf& mjcf) : model_(mjcf) {
    state_.q.reserve(static_cast<std::size_t>(model_.joint_count()));
    state_.v.reserve(static_cast<std::size_t>(model_.joint_count()));
  }

  [[nodiscard]] FloatingModel& model() noexcept { return model_; }
  [[nodiscard]] const FloatingModel& model() const noexcept { return model_; }

  // For the cycle.

  /// It is where the other one is, at rest. False: that is no place for a robot.
  bool begin(const FloatingModel& seen) noexcept;
  /// Accelerations of the contacts that are on and don't settle: they stand where they were.
  /// @param settles  by contact: it is on its way to the ground, by its manager
  void hold(std::span<const ContactSetup> contacts, std::span<const bool> settles,
            WholeBodyCommand& command) noexcept;
  /// Goes on by the accelerations of the program. False: they lead nowhere, and it stays.
  bool advance(const Eigen::VectorXd& acceleration, double dt) noexcept;

  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state);

 private:
  FloatingModel model_;
  State state_;
};

}  // namespace jointrig
