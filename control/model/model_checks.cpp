#include "control/model/model_checks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace jointrig {
namespace {

std::string with_numbers(const char* format, double a, double b) {
  char text[256];
  std::snprintf(text, sizeof(text), format, a, b);
  return text;
}

/// Moves, and has no mass of its own although something hangs on it.
bool moves_without_mass(const mjModel& m, int body) {
  return m.body_jntnum[body] > 0 && m.body_mass[body] <= 0.0;
}

void check_masses(const mjModel& m, Remarks& remarks) {
  for (int b = 1; b < m.nbody; ++b) {
    if (!moves_without_mass(m, b)) continue;
    remarks.add(Severity::kInfo, Subject::kBody, name_of(m, mjOBJ_BODY, b),
                "moves and has no mass of its own");
  }
}

std::string geom_owner(const mjModel& m, int geom) {
  return "\"" + name_of(m, mjOBJ_BODY, m.geom_bodyid[geom]) + "\"";
}

/// Bodies that are inside each other at the start push themselves apart, whatever a controller
/// does.
void check_overlaps(const Survey& survey, Remarks& remarks) {
  constexpr double kDeep = 1e-3;    // [m]: a choice, more than a contact sinks in at rest
  constexpr std::size_t kMost = 3;  // of them are named
  const mjModel& m = *survey.model;
  std::vector<std::string> pairs;
  for (int i = 0; i < survey.data->ncon; ++i) {
    const mjContact& contact = survey.data->contact[i];
    if (contact.dist > -kDeep || contact.geom[0] < 0 || contact.geom[1] < 0) continue;
    std::string pair = geom_owner(m, contact.geom[0]) + " and " + geom_owner(m, contact.geom[1]);
    if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
  }
  if (pairs.empty()) return;
  std::string text = "starts with bodies inside each other, which push apart: ";
  for (std::size_t i = 0; i < std::min(kMost, pairs.size()); ++i) {
    text += (i == 0 ? "" : ", ") + pairs[i];
  }
  if (pairs.size() > kMost) text += " and " + std::to_string(pairs.size() - kMost) + " more pairs";
  remarks.add(Severity::kWarning, text);
}

bool floats(const mjModel& m, int joint) {
  const int root = m.body_rootid[m.jnt_bodyid[joint]];
  return m.body_jntnum[root] > 0 && m.jnt_type[m.body_jntadr[root]] == mjJNT_FREE;
}

/// A joint equality between two joints that are both controlled: their motors work on each other.
int driven_partner(const Survey& survey, int joint) {
  const mjModel& m = *survey.model;
  const auto controlled = [&](int j) {
    return std::find(survey.controlled.begin(), survey.controlled.end(), j) !=
           survey.controlled.end();
  };
  for (int e = 0; e < m.neq; ++e) {
    if (m.eq_type[e] != mjEQ_JOINT || !m.eq_active0[e]) continue;
    if (m.eq_obj1id[e] == joint && m.eq_obj2id[e] >= 0 && controlled(m.eq_obj2id[e])) {
      return m.eq_obj2id[e];
    }
  }
  return -1;
}

/// Below this a motor feels next to nothing: numbers of a model that nobody weighed. A choice.
constexpr double kFeatherWeight = 1e-7;  // [kg·m² or kg]

}  // namespace

void check_model(const Survey& survey, const DiscoveryOptions& options, Remarks& remarks) {
  const mjModel& m = *survey.model;
  for (const std::string& warning : survey.mjcf.warnings) {
    remarks.add(Severity::kWarning, "MuJoCo says: " + warning);
  }
  const double period = to_seconds(options.period_ns);
  if (m.opt.timestep > period * (1.0 + 1e-9)) {
    remarks.add(Severity::kInfo,
                with_numbers("its time step of %.4g ms is longer than a cycle: it is stepped with "
                             "%.4g ms instead",
                             m.opt.timestep * 1e3, period * 1e3));
  }
  for (const std::string& name : survey.mjcf.named) {
    const bool is_joint = mj_name2id(&m, mjOBJ_JOINT, name.c_str()) >= 0;
    remarks.add(Severity::kInfo, is_joint ? Subject::kJoint : Subject::kActuator, name,
                "has no name in the file; this one is its place there");
  }
  if (survey.controlled.empty()) {
    remarks.add(Severity::kError,
                "no joint can be controlled: none is driven directly by an actuator");
  }
  check_masses(m, remarks);
  check_overlaps(survey, remarks);
}

void check_joint(const Survey& survey, int joint, const JointConfig& config, Remarks& remarks) {
  const mjModel& m = *survey.model;
  const auto dof = static_cast<std::size_t>(m.jnt_dofadr[joint]);
  const auto say = [&](Severity severity, const std::string& text) {
    remarks.add(severity, Subject::kJoint, config.name, text);
  };
  const double gravity = std::abs(survey.gravity[dof]);
  if (gravity > config.limits.tau_max) {
    // On a base that floats it depends on what holds the base.
    say(floats(m, joint) ? Severity::kWarning : Severity::kError,
        with_numbers("too weak to hold the start pose: it takes %.4g, tau_max is "
                     "%.4g",
                     gravity, config.limits.tau_max) +
            (config.slide ? " N" : " N·m"));
  }
  if (!m.jnt_limited[joint]) say(Severity::kInfo, "has no range: positions are not limited");
  if (survey.inertia[dof] < kFeatherWeight) {
    say(Severity::kWarning, "its motor feels next to no inertia; give it an armature");
  }
  const int partner = driven_partner(survey, joint);
  if (partner >= 0) {
    say(Severity::kWarning, "tied by a joint equality to \"" + name_of(m, mjOBJ_JOINT, partner) +
                                "\", which is driven too: the two motors work on each other");
  }
  if (config.name == "all") say(Severity::kWarning, "\"all\" names the whole robot in commands");
}

}  // namespace jointrig
