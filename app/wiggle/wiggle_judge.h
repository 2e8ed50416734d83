#pragma once
/// What a small motion of one joint tells of its drive: is it this joint that moves, which way, how
/// far, and does it carry what the model says it carries.
///
///     order   no other joint goes further than `still`
///     sign    truth goes the way that was asked
///     scale   truth, and what the drive reports, go as far as was asked, to `scale`
///     torque  what the drive reports at rest is the model's gravity, to `torque` of torque_max and
///             twice the joint's friction, which may hold it up
///
/// A drive whose direction or gear is told wrongly is commanded and read with the same mistake: by
/// itself it looks right. So sign, scale and order want a witness beside it, the physics behind
/// virtual boards or a person who looks (wiggle_verb.h).

#include <optional>
#include <string>
#include <vector>

#include "control/core/enumeration.h"
#include "control/core/robot_config.h"

namespace jointrig::app {

struct WiggleOptions {
  double angle = 0.5 * 3.14159265358979323846 / 180.0;  ///< each way [rad]
  double way = 0.5e-3;                                  ///< of a slide [m]
  double seconds = 1.0;                                 ///< for each of its three motions
  double still = 0.3;    ///< of the motion, that another joint may give way
  double scale = 0.05;   ///< of the motion
  double torque = 0.05;  ///< of torque_max
  double sag = 4.0;      ///< of the motion, that a joint may go when the motors come on
};

/// [rad or m]
[[nodiscard]] inline double amplitude(const JointConfig& joint, const WiggleOptions& options) {
  return joint.slide ? options.way : options.angle;
}

/// All joints at rest, by joint.
struct WiggleSample {
  std::vector<double> q;        ///< as reported [rad or m]
  std::vector<double> tau;      ///< as reported [N·m or N]
  std::vector<double> gravity;  ///< by the model, where they stand [N·m or N]
  std::vector<double> truth;    ///< of the physics [rad or m]; empty: nobody knows it
};

#define JOINTRIG_WIGGLE_FINDINGS(X)    \
  X(kPassed, "passed")                 \
  X(kOrder, "order")                   \
  X(kSign, "sign")                     \
  X(kScale, "scale")                   \
  X(kDoesNotFollow, "does_not_follow") \
  X(kTorque, "torque")                 \
  X(kBroken, "broken")
JOINTRIG_ENUM(WiggleFinding, JOINTRIG_WIGGLE_FINDINGS)

struct WiggleVerdict {
  JointIndex joint = 0;
  WiggleFinding finding = WiggleFinding::kBroken;
  double asked = 0.0;           ///< from one end to the other [rad or m]
  double reported = 0.0;        ///< by the drive
  std::optional<double> truth;  ///< by the physics
  double torque = 0.0;          ///< reported where it stood before
  double gravity = 0.0;         ///< by the model, there
  std::string sentence;         ///< the cause, and what to look at; empty: passed
};

/// Who else moves, and how far, where it is too far.
struct Mover {
  JointIndex joint = 0;
  double way = 0.0;  ///< [rad or m]
};
/// The joint but `told` that has gone furthest between two samples, by what the drives report and
/// by the truth, if that is more than `still` allows.
[[nodiscard]] std::optional<Mover> who_else_moves(const RobotConfig& robot, JointIndex told,
                                                  const WiggleSample& from, const WiggleSample& to,
                                                  const WiggleOptions& options);

/// A joint that went further than it may when the motors came on: nothing more is tried then.
[[nodiscard]] std::optional<WiggleVerdict> who_let_go(const RobotConfig& robot,
                                                      const WiggleSample& before,
                                                      const WiggleSample& now,
                                                      const WiggleOptions& options);

/// @param rest, low, high  before the motion and at its ends
/// @param asked            from `low` to `high` [rad or m]
[[nodiscard]] WiggleVerdict judge_wiggle(const RobotConfig& robot, JointIndex joint,
                                         const WiggleSample& rest, const WiggleSample& low,
                                         const WiggleSample& high, double asked,
                                         const WiggleOptions& options);

/// The verdict where another joint moved.
[[nodiscard]] WiggleVerdict wrong_mover(const RobotConfig& robot, JointIndex told,
                                        const Mover& mover, double asked);

}  // namespace jointrig::app
