#include "control/discovery/uncontrolled.h"

#include <fmt/core.h>

#include <algorithm>

#include "control/discovery/actuator_facts.h"

namespace jointrig {
namespace {

std::string actuator_name(const Survey& survey, int a) {
  return name_of(*survey.model, mjOBJ_ACTUATOR, a);
}

std::string joint_name(const Survey& survey, int j) {
  return name_of(*survey.model, mjOBJ_JOINT, j);
}

/// The first actuator that moves a joint without driving it directly, or -1.
int indirect_drive(const Survey& survey, int joint) {
  for (int a = 0; a < survey.model->nactuator; ++a) {
    if (drives_one_joint(*survey.model, a)) continue;
    const std::vector<int> moved = joints_moved_by(*survey.model, *survey.data, a);
    if (std::find(moved.begin(), moved.end(), joint) != moved.end()) return a;
  }
  return -1;
}

/// Role of the joint in the equality that couples it, or "".
std::string coupling_text(const Survey& survey, int joint) {
  const mjModel& m = *survey.model;
  for (const Coupling& coupling : survey.couplings) {
    if (coupling.follower != joint) continue;
    if (coupling.leader < 0) return "held in place by a joint equality";
    return "follows joint \"" + joint_name(survey, coupling.leader) + "\" by a joint equality";
  }
  for (int e = 0; e < m.neq; ++e) {
    if (m.eq_type[e] != mjEQ_JOINT || !m.eq_active0[e]) continue;
    const int partner = m.eq_obj1id[e] == joint ? m.eq_obj2id[e] : m.eq_obj1id[e];
    if ((m.eq_obj1id[e] == joint || m.eq_obj2id[e] == joint) && partner >= 0) {
      return "coupled with joint \"" + joint_name(survey, partner) + "\" by a joint equality";
    }
  }
  return {};
}

constexpr const char* kFloats = "the base floats; pin_base bolts it down where it starts";

bool carries_joints(const mjModel& m, int joint) {
  for (int j = joint + 1; j < m.njnt; ++j) {
    if (m.body_rootid[m.jnt_bodyid[j]] == m.jnt_bodyid[joint]) return true;
  }
  return false;
}

void explain_joint(const Survey& survey, int j, Remarks& remarks) {
  const mjModel& m = *survey.model;
  const auto say = [&](Severity severity, const std::string& text) {
    remarks.add(severity, Subject::kJoint, joint_name(survey, j), "not controlled: " + text);
  };
  if (floats_on_slides(m, m.jnt_bodyid[j])) {
    say(Severity::kInfo, kFloats);
    return;
  }
  if (m.jnt_type[j] == mjJNT_FREE) {
    say(Severity::kInfo, carries_joints(m, j) ? kFloats : "a free object");
    return;
  }
  const std::vector<int>& drives = survey.drives[static_cast<std::size_t>(j)];
  if (!drives.empty()) {
    const bool damped =
        std::all_of(drives.begin(), drives.end(), [&](int a) { return is_damper(m, a); });
    if (damped) {
      say(Severity::kInfo, "its only actuator is a damper");
    } else {
      say(Severity::kError, fmt::format("jointrig controls at most {} joints", kMaxJoints));
    }
    return;
  }
  const std::vector<int>& looped = survey.loops.passive_joints();
  if (std::find(looped.begin(), looped.end(), j) != looped.end()) {
    say(Severity::kInfo, "follows the motors of its kinematic loop");
    return;
  }
  const std::string coupled = coupling_text(survey, j);
  const int indirect = indirect_drive(survey, j);
  if (indirect >= 0) {
    say(Severity::kWarning, "driven over a " + transmission_of(m, indirect) + " by actuator \"" +
                                actuator_name(survey, indirect) + "\"" +
                                (coupled.empty() ? "" : ", and " + coupled));
  } else if (!coupled.empty()) {
    say(Severity::kInfo, coupled);
  } else if (m.jnt_type[j] == mjJNT_BALL) {
    say(Severity::kInfo, "a ball joint without an actuator");
  } else {
    say(Severity::kInfo, "no actuator drives it");
  }
}

std::string controls_text(const Survey& survey, int a) {
  const mjModel& m = *survey.model;
  std::string text;
  for (int i = 0; i < m.actuator_ctrlnum[a]; ++i) {
    text +=
        fmt::format("{}{:.4g}", i == 0 ? "" : ", ", survey.data->ctrl[m.actuator_ctrladr[a] + i]);
  }
  return text;
}

}  // namespace

void explain_uncontrolled_joints(const Survey& survey, Remarks& remarks) {
  for (int j = 0; j < survey.model->njnt; ++j) {
    const std::vector<int>& controlled = survey.controlled;
    if (std::find(controlled.begin(), controlled.end(), j) != controlled.end()) continue;
    explain_joint(survey, j, remarks);
  }
}

void explain_actuators(const Survey& survey, Remarks& remarks) {
  const mjModel& m = *survey.model;
  for (int a = 0; a < m.nactuator; ++a) {
    const bool replaced = drives_one_joint(m, a);
    if (!replaced) {
      remarks.add(Severity::kInfo, Subject::kActuator, actuator_name(survey, a),
                  "stays as it is (acts on a " + transmission_of(m, a) +
                      "): its control is kept at " + controls_text(survey, a));
    } else if (is_one_sided(m, a) && !is_damper(m, a)) {
      remarks.add(Severity::kWarning, Subject::kActuator, actuator_name(survey, a),
                  "pushes one way only; the motor in its place pushes both ways");
    }
  }
}

}  // namespace jointrig
