#pragma once

#include <optional>

#include "control/core/types.h"
#include "control/stack/event_reporter.h"
#include "control/stack/joints.h"
#include "control/wholebody/base_estimator.h"

namespace jointrig {

/// Mode torque that is asked of a robot on feet while nobody knows where its base is. Until the
/// whole-body controller runs, joints in mode torque are limp, and such a robot falls before its
/// base is found. So these joints hold, in mode position, and go to torque all together, in the
/// cycle in which its base is known and each of them is on, free and at rest: the controller runs
/// from that cycle on, and torque and motion go on without a jump, as from any mode position.
///
///     asked     by a command for mode torque (Stack::take)
///     granted   as above
///     given up  after kTorquePatience: the joints hold on, and an event tells the obstacle
///     dropped   of a joint: by a command for a mode, STOP, and all that ends its mode position
///               of all: the controller is switched off
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class TorqueWish {
 public:
  /// Now the joints are in mode position.
  void ask(const JointSet& joints) noexcept;
  void drop(const JointSet& joints) noexcept { joints_ &= ~joints; }
  [[nodiscard]] bool is_there() const noexcept { return joints_.any(); }

  /// The controller that they wait for.
  struct Controller {
    LawIndex law = kNoLaw;
    bool is_on = false;
    bool may_run = false;  ///< its base is known
    BaseDoubt doubt;       ///< if it isn't
  };
  /// Runs one cycle, before the commands.
  void advance(Joints joints, const Controller& controller, double dt,
               EventReporter& events) noexcept;

 private:
  struct Obstacle {
    BaseDoubt what;
    JointIndex joint = kNoJoint;
  };
  [[nodiscard]] std::optional<Obstacle> obstacle(Joints joints,
                                                 const Controller& controller) const noexcept;
  void grant(Joints joints, EventReporter& events) noexcept;

  JointSet joints_;
  double waited_ = 0.0;  // [s]
};

}  // namespace jointrig
