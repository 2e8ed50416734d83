#pragma once

#include <optional>

#include "control/arm/arm_motion.h"

namespace jointrig {

/// Hand guiding of an arm: whether its joints are let go, and when that ends.
///
/// The cuff is grasped by a command, for a time that is said anew before it is over, or by a
/// digital input of a board, as long as that board is heard. Joints in a mode that holds them
/// (position, position_direct, velocity, mixed, cartesian) are then let go, once they stand and the
/// check lets them: torque that holds them now, less what will carry them, is what would move them.
/// Whose joints would go further than drift_max in kDriftTime stays where it is.
///
/// Let go it is watched: a joint faster than speed_max, or further than drift_max within the first
/// kDriftTime, ends it, and the joints stand where they are until the cuff is free. Let go of the
/// cuff the joints are their modes' again, from where they are.
///
/// A cuff that is suppressed at any time of a grasp counts as free until it is let go of: the end
/// of a suppression lets no arm go, a new grasp does.
///
/// Plain data. All functions are for the cycle.
class ArmGuide {
 public:
  static constexpr double kDriftTime = 2.0;    ///< s, that is predicted and watched
  static constexpr double kStandTime = 0.3;    ///< s, for which joints stand before the check
  static constexpr double kStandSpeed = 0.02;  ///< rad/s or m/s, below which one stands: a choice
  static constexpr double kTorqueTime = 0.1;   ///< s, over which their torque is averaged
  /// Cycles without a state of the cuff's board: from there on its part is held, too.
  static constexpr std::uint32_t kCuffLostAfter = 3;

  explicit ArmGuide(std::size_t joint_count) noexcept;

  /// Of set_cuff: for so long from now on. [s]
  void grasp(double seconds) noexcept { left_ = seconds; }
  /// Of the command stop: the joints stand until the cuff is free.
  void stop() noexcept;

  /// Takes in what the joints are held with and whether the cuff is grasped. Each cycle, first.
  /// @param ignores_cuff  it counts as free
  void follow(const ArmSetup& setup, std::span<const JointControl> joints,
              bool ignores_cuff = false) noexcept;
  [[nodiscard]] bool grasped() const noexcept { return grasped_; }
  /// Grasped, or not yet back: the arm's matrices are needed.
  [[nodiscard]] bool busy() const noexcept { return grasped_ || state_ != GuideState::kOff; }

  /// What an advance() did, for events.
  struct Change {
    GuideChange what = GuideChange::kLetGo;
    JointIndex joint = kNoJoint;
    double value = 0.0;
    double limit = 0.0;
  };
  /// @param carried  torque that carries the arm when it is let go, beside what its boards add (n)
  /// @param motion   weighed, where busy()
  std::optional<Change> advance(const ArmSetup& setup, const ArmMotion& motion,
                                const ArmVector& carried) noexcept;

  [[nodiscard]] GuideState state() const noexcept { return state_; }
  /// What an arm that isn't let go, or no longer, asks of its joints.
  [[nodiscard]] JointControl::Claim claim() const noexcept;

  void describe(InteractionSnapshot& out) const noexcept;

 private:
  std::optional<Change> let_go(const ArmSetup& setup, const ArmMotion& motion,
                               const ArmVector& carried) noexcept;
  std::optional<Change> watch(const ArmSetup& setup, const ArmMotion& motion) noexcept;

  ArmVector held_;   // torque that holds the joints, averaged
  ArmVector start_;  // where they were let go
  double left_ = 0.0;
  double stood_ = 0.0;
  double guided_ = 0.0;
  double drift_ = 0.0;
  GuideState state_ = GuideState::kOff;
  bool grasped_ = false;
  bool spent_ = false;  // pressed still, by a grasp that was suppressed
  bool spent_is_news_ = false;
  bool ready_ = false;  // all joints are in modes from which they can be let go
};

}  // namespace jointrig
