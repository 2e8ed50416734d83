#pragma once

#include <mujoco/mujoco.h>

#include "control/model/shape_distance.h"

namespace jointrig {

/// The smallest capsule along the box's longest side that encloses the box.
Shape enclosing_capsule(const Shape& box) noexcept;

/// A geom as a shape in the frame of its body: a capsule, sphere, box or plane as it is, else the
/// smallest enclosing capsule along its longest side.
Shape shape_of(const mjModel& model, int geom);

}  // namespace jointrig
