#pragma once

#include <string>

#include "control/model/mjcf.h"

namespace jointrig::sim {

/// Adds the contents of a scene file (bodies, floor, lights, materials) to the robot's world, with
/// their frames and names; scene joints start in the scene's keyframe. Throws ModelError, also if
/// robot and scene use the same name.
void attach_scene(Mjcf& robot, const std::string& scene_path);

}  // namespace jointrig::sim
