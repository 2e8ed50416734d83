#include "control/discovery/uncontrolled.h"

#include <fmt/core.h>

#include <algorithm>

#include "control/core/text.h"
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

/// Where an actuator acts that drives no joint, and what would have it drive some.
struct Place {
  std::string where;
  std::string advice;
};

Place place_of(const Survey& survey, int a) {
  const mjModel& m = *survey.model;
  Place place{"a " + transmission_of(m, a), ""};
  if (m.actuator_trntype[a] != mjTRN_TENDON) return place;
  const int tendon = m.actuator_trnid[2 * a];
  std::vector<std::string> joints;
  for (int w = m.tendon_adr[tendon]; w < m.tendon_adr[tendon] + m.tendon_num[tendon]; ++w) {
    if (m.wrap_type[w] != mjWRAP_JOINT) return place;
    joints.push_back(joint_name(survey, m.wrap_objid[w]));
  }
  const std::string name = name_of(m, mjOBJ_TENDON, tendon);
  place.where = name.empty() ? "a tendon" : "tendon \"" + name + "\"";
  place.where += " of joints " + joined(joints);
  place.advice =
      "; to drive them, tie them to one by joint equalities in the model, or give each an actuator "
      "of its own there";
  return place;
}

void explain_led(const Survey& survey, Remarks& remarks) {
  for (const TendonLead& led : survey.mjcf.led) {
    remarks.add(Severity::kInfo, Subject::kActuator, led.actuator,
                fmt::format("drives joint \"{}\", which all joints of tendon \"{}\" ({}) follow, "
                            "with {:.4g} x its force",
                            led.leader, led.tendon, joined(led.joints), led.slope));
  }
}

void offer_ties(const Survey& survey, Remarks& remarks) {
  const std::vector<std::string> ties = tendon_ties(*survey.model);
  if (ties.empty()) return;
  std::string text =
      "nothing ties the joints of its tendons to one another; with these lines in it, or in a file "
      "that includes it, the first joint of each tendon is controlled and the others follow\n"
      "      <equality>\n";
  for (const std::string& tie : ties) text += "        " + tie + "\n";
  remarks.add(Severity::kWarning, text + "      </equality>");
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
  explain_led(survey, remarks);
  offer_ties(survey, remarks);
  for (int a = 0; a < m.nactuator; ++a) {
    const bool replaced = drives_one_joint(m, a);
    if (!replaced) {
      const Place place = place_of(survey, a);
      remarks.add(Severity::kInfo, Subject::kActuator, actuator_name(survey, a),
                  "stays as it is (acts on " + place.where + "): its control is kept at " +
                      controls_text(survey, a) + place.advice);
    } else if (is_one_sided(m, a) && !is_damper(m, a)) {
      remarks.add(Severity::kWarning, Subject::kActuator, actuator_name(survey, a),
                  "pushes one way only; the motor in its place pushes both ways");
    }
  }
}

}  // namespace jointrig
