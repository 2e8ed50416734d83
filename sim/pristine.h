#pragma once
/// Elements that are added to a spec inherit the file's defaults: a gear, a margin, a contact mask.
/// These functions restore MuJoCo's own defaults, so that an added element means the same in every
/// model.

#include <mujoco/mujoco.h>

namespace jointrig::sim {

inline void make_pristine(mjsActuator& actuator) noexcept {
  mjsActuator fresh;
  mjs_defaultActuator(&fresh);
  fresh.element = actuator.element;  // the following fields belong to the spec
  fresh.target = actuator.target;
  fresh.refsite = actuator.refsite;
  fresh.slidersite = actuator.slidersite;
  fresh.userdata = actuator.userdata;
  fresh.plugin = actuator.plugin;
  fresh.info = actuator.info;
  actuator = fresh;
}

inline void make_pristine(mjsGeom& geom) noexcept {
  mjsGeom fresh;
  mjs_defaultGeom(&fresh);
  mjs_setString(geom.material, "");
  fresh.element = geom.element;  // the following fields belong to the spec
  fresh.material = geom.material;
  fresh.hfieldname = geom.hfieldname;
  fresh.meshname = geom.meshname;
  fresh.userdata = geom.userdata;
  fresh.plugin = geom.plugin;
  fresh.info = geom.info;
  geom = fresh;
}

}  // namespace jointrig::sim
