#pragma once

#include <array>
#include <vector>

#include "control/laws/momentum_observer.h"
#include "control/stack/joints.h"
#include "control/stack/placed_model.h"

namespace jointrig {

/// Torques on the joints that neither the motors nor the model explain: loads, friction, errors of
/// masses and motors. Observed with the torques really sent, so that no limit winds them up.
///
/// Friction that the stiff law makes up for by itself (computed_torque.h) is no load: the slow
/// observer is told of it, by the cycle in which it acted. Else it would learn it while the joint
/// moves, and push on with it after the joint stands. So it is of a load that a sample's torque
/// carries: else both would carry it.
///
/// Functions are for the cycle unless they say otherwise.
class JointLoads {
 public:
  static constexpr std::size_t kMaxDelay = 8;  ///< cycles
  /// Gain of the quick observer [1/s]: a choice, for the envelope of the limiter.
  static constexpr double kQuickGain = 500.0;
  /// Gain of calm() [1/s]: a choice. It is torque of other joints: with kQuickGain, steps of an
  /// encoder of 2 µrad were 1 N·m.
  static constexpr double kCalmGain = 100.0;
  /// Torque, in tau_max, beyond which a cycle's load is a jolt: a choice. A jolt is over before any
  /// torque could answer it, or it is a reading that is false.
  static constexpr double kJolt = 4.0;
  /// In which a joint's load isn't heard after a jolt [s]: a choice, longer than the estimate of a
  /// board's velocity takes to come back from it.
  static constexpr double kDeaf = 0.02;

  /// State that is saved and restored by assignment.
  struct Load {
    MomentumObserver slow;                     ///< of the stiff law, with the servo's gain
    MomentumObserver quick;                    ///< of the velocity envelope
    std::array<double, kMaxDelay + 1> sent{};  ///< torques by age [N·m or N]; NaN: none
    /// Torque that was fed forward, in this cycle and by age [N·m or N]
    double fed = 0.0;
    std::array<double, kMaxDelay + 1> fed_before{};
    double calm = 0.0;  ///< [N·m or N]
    double deaf = 0.0;  ///< time left [s]
  };
  using State = std::vector<Load>;

  /// Not for the cycle.
  explicit JointLoads(const RobotConfig& config);

  /// Runs one cycle, after the model's momentum was updated.
  void advance(const PlacedModel& model, Joints joints) noexcept;
  /// Takes the part of this cycle's torque that makes up for the joint's friction, or that a sample
  /// feeds forward [N·m or N].
  void expect_fed(std::size_t joint, double torque) noexcept { state_[joint].fed = torque; }

  /// Load as the stiff law compensates it, within ± tau_max [N·m or N]
  [[nodiscard]] double slow(std::size_t joint) const noexcept { return slow_[joint]; }
  /// Load as the envelope sees it, of joints whose torque the stack gives [N·m or N]
  [[nodiscard]] double quick(std::size_t joint) const noexcept {
    return state_[joint].quick.external();
  }

  /// Load as others feel a joint that nothing holds (free_joints.h), also of those that are off:
  /// low-passed, of each cycle at most ± tau_max, nothing of a jolt, for kDeaf, or of a cycle
  /// without a reading [N·m or N]
  [[nodiscard]] double calm(std::size_t joint) const noexcept { return state_[joint].calm; }

  /// Torque that acts until the next reading, without what expect_fed() took, after the setpoints
  /// of this cycle; NaN if none of the stack's does [N·m or N]
  [[nodiscard]] double acting(std::size_t joint, const JointControl& control) const noexcept;

  /// Torque that expect_fed() took in this cycle [N·m or N]
  [[nodiscard]] double fed(std::size_t joint) const noexcept { return state_[joint].fed; }

  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state);

 private:
  std::size_t age_;  // of the torque that acted in the last cycle
  double dt_;
  double quick_share_;  // of a cycle
  double calm_share_;
  std::vector<double> slow_;  // by joint
  State state_;
};

}  // namespace jointrig
