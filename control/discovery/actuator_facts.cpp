#include "control/discovery/actuator_facts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace jointrig {
namespace {

const mjtNum* gain(const mjModel& m, int a) { return m.actuator_gainprm + a * mjNGAIN; }
const mjtNum* bias(const mjModel& m, int a) { return m.actuator_biasprm + a * mjNBIAS; }

std::string number(double value) { return fmt::format("{:.4g}", value); }

/// The smaller side of a range, in torque; a range without zero has one side only.
TorqueLimit from_range(double low, double high, double scale, const std::string& source) {
  const double down = std::max(0.0, -low) * scale;
  const double up = std::max(0.0, high) * scale;
  const double smaller = std::min(down, up);
  const double larger = std::max(down, up);
  const bool one_sided = smaller == 0.0;
  return {one_sided ? larger : smaller, source, one_sided || smaller < 0.9 * larger};
}

std::string times_gear(const std::string& text, double gear) {
  return gear == 1.0 ? text : text + " x gear " + number(gear);
}

bool is_plain_motor(const mjModel& m, int a) {
  const int dynamics = m.actuator_dyntype[a];
  const bool passes_control =
      dynamics == mjDYN_NONE || dynamics == mjDYN_FILTER || dynamics == mjDYN_FILTEREXACT;
  return m.actuator_gaintype[a] == mjGAIN_FIXED && m.actuator_biastype[a] == mjBIAS_NONE &&
         passes_control;
}

/// MuJoCo's muscle: parameter 2 is the peak force; if negative, the force is parameter 3 over the
/// acceleration of a unit force ("actuator/muscle": force, scale).
double muscle_force(const mjModel& m, int a) {
  const double peak = gain(m, a)[2];
  return peak >= 0.0 ? peak : gain(m, a)[3] / std::max(m.actuator_acc0[a], mjMINVAL);
}

}  // namespace

bool drives_one_joint(const mjModel& m, int a) noexcept {
  const int transmission = m.actuator_trntype[a];
  if (transmission != mjTRN_JOINT && transmission != mjTRN_JOINTINPARENT) return false;
  const int type = m.jnt_type[m.actuator_trnid[2 * a]];
  return type == mjJNT_HINGE || type == mjJNT_SLIDE;
}

bool is_damper(const mjModel& m, int a) noexcept {
  return m.actuator_gaintype[a] == mjGAIN_AFFINE && gain(m, a)[0] == 0.0 && gain(m, a)[1] == 0.0 &&
         m.actuator_biastype[a] == mjBIAS_NONE;
}

bool is_one_sided(const mjModel& m, int a) noexcept {
  if (m.actuator_gaintype[a] == mjGAIN_MUSCLE) return true;
  const mjtNum* range = m.actuator_forcerange + 2 * a;
  return m.actuator_forcelimited[a] && range[0] * range[1] >= 0.0;
}

std::string kind_of(const mjModel& m, int a) {
  if (m.actuator_plugin[a] >= 0) return "plugin";
  switch (m.actuator_gaintype[a]) {
    case mjGAIN_MUSCLE:
      return "muscle";
    case mjGAIN_DCMOTOR:
      return "dc motor";
    case mjGAIN_SO3:
      return "orientation servo";
    case mjGAIN_PID:
      return "pid servo";
    case mjGAIN_USER:
      return "user-defined";
    default:
      break;
  }
  if (is_damper(m, a)) return "damper";
  if (m.actuator_biastype[a] == mjBIAS_AFFINE) {
    if (bias(m, a)[1] != 0.0) {
      return m.actuator_dyntype[a] == mjDYN_INTEGRATOR ? "integrated velocity servo"
                                                       : "position servo";
    }
    if (bias(m, a)[2] != 0.0) return "velocity servo";
  }
  return is_plain_motor(m, a) ? "motor" : "general";
}

std::string transmission_of(const mjModel& m, int a) {
  switch (m.actuator_trntype[a]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return "joint";
    case mjTRN_SLIDERCRANK:
      return "slider-crank";
    case mjTRN_TENDON:
      return "tendon";
    case mjTRN_SITE:
      return "site";
    case mjTRN_BODY:
      return "body";
    case mjTRN_SO3:
      return "orientation";
    default:
      return "unknown";
  }
}

std::optional<TorqueLimit> torque_limit(const mjModel& m, int a) {
  const double gear = std::abs(m.actuator_gear[6 * m.actuator_outadr[a]]);
  std::optional<TorqueLimit> limit;
  const auto tighten = [&](const TorqueLimit& other) {
    if (other.value > 0.0 && (!limit || other.value < limit->value)) limit = other;
  };
  if (m.actuator_forcelimited[a]) {
    const mjtNum* range = m.actuator_forcerange + 2 * a;
    tighten(from_range(range[0], range[1], gear, times_gear("force range", gear)));
  }
  const int control = m.actuator_ctrladr[a];
  if (is_plain_motor(m, a) && m.actuator_ctrllimited[control]) {
    const mjtNum* range = m.actuator_ctrlrange + 2 * control;
    const double scale = gear * std::abs(gain(m, a)[0]);
    tighten(from_range(range[0], range[1], scale, times_gear("control range", scale)));
  }
  if (m.actuator_gaintype[a] == mjGAIN_MUSCLE) {
    tighten({muscle_force(m, a) * gear, times_gear("muscle force", gear), true});
  }
  return limit;
}

std::optional<TorqueLimit> torque_limit_of_joint(const mjModel& m, int joint) {
  if (!m.jnt_actfrclimited[joint]) return std::nullopt;
  const mjtNum* range = m.jnt_actfrcrange + 2 * joint;
  TorqueLimit limit = from_range(range[0], range[1], 1.0, kJointForceRange);
  if (limit.value <= 0.0) return std::nullopt;
  return limit;
}

std::vector<int> joints_moved_by(const mjModel& m, const mjData& d, int a) {
  std::vector<int> joints;
  for (int out = m.actuator_outadr[a]; out < m.actuator_outadr[a] + m.actuator_outnum[a]; ++out) {
    for (int k = 0; k < d.moment_rownnz[out]; ++k) {
      const int address = d.moment_rowadr[out] + k;
      if (d.actuator_moment[address] == 0.0) continue;
      const int joint = m.dof_jntid[d.moment_colind[address]];
      if (std::find(joints.begin(), joints.end(), joint) == joints.end()) joints.push_back(joint);
    }
  }
  return joints;
}

}  // namespace jointrig
