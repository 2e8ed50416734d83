#include <array>
#include <cmath>
#include <optional>

#include "control/model/mjcf.h"
#include "control/model/mjcf_messages.h"

namespace jointrig {
namespace {

struct Pose {
  std::array<double, 3> position{};
  std::array<double, 4> orientation{1.0, 0.0, 0.0, 0.0};  // w x y z
};

Pose inverse(const Pose& pose) {
  Pose result;
  mju_negPose(result.position.data(), result.orientation.data(), pose.position.data(),
              pose.orientation.data());
  return result;
}

Pose operator*(const Pose& a, const Pose& b) {
  Pose result;
  mju_mulPose(result.position.data(), result.orientation.data(), a.position.data(),
              a.orientation.data(), b.position.data(), b.orientation.data());
  return result;
}

Pose pose_from(const double* position, const double* quaternion) {
  Pose pose;
  mju_copy(pose.position.data(), position, 3);
  mju_copy(pose.orientation.data(), quaternion, 4);
  mju_normalize4(pose.orientation.data());
  return pose;
}

/// The pose as written in the file, within the body's frame element if it has one.
Pose written_pose(const Mjcf& mjcf, const mjsBody& body) {
  Pose pose = pose_from(body.pos, body.quat);
  if (body.alt.type != mjORIENTATION_QUAT) {
    const mjsCompiler* compiler = mjs_getCompiler(body.element);
    const char* error = mjs_resolveOrientation(pose.orientation.data(), compiler->degree,
                                               compiler->eulerseq, &body.alt);
    if (error != nullptr) throw ModelError(mjcf.path + ": " + error);
  }
  return pose;
}

void write_pose(mjsBody& body, const Pose& pose) {
  mju_copy(body.pos, pose.position.data(), 3);
  mju_copy(body.quat, pose.orientation.data(), 4);
  body.alt.type = mjORIENTATION_QUAT;
}

Pose compiled_pose(const mjModel& model, int body) {
  return pose_from(model.body_pos + 3 * body, model.body_quat + 4 * body);
}

double distance(const Pose& a, const Pose& b) {
  const Pose difference = inverse(a) * b;
  std::array<double, 3> turn{};
  mju_quat2Vel(turn.data(), difference.orientation.data(), 1.0);
  return mju_norm3(difference.position.data()) + mju_norm3(turn.data());
}

bool is_inside(const mjModel& m, int body, int root) {
  while (body > root) body = m.body_parentid[body];
  return body == root;
}

/// A base carries further joints; a cup on the table doesn't.
bool is_base(const mjModel& m, int free_joint) {
  for (int j = 0; j < m.njnt; ++j) {
    if (j != free_joint && is_inside(m, m.jnt_bodyid[j], m.jnt_bodyid[free_joint])) return true;
  }
  return false;
}

/// Bolts the body of one free joint where `start` has it.
///
/// With F the pose of the frame elements around the body, W the pose written in the file and P0
/// the pose it compiles to without the joint, P0 = F W. Wanted is P = F W', so W' = W P0⁻¹ P.
/// A free joint may have its frame moved to the centre of mass by the compiler ("alignfree"):
/// the joint's value Q then places that frame, and P = Q Q0⁻¹ P0 with Q0 its value at qpos0.
void pin(Mjcf& mjcf, const std::string& joint_name, const Pose& q, const Pose& q0) {
  mjsElement* element = mjs_findElement(mjcf.spec.get(), mjOBJ_JOINT, joint_name.c_str());
  mjsBody* body = mjs_getParent(element);
  const Pose written = written_pose(mjcf, *body);
  if (mjs_delete(mjcf.spec.get(), element) != 0) {
    throw ModelError(sentence_of(mjs_getError(mjcf.spec.get()), mjcf.path));
  }
  const Pose unmoved = compiled_pose(*compile(mjcf), mjs_getId(body->element));
  const Pose wanted = q * inverse(q0) * unmoved;
  write_pose(*body, written * inverse(unmoved) * wanted);
  const Pose reached = compiled_pose(*compile(mjcf), mjs_getId(body->element));
  constexpr double kTolerance = 1e-6;  // [m + rad]: a choice, far above rounding
  if (!(distance(reached, wanted) < kTolerance)) {
    throw ModelError(mjcf.path + ": the base \"" + mjs_getString(mjs_getName(body->element)) +
                     "\" can't be pinned: its frame is scaled");
  }
}

}  // namespace

std::vector<std::string> pin_base(Mjcf& mjcf) {
  const mjModel& m = *mjcf.as_written;
  for (int j = 0; j < m.njnt; ++j) {
    if (m.jnt_type[j] != mjJNT_FREE || !is_base(m, j)) continue;
    const std::string joint = name_of(m, mjOBJ_JOINT, j);
    const auto value = mjcf.start.q.find(joint);
    if (value == mjcf.start.q.end()) continue;  // pinned already
    const double* q0 = m.qpos0 + m.jnt_qposadr[j];
    pin(mjcf, joint, pose_from(value->second.data(), value->second.data() + 3),
        pose_from(q0, q0 + 3));
    mjcf.start.q.erase(value);
    mjcf.pinned.push_back(name_of(m, mjOBJ_BODY, m.jnt_bodyid[j]));
  }
  return mjcf.pinned;
}

}  // namespace jointrig
