#include <fmt/core.h>

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

/// True for a base, which carries further joints; false for a cup on a table.
bool carries_joints(const mjModel& m, int body) {
  for (int j = 0; j < m.njnt; ++j) {
    if (m.jnt_bodyid[j] != body && is_inside(m, m.jnt_bodyid[j], body)) return true;
  }
  return false;
}

bool is_driven(const mjModel& m, int joint) {
  for (int a = 0; a < m.nactuator; ++a) {
    const int transmission = m.actuator_trntype[a];
    if (transmission != mjTRN_JOINT && transmission != mjTRN_JOINTINPARENT) continue;
    if (m.actuator_trnid[2 * a] == joint) return true;
  }
  return false;
}

void remove_joint(Mjcf& mjcf, const std::string& name) {
  mjsElement* element = mjs_findElement(mjcf.spec.get(), mjOBJ_JOINT, name.c_str());
  if (mjs_delete(mjcf.spec.get(), element) != 0) {
    throw ModelError(sentence_of(mjs_getError(mjcf.spec.get()), mjcf.path));
  }
  mjcf.start.q.erase(name);
}

/// Removes the joints of one body and fixes it in the pose that they gave, `motion` away from
/// qpos0.
///
/// With F the pose of the frame elements around the body, W the pose written in the file and P0
/// the pose it compiles to without the joints, P0 = F W. Wanted is P = F W', so W' = W P0⁻¹ P.
void pin(Mjcf& mjcf, const std::vector<std::string>& joints, const Pose& motion) {
  mjsBody* body =
      mjs_getParent(mjs_findElement(mjcf.spec.get(), mjOBJ_JOINT, joints.front().c_str()));
  const Pose written = written_pose(mjcf, *body);
  for (const std::string& joint : joints) remove_joint(mjcf, joint);
  const Pose unmoved = compiled_pose(*compile(mjcf), mjs_getId(body->element));
  const Pose wanted = motion * unmoved;
  write_pose(*body, written * inverse(unmoved) * wanted);
  const Pose reached = compiled_pose(*compile(mjcf), mjs_getId(body->element));
  const std::string name = mjs_getString(mjs_getName(body->element));
  constexpr double kTolerance = 1e-6;  // [m + rad]: a choice, far above rounding
  if (!(distance(reached, wanted) < kTolerance)) {
    throw ModelError(mjcf.path + ": the base \"" + name +
                     "\" can't be pinned: its frame is scaled");
  }
  mjcf.pinned.push_back(name);
}

std::string named_body(Mjcf& mjcf, int id) {
  for (mjsElement* element = mjs_firstElement(mjcf.spec.get(), mjOBJ_BODY); element != nullptr;
       element = mjs_nextElement(mjcf.spec.get(), element)) {
    if (mjs_getId(element) != id) continue;
    std::string name = mjs_getString(mjs_getName(element));
    if (name.empty()) mjs_setName(element, (name = fmt::format("body_{}", id)).c_str());
    return name;
  }
  throw ModelError(fmt::format("{}: body {} is not in the file", mjcf.path, id));
}

/// MuJoCo lets links that share a joint not collide, unless the carrying link is fixed in the
/// world: a fixed base would then push its neighbours away. Call while the ids of bodies are those
/// of the model as written.
void keep_apart_from_neighbours(Mjcf& mjcf, int base) {
  const mjModel& m = *mjcf.as_written;
  if ((m.opt.disableflags & mjDSBL_FILTERPARENT) != 0) return;
  for (int b = 1; b < m.nbody; ++b) {
    const int link = m.body_weldid[b];
    if (link == base || m.body_weldid[m.body_parentid[link]] != base) continue;
    for (int a = 1; a < m.nbody; ++a) {
      if (m.body_weldid[a] != base || m.body_geomnum[a] == 0 || m.body_geomnum[b] == 0) continue;
      mjsExclude* exclude = mjs_addExclude(mjcf.spec.get());
      mjs_setString(exclude->bodyname1, named_body(mjcf, a).c_str());
      mjs_setString(exclude->bodyname2, named_body(mjcf, b).c_str());
    }
  }
}

/// The compiler may move the frame of a free joint to the centre of mass ("alignfree"): the joint's
/// value Q then places that frame, and P = Q Q0⁻¹ P0 with Q0 its value at qpos0.
Pose motion_of_free_joint(const Mjcf& mjcf, int joint) {
  const mjModel& m = *mjcf.as_written;
  const std::vector<double>& q = mjcf.start.q.at(name_of(m, mjOBJ_JOINT, joint));
  const double* q0 = m.qpos0 + m.jnt_qposadr[joint];
  return pose_from(q.data(), q.data() + 3) * inverse(pose_from(q0, q0 + 3));
}

/// P P0⁻¹ for a body.
Pose motion_from_qpos0(const Mjcf& mjcf, int body) {
  const mjModel& m = *mjcf.as_written;
  const DataPtr data = make_data(m, mjcf.path);
  const auto pose = [&] {
    mj_kinematics(&m, data.get());
    return pose_from(data->xpos + 3 * body, data->xquat + 4 * body);
  };
  const Pose at_qpos0 = pose();
  apply(mjcf.start, m, *data);
  return pose() * inverse(at_qpos0);
}

}  // namespace

bool floats_on_slides(const mjModel& m, int body) noexcept {
  if (body <= 0 || m.body_parentid[body] != 0 || m.body_jntnum[body] == 0) return false;
  bool slides = false;
  const int first = m.body_jntadr[body];
  for (int j = first; j < first + m.body_jntnum[body]; ++j) {
    const bool hinge_or_slide = m.jnt_type[j] == mjJNT_HINGE || m.jnt_type[j] == mjJNT_SLIDE;
    if (!hinge_or_slide || is_driven(m, j)) return false;
    slides = slides || m.jnt_type[j] == mjJNT_SLIDE;
  }
  return slides && carries_joints(m, body);
}

std::vector<std::string> pin_base(Mjcf& mjcf) {
  const mjModel& m = *mjcf.as_written;
  for (int body = 1; body < m.nbody; ++body) {
    const int first = m.body_jntadr[body];
    if (first < 0) continue;
    const bool is_free = m.jnt_type[first] == mjJNT_FREE && carries_joints(m, body);
    if (!is_free && !floats_on_slides(m, body)) continue;
    std::vector<std::string> joints;
    for (int j = first; j < first + m.body_jntnum[body]; ++j) {
      joints.push_back(name_of(m, mjOBJ_JOINT, j));
    }
    if (!mjcf.start.q.contains(joints.front())) continue;  // pinned already
    keep_apart_from_neighbours(mjcf, body);
    pin(mjcf, joints, is_free ? motion_of_free_joint(mjcf, first) : motion_from_qpos0(mjcf, body));
  }
  return mjcf.pinned;
}

}  // namespace jointrig
