#pragma once

#include "control/laws/momentum_observer.h"
#include "control/safety/contact_detector.h"
#include "control/safety/suppression.h"

namespace jointrig {

/// All that changes about what runs beside every mode: saved and restored by assignment.
struct GuardState {
  FewBits<Protection> on;
  Suppression suppression;
  PerJoint<MomentumObserver> observers;  ///< of kContactGain
  ContactDetector detector;
  PerJoint<double> stop_left;  ///< of a joint that has met something [s]
  /// Cycle after the one in which avoidance last did it.
  std::array<std::uint64_t, kAllAvoidanceAct.size()> acted{};
};

}  // namespace jointrig
