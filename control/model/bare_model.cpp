#include "control/model/bare_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace jointrig {
namespace {

Mjcf copy_of(const Mjcf& mjcf) {
  Mjcf copy;
  copy.path = mjcf.path;
  copy.spec.reset(mj_copySpec(mjcf.spec.get()));
  if (!copy.spec) throw ModelError(mjcf.path + ": the model can't be copied");
  return copy;
}

void remove_all(mjSpec* spec, mjtObj type) {
  while (mjsElement* element = mjs_firstElement(spec, type)) {
    if (mjs_delete(spec, element) != 0) throw ModelError(mjs_getError(spec));
  }
}

bool has_tendon_springs(const mjModel& m) {
  return std::any_of(m.tendon_stiffness, m.tendon_stiffness + m.ntendon,
                     [](double stiffness) { return stiffness != 0.0; });
}

/// Writes each body's compiled mass and inertia into the spec, in place of the geoms' contribution.
void fix_masses(mjSpec* spec, const mjModel& m) {
  for (mjsElement* element = mjs_firstElement(spec, mjOBJ_BODY); element != nullptr;
       element = mjs_nextElement(spec, element)) {
    mjsBody* body = mjs_asBody(element);
    const int id = mjs_getId(element);
    if (id <= 0) continue;
    body->explicitinertial = true;
    body->mass = m.body_mass[id];
    mju_copy3(body->ipos, m.body_ipos + 3 * id);
    mju_copy4(body->iquat, m.body_iquat + 4 * id);
    mju_copy3(body->inertia, m.body_inertia + 3 * id);
    body->ialt.type = mjORIENTATION_QUAT;
    body->fullinertia[0] = std::numeric_limits<double>::quiet_NaN();  // unset
  }
  spec->compiler.inertiafromgeom = mjINERTIAFROMGEOM_FALSE;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * (std::abs(a) + std::abs(b)); }

bool same_masses(const mjModel& a, const mjModel& b) {
  if (a.nbody != b.nbody || a.nq != b.nq || a.nv != b.nv) return false;
  for (int i = 0; i < a.nbody; ++i) {
    if (!near(a.body_mass[i], b.body_mass[i])) return false;
    for (int k = 3 * i; k < 3 * i + 3; ++k) {
      if (!near(a.body_inertia[k], b.body_inertia[k])) return false;
    }
  }
  return true;
}

}  // namespace

ModelPtr compile_bare(const Mjcf& mjcf, const mjModel& whole) {
  try {
    Mjcf copy = copy_of(mjcf);
    mjSpec* spec = copy.spec.get();
    remove_all_actuators(copy);
    fix_masses(spec, whole);
    for (const mjtObj type :
         {mjOBJ_SENSOR, mjOBJ_TUPLE, mjOBJ_EQUALITY, mjOBJ_PAIR, mjOBJ_EXCLUDE, mjOBJ_SKIN}) {
      remove_all(spec, type);
    }
    if (!has_tendon_springs(whole)) remove_all(spec, mjOBJ_TENDON);
    for (const mjtObj type : {mjOBJ_GEOM, mjOBJ_MESH, mjOBJ_HFIELD}) remove_all(spec, type);
    ModelPtr bare = compile(copy);
    if (same_masses(whole, *bare)) return bare;
  } catch (const ModelError&) {
    // An element refers to a removed one: use the whole model, which is slower.
  }
  Mjcf copy = copy_of(mjcf);
  remove_all_actuators(copy);
  return compile(copy);
}

}  // namespace jointrig
