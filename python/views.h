#pragma once
/// The snapshot as numpy sees it: read-only arrays over the stack's own memory, nothing is copied.
/// They show the last cycle, and own the session, so they outlive a Sim.

#include <memory>

#include "python/bindings.h"
#include "python/session.h"

namespace jointrig::python {

/// By name, one number for each joint, in the order of the robot's joints; and the robot's base and
/// force/torque sensors. Names and meaning are those of the log (docs/logging.md).
[[nodiscard]] nb::dict joint_views(const std::shared_ptr<Session>& session);

/// By arm, then by name.
[[nodiscard]] nb::dict arm_views(const std::shared_ptr<Session>& session);

}  // namespace jointrig::python
