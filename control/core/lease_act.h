#pragma once

#include "control/core/enumeration.h"

namespace jointrig {

/// Changes of the lease of a served robot (remote/lease.h). The first two are event `lease`, the
/// others end it against its holder's will (event `lease_lost`).
///
///     taken         a client holds it from now on
///     released      its holder gave it back
///     taken_over    another client took it by force
///     silent        nothing was heard of its holder for too long
///     disconnected  its holder's connection ended
///     stopped       another client stopped the robot
#define JOINTRIG_LEASE_ACTS(X)     \
  X(kTaken, "taken")               \
  X(kReleased, "released")         \
  X(kTakenOver, "taken_over")      \
  X(kSilent, "silent")             \
  X(kDisconnected, "disconnected") \
  X(kStopped, "stopped")
JOINTRIG_ENUM(LeaseAct, JOINTRIG_LEASE_ACTS)

}  // namespace jointrig
