#pragma once
/// Checks a drive by a small motion of one joint: the right joint moves, in the right direction, by
/// the right distance, and carries the model's load.
///
///     order   no other joint moves further than `still`
///     sign    truth moves in the commanded direction
///     scale   truth and the drive's report equal the commanded distance, to `scale`
///     torque  the drive's report at rest is the model's gravity, to `torque` of torque_max and
///             twice the joint's friction, which may hold it up
///
/// If robot.yaml has a wrong direction or gear, commands and readings have the same error, so that
/// the drive's own report is consistent. Sign, scale and order therefore need another witness: the
/// physics of virtual boards, or a person (wiggle_verb.h).

#include <optional>
#include <string>
#include <vector>

#include "control/core/enumeration.h"
#include "control/core/robot_config.h"

namespace jointrig::app {

struct WiggleOptions {
  double angle = 0.5 * 3.14159265358979323846 / 180.0;  ///< in each direction [rad]
  double way = 0.5e-3;                                  ///< for a slide, in each direction [m]
  double seconds = 1.0;                                 ///< for each of its three motions
  double still = 0.3;    ///< share of the motion that another joint may move
  double scale = 0.05;   ///< tolerance, relative to the motion
  double torque = 0.05;  ///< tolerance, relative to torque_max
  double sag = 4.0;      ///< distance that a joint may move when the motors come on, in motions
};

/// [rad or m]
[[nodiscard]] inline double amplitude(const JointConfig& joint, const WiggleOptions& options) {
  return joint.slide ? options.way : options.angle;
}

/// All joints at rest, by joint.
struct WiggleSample {
  std::vector<double> q;        ///< as reported [rad or m]
  std::vector<double> tau;      ///< as reported [N·m or N]
  std::vector<double> gravity;  ///< by the model, at these positions [N·m or N]
  std::vector<double> truth;    ///< by the physics [rad or m]; empty: unknown
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
  double asked = 0.0;           ///< commanded, from one end to the other [rad or m]
  double reported = 0.0;        ///< by the drive
  std::optional<double> truth;  ///< by the physics
  double torque = 0.0;          ///< reported at rest before
  double gravity = 0.0;         ///< by the model, at the same position
  std::string sentence;         ///< the cause, and what to check; empty: passed
};

/// Another joint that moves too far, and its distance.
struct Mover {
  JointIndex joint = 0;
  double way = 0.0;  ///< [rad or m]
};
/// The joint other than `told` that moved furthest between two samples, by the drives' reports and
/// by the truth, if that is more than `still` allows.
[[nodiscard]] std::optional<Mover> who_else_moves(const RobotConfig& robot, JointIndex told,
                                                  const WiggleSample& from, const WiggleSample& to,
                                                  const WiggleOptions& options);

/// A joint that moved further than allowed when the motors came on: the test then ends.
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

/// The verdict if another joint moved.
[[nodiscard]] WiggleVerdict wrong_mover(const RobotConfig& robot, JointIndex told,
                                        const Mover& mover, double asked);

}  // namespace jointrig::app
