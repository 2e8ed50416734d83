#pragma once

#include "control/laws/momentum_observer.h"
#include "control/safety/contact_detector.h"
#include "control/safety/suppression.h"

namespace jointrig {

/// What acts on the tool of an arm, as it was felt in a cycle: by its sensor where it has a good
/// one, else by its joints' torques.
struct HandWrench {
  double force = 0.0;     ///< [N]
  double torque = 0.0;    ///< [N·m]
  bool is_known = false;  ///< by either
};

/// All that changes about what runs beside every mode: saved and restored by assignment.
struct GuardState {
  FewBits<Protection> on;
  Suppression suppression;
  PerJoint<MomentumObserver> observers;  ///< of kContactGain
  ContactDetector detector;
  PerArm<HandWrench> hands;    ///< of the last cycle
  PerJoint<double> stop_left;  ///< of a joint that has met something [s]
  /// Cycle after the one in which avoidance last did it.
  std::array<std::uint64_t, kAllAvoidanceAct.size()> acted{};
};

}  // namespace jointrig
