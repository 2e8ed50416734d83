#pragma once

#include <cstdint>

#include "control/core/faults.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/motion/minimum_jerk.h"
#include "control/motion/online_motion.h"

namespace jointrig {

/// Acceleration and jerk that a motor can follow.
struct MotionRoom {
  double a = 0.0;     ///< [rad/s² or m/s²]
  double jerk = 0.0;  ///< [rad/s³ or m/s³]
  /// Share of its own acceleration with which it brakes to rest, so that the motors of all joints
  /// that brake can do so together.
  double brake_share = 1.0;
};

/// Computes the reference of one joint in each cycle from the commands, without a jump: the next
/// reference always continues from the last one. It is the sum of two parts,
///
///     base   rests, follows a minimum-jerk path, goes to a target (online_motion.h), or follows
///            streamed samples or trajectories
///     drift  a velocity that ramps at a_max to the commanded one, and its integral
///
/// so that position moves use the base, velocity the drift, mixed both, and braking from any motion
/// is a drift whose command is zero.
///
/// The speed override s scales time, not the path: the reference follows a path at s times its
/// pace, so that its peak speed is s times as high; a commanded velocity is multiplied by s; a
/// streamed reference moves at most at s v_max. A change of s acts within kOverrideTime, or longer
/// if that would need more than a_max.
///
/// The reference never leaves the soft limits; if it starts outside them, it moves no further out.
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class ReferenceGenerator {
 public:
  enum class Braking : std::uint8_t { kNormal, kBrisk };

  static constexpr double kOverrideTime = 0.2;  ///< from 0 to 1 [s]; a choice

  /// Starts from this state and brakes to rest at a_max, or at four times a_max.
  void start(double q, double v, Braking braking = Braking::kNormal) noexcept;

  /// Sets the speed override for the next advance() and later: above 0, at most 1.
  void set_speed_override(double factor) noexcept { override_ = factor; }

  /// Sets the acceleration and the jerk that a streamed reference may use in the next advance(),
  /// and the share that braking may.
  void set_room(const MotionRoom& room) noexcept { room_ = room; }
  [[nodiscard]] const MotionRoom& room() const noexcept { return room_; }

  /// Starts a path of least jerk from the present reference to `goal`. Where a reference in motion
  /// would leave the soft limits on it, or need more than a_max, it brakes to rest first, by all of
  /// a_max.
  /// @param speed  peak speed of the path, > 0 [rad/s or m/s]
  void move(double goal, double speed, const JointLimits& limits) noexcept;

  /// True if the path of least jerk to `goal` in `duration` [s] keeps the limits.
  [[nodiscard]] bool can_arrive(double goal, double duration,
                                const JointLimits& limits) const noexcept;

  /// Follows that path, or the fastest within the limits if it exceeds them. The duration applies
  /// at a speed override of 1.
  void timed_move(double goal, double duration, const JointLimits& limits) noexcept;

  /// Shortest duration, from now, of a path to `goal` that keeps the limits [s].
  [[nodiscard]] double shortest(double goal, const JointLimits& limits) const noexcept;

  /// The profile from the present reference to a target, at the present speed override
  /// (online_motion.h).
  [[nodiscard]] OnlineMotion::Draft draft(const OnlineWish& wish, const JointLimits& limits,
                                          double at_least, JerkProfile& profile) const noexcept;
  /// Moves to a target from the present reference, by a profile of draft() that is kept.
  void go_to_target(const OnlineWish& wish, const JointLimits& limits,
                    const JerkProfile& profile) noexcept;

  /// Takes a sample of a stream. A straight line leads to it over `interval`, the time since the
  /// sample before (one cycle for the first), so that a stream slower than the loop has no steps.
  /// The reference is on that line where v_max and the room that the motor has allow it, and
  /// otherwise approaches it by the law
  ///
  ///     v_w = v_line + φ(line − q; p/4, 0.6 a)       a_w = φ(v_w − v; p, 0.7 j)
  ///
  /// (φ: square_root_gain()), its acceleration within ± a and changed by at most j dt; it is fed
  /// forward. p = min(j / 0.6 a, 100/s). A held sample is reached without overshoot. A sample
  /// further from the previous one than step_max, or than v_max allows over the interval, is cut
  /// and reported as Limit::kStep.
  void stream(double sample, double interval, const JointLimits& limits) noexcept;

  /// Takes a sample of a streamed trajectory, with its speed and acceleration. The reference equals
  /// the sample in the cycle that takes it, and continues from it until the next one,
  ///
  ///     q + v t + a t²/2        v + a t        a
  ///
  /// at most at v_max; a law that feeds acceleration forward gets a. The reference follows within
  /// v_max and four times a_max, as for a sample without derivatives. A position further from the
  /// trajectory's continuation than step_max, or than v_max allows over `interval`, is cut and
  /// reported. A speed or an acceleration beyond those limits is cut and reported, too.
  void stream(const MotionState& sample, double interval, const JointLimits& limits) noexcept;

  /// Takes the state of a plan for the next advance(): the reference is there. The plan continues
  /// from the present reference, which stands, and keeps the limits; without a state in a cycle it
  /// ends as by stop().
  void follow_plan(const MotionState& state) noexcept;
  /// The reference stands at the end of a plan.
  void end_plan() noexcept;

  /// Sets the velocity to which the drift ramps. One that is set after a goal moves the end of its
  /// path along with it. One from before, if only its end comes, doesn't: the goal is where it is.
  void set_velocity(double v) noexcept {
    returns_to_goal_ = is_left_over_ && v == 0.0;
    is_left_over_ = false;
    drift_command_ = v;
    brisk_ = false;
  }

  /// Ends path, stream and velocity, and brakes to rest.
  void stop() noexcept;
  /// Likewise, with all of its own acceleration: an obstacle leaves no time to wait for others.
  void halt() noexcept {
    stop();
    waits_for_others_ = false;
  }

  /// A path that is given up.
  struct GivenUp {
    std::uint64_t group = 0;  ///< those of one group slow down together; 0: it isn't given up
    double pace = 1.0;        ///< that it had then
    double share = 1.0;       ///< of that pace, now
    double rate = 0.0;        ///< of the share [1/s]
  };
  /// Gives the present path up: from the next cycle on it is followed at the shares of its pace
  /// that slow_to() says, and at 0 the reference rests on it.
  /// @param group  other than 0
  /// @return  false, and nothing is changed: there is none, or a velocity beside it
  bool give_up(std::uint64_t group) noexcept;
  [[nodiscard]] GivenUp given_up() const noexcept {
    return base_ == Base::kPath ? given_up_ : GivenUp{};
  }
  /// Sets the share for the next advance(): no more than the present one.
  void slow_to(double share, double rate) noexcept {
    given_up_.share = share;
    given_up_.rate = rate;
  }
  /// Least share that a path which is given up may have in the next cycle, within a_max.
  [[nodiscard]] double least_share(double dt, double a_max) const noexcept;
  /// Its speed with a share of 1, at its present place: ≥ 0 [rad/s or m/s].
  [[nodiscard]] double full_speed() const noexcept;

  /// Keeps a drifting reference within `window` of the measured position, so that a blocked joint
  /// doesn't wind up a distance to catch up later. No effect at rest, on a path or on a stream.
  void keep_near(double q, double window) noexcept;

  /// A reference that stands beyond the middle of the soft margin, where the velocity envelope lets
  /// no joint stand, comes in with the joint. No effect elsewhere, and never outwards.
  /// @param q  of the joint
  void come_in(double q, const JointLimits& limits) noexcept;

  /// Returns the reference one cycle later.
  const JointReference& advance(double dt, const JointLimits& limits) noexcept;

  [[nodiscard]] const JointReference& reference() const noexcept { return last_; }
  /// (q − q before)/dt of the last cycle [rad/s or m/s]. Half a cycle's acceleration from the
  /// reference's speed on a path, and the same while it drifts, which is a sum of steps.
  [[nodiscard]] double last_speed() const noexcept { return last_speed_; }
  [[nodiscard]] bool on_path() const noexcept { return base_ == Base::kPath; }
  [[nodiscard]] bool on_plan() const noexcept { return base_ == Base::kPlan; }
  /// On a plan: the state that follow_plan() gave last, which the next advance() takes.
  [[nodiscard]] const MotionState& planned() const noexcept { return ahead_; }
  [[nodiscard]] bool standing() const noexcept {
    return base_ == Base::kStand && drift_v_ == 0.0 && drift_command_ == 0.0;
  }
  [[nodiscard]] double velocity_command() const noexcept { return drift_command_; }
  /// Acceleration with which it brakes to rest, at a share of 1; 0 while it doesn't.
  [[nodiscard]] double braking(const JointLimits& limits) const noexcept;
  /// Present or coming direction: the speed, or at rest the remaining distance.
  [[nodiscard]] double heading() const noexcept;
  /// Distance to where it comes to rest by itself, on a path alone; infinite where nobody knows.
  [[nodiscard]] double way_left() const noexcept;
  [[nodiscard]] bool to_target() const noexcept { return base_ == Base::kTarget; }
  /// The present motion to a target, or the last one.
  [[nodiscard]] const OnlineMotion& online() const noexcept { return online_; }
  [[nodiscard]] OnlineMotion& online() noexcept { return online_; }
  /// True while it goes to a goal where it rests.
  [[nodiscard]] bool goes_to_goal() const noexcept {
    return (on_path() && given_up_.group == 0) || (to_target() && online_.has_goal());
  }
  /// Goal of the present path or target, or of the last path.
  [[nodiscard]] double goal() const noexcept {
    return to_target() ? online_.wish().target.q : path_.goal();
  }
  /// True in the cycle in which a target's patience ended: it slows down.
  [[nodiscard]] bool lapsed() const noexcept { return lapsed_; }
  /// True in the cycle in which the path ended that wasn't given up, or the goal of a target was
  /// reached.
  [[nodiscard]] bool arrived() const noexcept { return arrived_; }
  /// Limits that acted on the reference in the last cycle.
  [[nodiscard]] const ActingLimits& limited() const noexcept { return limited_; }

 private:
  enum class Base : std::uint8_t { kStand, kPath, kStream, kTrajectory, kPlan, kTarget };

  void advance_base(double dt, const JointLimits& limits) noexcept;
  void advance_stream(double dt, const JointLimits& limits) noexcept;
  void advance_trajectory(double dt, const JointLimits& limits) noexcept;
  void advance_to_target(double dt, const JointLimits& limits) noexcept;
  void take_drift() noexcept;  ///< distance and speed of the drift become the base's
  [[nodiscard]] double within_reach(double sample, double from, double interval,
                                    const JointLimits& limits) noexcept;
  void advance_drift(double dt, const JointLimits& limits) noexcept;
  void advance_path(double dt, const JointLimits& limits) noexcept;
  [[nodiscard]] double next_pace(double dt, double a_max) const noexcept;
  [[nodiscard]] double start_pace(double speed) const noexcept;
  [[nodiscard]] MotionState path_start(double pace) const noexcept;
  void follow(const MinimumJerk& path, double pace) noexcept;
  [[nodiscard]] bool breaks_limits(const MinimumJerk& path,
                                   const JointLimits& limits) const noexcept;
  [[nodiscard]] double braking_time(const JointLimits& limits) const noexcept;
  [[nodiscard]] double braked_place(const JointLimits& limits) const noexcept;
  void brake_first(double goal, double duration) noexcept;
  void go_on_from_rest(const JointLimits& limits) noexcept;
  void fold_drift() noexcept;  ///< the distance drifted so far becomes part of the base

  Base base_ = Base::kStand;
  MotionState at_;  ///< state of the base
  MinimumJerk path_;
  double path_time_ = 0.0;
  double pace_ = 1.0;  ///< pace of the path: its seconds per second of the robot
  GivenUp given_up_;
  double override_ = 1.0;
  OnlineMotion online_;
  MotionRoom room_;
  MotionState ahead_;        ///< the trajectory's, or the plan's, state in the next cycle
  double sample_ = 0.0;      ///< the stream's present sample, after cutting
  double line_ = 0.0;        ///< present point of the straight line to it
  double line_speed_ = 0.0;  ///< ≥ 0
  double drift_q_ = 0.0;
  double drift_v_ = 0.0;
  double drift_a_ = 0.0;
  double drift_command_ = 0.0;
  JointReference last_;
  double last_speed_ = 0.0;
  ActingLimits limited_;
  ActingLimits cut_;    ///< how the present sample was cut
  double speed_ = 0.0;  ///< peak speed of the path as asked for
  bool brisk_ = false;
  bool waits_for_others_ = true;  ///< it brakes by room_.brake_share
  bool arrived_ = false;
  bool lapsed_ = false;
  bool has_plan_state_ = false;   ///< for the next cycle
  bool is_left_over_ = false;     ///< the drift's velocity was set before the path's goal
  bool returns_to_goal_ = false;  ///< it has ended: the path starts again from here
  bool brakes_first_ = false;     ///< the path has not begun: the drift brakes to rest
  double rest_duration_ = 0.0;    ///< of the path that then begins [s]; 0: by its speed
};

/// The soft limits of a joint.
inline double soft_min(const JointLimits& limits) noexcept {
  return limits.q_min + limits.soft_margin;
}
inline double soft_max(const JointLimits& limits) noexcept {
  return limits.q_max - limits.soft_margin;
}

}  // namespace jointrig
