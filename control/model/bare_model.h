#pragma once
/// The controller's own model: masses, joints and frames, without what only a plant needs.

#include "control/model/mjcf.h"

namespace jointrig {

/// Compiles the spec without actuators, sensors, equalities, contacts, geoms and meshes, which
/// makes kinematics about half as dear for an arm with meshes (measured on the Franka arm: 0.34
/// instead of 0.65 µs). Tendons stay where one is a spring. Joints and bodies keep ids and order.
/// Where MuJoCo can't do without one of those (masses that differ, say) all of them stay.
///
/// @param whole  what the spec compiles to as it is
ModelPtr compile_bare(const Mjcf& mjcf, const mjModel& whole);

}  // namespace jointrig
