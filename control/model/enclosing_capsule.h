#pragma once

#include <mujoco/mujoco.h>

#include "control/model/shape_distance.h"

namespace jointrig {

/// A box as a capsule along its longest side, of the least volume that holds it.
Shape enclosing_capsule(const Shape& box) noexcept;

/// A geom as a shape in the frame of its body: itself where it is a capsule, sphere, box or plane,
/// else the capsule of least volume, along its longest side, that holds it.
Shape shape_of(const mjModel& model, int geom);

}  // namespace jointrig
