#pragma once

#include <optional>

#include "control/arm/arm_motion.h"
#include "control/laws/guide_brake.h"

namespace jointrig {

/// Hand guiding of an arm: decides when its joints are released, and when that ends.
///
/// The cuff is grasped by a command, for a time that the sender renews, or by a digital input of a
/// board, as long as that board is heard. Joints in a mode that holds them (position,
/// position_direct, velocity, mixed, cartesian) are released when they stand and the check passes.
/// The check takes the difference between the torque that holds the joints now and the torque that
/// will carry them, and predicts their motion. An arm with a joint that would move further than
/// drift_max in kDriftTime is not released. The reason is told once in each grasp.
///
/// A joint stands while it goes no further than kStandSpeed kStandTime in kStandTime: noise and
/// steps of an encoder make a speed from one cycle to the next, but no way.
///
/// A released arm is braked (GuideBrake). The friction of its brake is kFrictionShare of what was
/// out of balance at the release, within zero_g.friction of each joint's largest torque.
///
/// While released the arm is watched. A joint that moves faster than speed_max, or further than
/// drift_max within the first kDriftTime, ends guiding, and the joints keep their positions until
/// the cuff is released. When the cuff is released, the joints return to their modes from their
/// present positions.
///
/// A cuff that is suppressed at any time of a grasp counts as free until it is released. The end of
/// a suppression releases no arm; a new grasp does.
///
/// Plain data. All functions are for the cycle.
class ArmGuide {
 public:
  static constexpr double kDriftTime = 2.0;  ///< s, time of the prediction and of the watch
  static constexpr double kStandTime = 0.3;  ///< s, for which joints stand before the check
  /// rad/s or m/s, below which a joint stands: a choice.
  static constexpr double kStandSpeed = 0.02;
  static constexpr double kTorqueTime = 0.1;   ///< s, over which the holding torque is averaged
  static constexpr double kSpeedTime = 0.002;  ///< s, time constant of the brake's speed: a choice
  static constexpr double kFrictionShare = 1.5;  ///< a choice: more than 1, so that it holds
  static constexpr double kSaturated = 0.98;     ///< share of the largest torque: a choice
  /// Times its time constant until an arm has 5 % of its speed left.
  static constexpr double kStopShares = 3.0;
  /// Missed cycles of the cuff's board after which the cuff counts as lost; its part is held then,
  /// too.
  static constexpr std::uint32_t kCuffLostAfter = 3;

  explicit ArmGuide(const ArmSetup& setup) noexcept;

  /// Executes set_cuff: grasped for so long from now on. [s]
  void grasp(double seconds) noexcept { left_ = seconds; }
  /// Executes the command stop: the joints keep their positions until the cuff is released.
  void stop() noexcept;

  /// Reads the holding torques and the cuff. Call first in each cycle.
  /// @param ignores_cuff  true: the cuff counts as free
  void follow(const ArmSetup& setup, std::span<const JointControl> joints,
              bool ignores_cuff = false) noexcept;
  [[nodiscard]] bool grasped() const noexcept { return grasped_; }
  /// True while grasped or not yet back: the arm's matrices are needed.
  [[nodiscard]] bool busy() const noexcept { return grasped_ || state_ != GuideState::kOff; }

  /// Results of an advance(), for events.
  struct Change {
    GuideChange what = GuideChange::kLetGo;
    JointIndex joint = kNoJoint;
    double value = 0.0;
    double limit = 0.0;
  };
  /// @param carried torque that carries the released arm, without the boards' own compensation (n)
  /// @param motion with masses (weigh_arm()) where busy()
  std::optional<Change> advance(const ArmSetup& setup, const ArmMotion& motion,
                                const ArmVector& carried) noexcept;

  /// Torque of the brake of a guided arm (n) [N·m or N]
  /// @param motion with masses (weigh_arm())
  [[nodiscard]] ArmVector brake(const ArmSetup& setup, const ArmMotion& motion) noexcept;

  [[nodiscard]] GuideState state() const noexcept { return state_; }
  /// Claim of an arm on its joints before or after it is released.
  [[nodiscard]] JointControl::Claim claim() const noexcept;

  void describe(InteractionSnapshot& out) const noexcept;

 private:
  std::optional<Change> let_go(const ArmSetup& setup, const ArmMotion& motion,
                               const ArmVector& carried) noexcept;
  std::optional<Change> watch(const ArmSetup& setup, const ArmMotion& motion) noexcept;
  std::optional<Change> decide(const ArmSetup& setup, const ArmMotion& motion,
                               const ArmVector& carried) noexcept;
  void follow_motion(const ArmSetup& setup, std::span<const JointControl> joints) noexcept;
  void find_obstacle(const ArmSetup& setup, std::span<const JointControl> joints) noexcept;
  [[nodiscard]] std::optional<Change> tell(const Change& change) noexcept;

  ArmVector held_;   // torque that holds the joints, averaged
  ArmVector start_;  // positions at the release
  ArmVector v_;      // speeds, filtered
  ArmVector stand_;  // positions where they stand
  GuideBrake brake_;
  Change moved_;                    // the last joint that left its stand
  std::optional<Change> obstacle_;  // why the joints can't be released now, beside motion
  GuideNote note_;
  std::uint32_t told_ = 0;  // in this grasp, one bit for each GuideChange
  double left_ = 0.0;
  double stood_ = 0.0;
  double guided_ = 0.0;
  double drift_ = 0.0;
  GuideState state_ = GuideState::kOff;
  bool grasped_ = false;
  bool spent_ = false;  // still pressed, by a grasp that was suppressed
  bool spent_is_news_ = false;
  bool ready_ = false;  // all joints can be released: modes, motors, nothing holds them
  bool is_new_ = true;  // no cycle was seen
};

}  // namespace jointrig
