#pragma once

#include <string>

#include "control/model/mjcf.h"

namespace jointrig::sim {

/// Puts what a scene file has (bodies, floor, lights, materials) into the robot's world, frames and
/// names as they are; scene joints start as the scene's keyframe says. Throws ModelError, also
/// where robot and scene use the same name.
void attach_scene(Mjcf& robot, const std::string& scene_path);

}  // namespace jointrig::sim
