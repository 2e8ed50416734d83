#pragma once

#include "control/core/faults.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/motion/minimum_jerk.h"

namespace jointrig {

/// Turns what was asked of one joint into its reference of each cycle, without a jump: whatever was
/// going on, the next reference goes on from the last one. It is the sum of two parts,
///
///     base   stands, follows a minimum-jerk path, or follows streamed samples or trajectories
///     drift  a velocity that ramps at a_max towards the one commanded, and its integral
///
/// so that position moves use the base, velocity the drift, mixed both, and braking from any motion
/// is a drift whose command is zero.
///
/// The speed override s scales time, not the way: a path is gone through at s times its pace, so
/// that its peak speed is s times as high; a commanded velocity is taken s times; a streamed
/// reference goes no faster than s v_max. A change of s acts within kOverrideTime at most, and
/// longer where that would take more than a_max.
///
/// The reference never leaves the soft limits; one that started outside them moves no further out.
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class ReferenceGenerator {
 public:
  enum class Braking : std::uint8_t { kNormal, kBrisk };

  static constexpr double kOverrideTime = 0.2;  ///< from 0 to 1 [s]; a choice

  /// Starts from this state and brakes to a stand at a_max, or at four times a_max.
  void start(double q, double v, Braking braking = Braking::kNormal) noexcept;

  /// The speed override, from the next advance() on: above 0, at most 1.
  void set_speed_override(double factor) noexcept { override_ = factor; }

  /// A path of least jerk to `goal` from where the reference is now.
  /// @param speed  peak speed of the path, > 0 [rad/s or m/s]
  void move(double goal, double speed, const JointLimits& limits) noexcept;

  /// Whether the path of least jerk to `goal` that takes `duration` [s] from now keeps the limits.
  [[nodiscard]] bool can_arrive(double goal, double duration,
                                const JointLimits& limits) const noexcept;

  /// Follows that path; where it can't be, the fastest within the limits. The duration is that at
  /// a speed override of 1.
  void timed_move(double goal, double duration, const JointLimits& limits) noexcept;

  /// Shortest duration, from now, of a path to `goal` that keeps the limits [s].
  [[nodiscard]] double shortest(double goal, const JointLimits& limits) const noexcept;

  /// A sample of a stream. A straight line leads to it over `interval`, the time since the sample
  /// before (one cycle for the first), so that a stream slower than the loop has no steps. The
  /// reference is on that line wherever v_max and four times a_max let it, and gets back to it in
  /// the shortest time where they don't: it ends at rest on the last sample, and a stream that ends
  /// in full motion overshoots by v² / (8 a_max). A sample further from the one before than
  /// step_max, or than v_max allows over the interval, is cut and noted as Limit::kStep.
  void stream(double sample, double interval, const JointLimits& limits) noexcept;

  /// A sample of a streamed trajectory, with its speed and acceleration. The reference is the
  /// sample in the cycle that takes it, and goes on from it until the next one,
  ///
  ///     q + v t + a t²/2        v + a t        a
  ///
  /// at v_max at the most; a law that feeds acceleration forward gets a. Like a sample without
  /// derivatives it is followed as v_max and four times a_max let it, and its position cut and
  /// noted where it is further from where the trajectory was going than step_max, or than v_max
  /// allows over `interval`. A speed or an acceleration beyond those limits is cut as well, and
  /// noted.
  void stream(const MotionState& sample, double interval, const JointLimits& limits) noexcept;

  /// The velocity that the drift ramps to.
  void set_velocity(double v) noexcept {
    drift_command_ = v;
    brisk_ = false;
  }

  /// Leaves path, stream and velocity, and brakes to a stand.
  void stop() noexcept;

  /// Keeps a drifting reference within `window` of the measured position, so that a joint that is
  /// held up doesn't wind up a distance to make good later. No effect on a stand, a path or a
  /// stream.
  void keep_near(double q, double window) noexcept;

  /// The reference one cycle later.
  JointReference advance(double dt, const JointLimits& limits) noexcept;

  [[nodiscard]] const JointReference& reference() const noexcept { return last_; }
  [[nodiscard]] bool on_path() const noexcept { return base_ == Base::kPath; }
  [[nodiscard]] bool standing() const noexcept {
    return base_ == Base::kStand && drift_v_ == 0.0 && drift_command_ == 0.0;
  }
  [[nodiscard]] double velocity_command() const noexcept { return drift_command_; }
  /// Which way it is going, or about to: its speed, or while it stands what is left of its way.
  [[nodiscard]] double heading() const noexcept;
  /// Goal of the path that is, or was last, followed.
  [[nodiscard]] double goal() const noexcept { return path_.goal(); }
  /// True in the cycle in which the path came to its end.
  [[nodiscard]] bool arrived() const noexcept { return arrived_; }
  /// What shaped the reference in the last cycle.
  [[nodiscard]] const ActingLimits& limited() const noexcept { return limited_; }

 private:
  enum class Base : std::uint8_t { kStand, kPath, kStream, kTrajectory };

  void advance_base(double dt, const JointLimits& limits) noexcept;
  void advance_stream(double dt, const JointLimits& limits) noexcept;
  void advance_trajectory(double dt, const JointLimits& limits) noexcept;
  void take_drift() noexcept;  ///< way and speed of the drift become the base's
  [[nodiscard]] double within_reach(double sample, double from, double interval,
                                    const JointLimits& limits) noexcept;
  void advance_drift(double dt, const JointLimits& limits) noexcept;
  void advance_path(double dt, const JointLimits& limits) noexcept;
  [[nodiscard]] double next_pace(double dt, double a_max) const noexcept;
  [[nodiscard]] double start_pace(double speed) const noexcept;
  [[nodiscard]] MotionState path_start(double pace) const noexcept;
  void follow(const MinimumJerk& path, double pace) noexcept;
  void fold_drift() noexcept;  ///< the way drifted so far becomes part of the base

  Base base_ = Base::kStand;
  MotionState at_;  ///< of the base
  MinimumJerk path_;
  double path_time_ = 0.0;
  double pace_ = 1.0;  ///< of the path: its seconds in one of the robot's
  double override_ = 1.0;
  MotionState ahead_;        ///< the trajectory, in the cycle to come
  double sample_ = 0.0;      ///< that the stream goes to, after cutting
  double line_ = 0.0;        ///< where the straight line to it is now
  double line_speed_ = 0.0;  ///< ≥ 0
  double drift_q_ = 0.0;
  double drift_v_ = 0.0;
  double drift_a_ = 0.0;
  double drift_command_ = 0.0;
  JointReference last_;
  ActingLimits limited_;
  ActingLimits cut_;  ///< the sample now approached was cut
  bool brisk_ = false;
  bool arrived_ = false;
};

/// The soft limits of a joint.
inline double soft_min(const JointLimits& limits) noexcept {
  return limits.q_min + limits.soft_margin;
}
inline double soft_max(const JointLimits& limits) noexcept {
  return limits.q_max - limits.soft_margin;
}

}  // namespace jointrig
