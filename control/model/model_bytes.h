#pragma once

#include <mujoco/mujoco.h>

#include <string>

namespace jointrig {

/// A compiled model with its meshes, textures and height fields, as bytes: equal for equal models,
/// whatever files they came from. For start-up.
std::string bytes_of(const mjModel& model);

}  // namespace jointrig
