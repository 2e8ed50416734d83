#include "sim/scene.h"

#include "control/model/mjcf_messages.h"

namespace jointrig::sim {
namespace {

/// The generated "joint_0" of the scene may exist in the robot as well.
void rename_generated(Mjcf& scene) {
  for (const std::string& name : scene.named) {
    const std::string better = "scene:" + name;
    for (const mjtObj type : {mjOBJ_JOINT, mjOBJ_ACTUATOR}) {
      mjsElement* element = mjs_findElement(scene.spec.get(), type, name.c_str());
      if (element != nullptr) mjs_setName(element, better.c_str());
    }
    for (auto* map : {&scene.start.q, &scene.start.ctrl, &scene.start.act}) {
      if (auto node = map->extract(name)) {
        node.key() = better;
        map->insert(std::move(node));
      }
    }
  }
}

}  // namespace

void attach_scene(Mjcf& robot, const std::string& scene_path) {
  const bool draws = robot.spec->compiler.discardvisual == 0;
  Mjcf scene = load_mjcf(scene_path, {}, {}, draws ? Shapes::kAll : Shapes::kColliding);
  rename_generated(scene);
  mjs_setDeepCopy(robot.spec.get(), 1);
  mjsFrame* frame = mjs_addFrame(mjs_findBody(robot.spec.get(), "world"), nullptr);
  const mjsBody* world = mjs_findBody(scene.spec.get(), "world");
  mjs_setName(world->element, "scene");
  mjsElement* attached = mjs_attach(frame->element, world->element, "", "");
  mjsBody* body = attached != nullptr ? mjs_asBody(attached) : nullptr;
  // The scene's world has become a body; its contents belong to the robot's world.
  if (body == nullptr || mjs_bodyToFrame(&body) == nullptr) {
    throw ModelError(scene_path + " can't be put around " + robot.path + ": " +
                     sentence_of(mjs_getError(robot.spec.get()), {}));
  }
  robot.start.q.merge(scene.start.q);
  robot.start.ctrl.merge(scene.start.ctrl);
  robot.start.act.merge(scene.start.act);
  robot.start.mocap.merge(scene.start.mocap);
  robot.warnings.insert(robot.warnings.end(), scene.warnings.begin(), scene.warnings.end());
}

}  // namespace jointrig::sim
