#pragma once

#include <optional>
#include <vector>

#include "control/core/arm_commands.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "remote/ros2_messages.h"

namespace jointrig::remote {

/// Samples of stream_tool_target from velocities of an arm's tool. Each message moves the target
///
///     p' = p + v dt        v, w   linear [m/s] and angular [rad/s] velocity, along the arm's base
///     R' = exp(w dt) R     dt     robot time since the arm's message before [s]
///
/// The first message, and the first after kSilence, begins at the target as it was asked for last,
/// and moves nothing. A target that the tool can't follow doesn't run away: where it would be
/// further from the tool than kLeash, and further than before, it stays. One thread.
class TwistSteps {
 public:
  static constexpr double kSilence = 0.2;  ///< [s]; as of the lease
  static constexpr double kLeash = 0.1;    ///< [m]; choice: error_max of an arm, unless it is set

  explicit TwistSteps(const RobotConfig& robot) : robot_(&robot), arms_(robot.arms.size()) {}

  /// @param now  the newest snapshot
  /// Throws std::invalid_argument with a sentence: a number that isn't finite, a velocity above the
  /// arm's limit, a frame that is neither its base nor its tool.
  [[nodiscard]] StreamToolTarget next(ArmIndex arm, const TwistMessage& message,
                                      const Snapshot& now);
  /// The sample was refused: the next message begins anew.
  void forget(ArmIndex arm) { arms_[arm].reset(); }

 private:
  struct Last {
    TimeNs time_ns = 0;
    ToolPose target;
  };
  const RobotConfig* robot_;
  std::vector<std::optional<Last>> arms_;
};

}  // namespace jointrig::remote
