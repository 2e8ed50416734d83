#include "control/discovery/model_checks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <string_view>

#include "control/model/overlap.h"

namespace jointrig {
namespace {

/// True for a body that moves and has no mass of its own although it carries bodies.
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

/// Distance from a body's centre of mass to the farthest point of its robot at the start [m].
double reach_of(const Survey& survey, int body) {
  const mjModel& m = *survey.model;
  const mjData& d = *survey.data;
  const double* centre = d.xipos + 3 * body;
  double reach = 0.0;
  for (int b = 1; b < m.nbody; ++b) {
    if (m.body_rootid[b] != m.body_rootid[body]) continue;
    reach = std::max(reach, mju_dist3(d.xipos + 3 * b, centre));
    for (int g = m.body_geomadr[b]; g < m.body_geomadr[b] + m.body_geomnum[b]; ++g) {
      reach = std::max(reach, mju_dist3(d.geom_xpos + 3 * g, centre) + m.geom_rbound[g]);
    }
  }
  return reach;
}

/// Inertia that the motor feels which moves the body; infinite: none does [kg·m² or kg].
double felt_inertia_below(const Survey& survey, int body) {
  const mjModel& m = *survey.model;
  for (; body > 0; body = m.body_parentid[body]) {
    for (int j = m.body_jntadr[body]; j < m.body_jntadr[body] + m.body_jntnum[body]; ++j) {
      const auto& controlled = survey.controlled;
      if (std::find(controlled.begin(), controlled.end(), j) == controlled.end()) continue;
      return survey.inertia[static_cast<std::size_t>(m.jnt_dofadr[j])];
    }
  }
  return std::numeric_limits<double>::infinity();
}

/// An inertia I of a mass M lies √(I/M) from its axis: not outside the whole robot.
void check_inertias(const Survey& survey, Remarks& remarks) {
  constexpr double kNoticed = 0.1;  // of what the motor feels; a choice: frames get tiny masses
  const mjModel& m = *survey.model;
  for (int b = 1; b < m.nbody; ++b) {
    if (m.body_mass[b] <= 0.0) continue;
    const double* moments = m.body_inertia + 3 * b;
    const double moment = std::max({moments[0], moments[1], moments[2]});
    if (std::sqrt(moment / m.body_mass[b]) < reach_of(survey, b)) continue;
    if (!(moment > kNoticed * felt_inertia_below(survey, b))) continue;
    remarks.add(Severity::kWarning, Subject::kBody, name_of(m, mjOBJ_BODY, b),
                "no such mass within a robot of this size can have the stated inertia, such as "
                "the 1 that files write for an unknown one: motors turn far more than there is, "
                "and joints disturb each other; set its <inertial>");
  }
}

/// The deepest overlaps that `choose` accepts, in words; empty if there are none.
template <typename Choose>
std::string named_pairs(const std::vector<Overlap>& all, Choose&& choose) {
  constexpr std::size_t kMost = 3;  // of them are listed
  std::string text;
  std::size_t count = 0;
  for (const Overlap& pair : all) {
    if (!choose(pair) || ++count > kMost) continue;
    text += (text.empty() ? "" : ", ") + ("\"" + pair.a + "\" and \"" + pair.b + "\"") +
            fmt::format(" ({:.2g} mm)", pair.depth * 1e3);
  }
  if (count > kMost) text += fmt::format(" and {} more pairs", count - kMost);
  return text;
}

void check_overlaps(const Survey& survey, Remarks& remarks) {
  const std::vector<Overlap> all = overlaps(*survey.model, *survey.data);
  const std::string links = named_pairs(all, [](const Overlap& pair) { return pair.one_robot; });
  const std::string others = named_pairs(all, [](const Overlap& pair) { return !pair.one_robot; });
  if (!links.empty()) {
    remarks.add(Severity::kWarning,
                "starts with links inside each other; their contacts are left out "
                "(plant.keep_overlaps keeps them): " +
                    links);
  }
  if (!others.empty()) {
    remarks.add(Severity::kWarning,
                "starts with bodies inside each other, which push apart: " + others);
  }
}

/// The other joint of a joint equality between two controlled joints, whose motors then work
/// against each other.
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

/// Adds a remark on each limited fixed tendon that keeps controlled joints within a small part of
/// their ranges of each other: moved alone, one is stopped by the tendon.
void check_ties(const Survey& survey, Remarks& remarks) {
  constexpr double kSmall = 0.1;  // of the way that its joints have; a choice
  const mjModel& m = *survey.model;
  for (int t = 0; t < m.ntendon; ++t) {
    if (!m.tendon_limited[t]) continue;
    std::vector<int> joints;
    double way = 0.0;
    for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
      const int joint = m.wrap_objid[w];
      if (m.wrap_type[w] != mjWRAP_JOINT || std::abs(m.wrap_prm[w]) <= 0.0) continue;
      const auto& controlled = survey.controlled;
      if (std::find(controlled.begin(), controlled.end(), joint) == controlled.end()) continue;
      joints.push_back(joint);
      way += std::abs(m.wrap_prm[w]) * (m.jnt_range[2 * joint + 1] - m.jnt_range[2 * joint]);
    }
    if (joints.size() < 2 || m.tendon_range[2 * t + 1] - m.tendon_range[2 * t] > kSmall * way) {
      continue;
    }
    for (const int joint : joints) {
      remarks.add(Severity::kWarning, Subject::kJoint, name_of(m, mjOBJ_JOINT, joint),
                  std::string(kTiedByTendon) + '"' + name_of(m, mjOBJ_TENDON, t) +
                      "\": beyond them the motors work against the tendon; move its joints "
                      "together");
    }
  }
}

/// Hinge in degrees, slide in metres.
std::string range_text(const mjModel& m, int joint, double from, double to) {
  if (m.jnt_type[joint] == mjJNT_SLIDE) return fmt::format("{:.3g} to {:.3g} m", from, to);
  constexpr double kDegrees = 180.0 / std::numbers::pi;
  return fmt::format("{:.3g} to {:.3g} deg", from * kDegrees, to * kDegrees);
}

/// Adds a remark on each follower that its leader, within its own range, drives beyond the
/// follower's: a mimic with a multiplier or a range of the wrong sign. The leader stops there.
void check_followers(const Survey& survey, Remarks& remarks) {
  constexpr double kSmall = 0.05;  // of the follower's way; a choice: files round their numbers
  constexpr int kSamples = 16;     // of a polynomial of the fourth degree
  const mjModel& m = *survey.model;
  for (const Coupling& coupling : survey.couplings) {
    const int leader = coupling.leader;
    const int follower = coupling.follower;
    if (leader < 0 || !m.jnt_limited[leader] || !m.jnt_limited[follower]) continue;
    const double* range = m.jnt_range + 2 * leader;
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (int i = 0; i <= kSamples; ++i) {
      const double q = coupling.position(range[0] + (range[1] - range[0]) * i / kSamples);
      low = std::min(low, q);
      high = std::max(high, q);
    }
    const double* own = m.jnt_range + 2 * follower;
    if (std::max(own[0] - low, high - own[1]) <= kSmall * (high - low)) continue;
    remarks.add(Severity::kWarning, Subject::kJoint, name_of(m, mjOBJ_JOINT, follower),
                "its range is " + range_text(m, follower, own[0], own[1]) + ", and it follows \"" +
                    name_of(m, mjOBJ_JOINT, leader) + "\" from " +
                    range_text(m, follower, low, high) +
                    ": that joint is stopped where this one ends; correct the range of one, or the "
                    "factor between them");
  }
}

bool may_meet(const mjModel& m, int a, int b) {
  return (m.geom_contype[a] & m.geom_conaffinity[b]) != 0 ||
         (m.geom_contype[b] & m.geom_conaffinity[a]) != 0;
}

/// Adds a remark on a robot whose shapes meet other things and never one another, as models do that
/// are made to save collision checks.
void check_masks(const mjModel& m, Remarks& remarks) {
  constexpr std::size_t kFew = 3;  // of two, a joint lies between them
  std::set<int> parts;             // that move
  for (int a = 0; a < m.ngeom; ++a) {
    const int part = m.body_weldid[m.geom_bodyid[a]];
    if (part == 0 || (m.geom_contype[a] == 0 && m.geom_conaffinity[a] == 0)) continue;
    parts.insert(part);
    for (int b = 0; b < a; ++b) {
      if (part != m.body_weldid[m.geom_bodyid[b]] && may_meet(m, a, b)) return;
    }
  }
  if (parts.size() < kFew || m.npair > 0) return;
  remarks.add(Severity::kWarning,
              "no two of its bodies meet by their contype and conaffinity: neither collision "
              "avoidance nor the check of a trajectory keeps it off itself; give its collision "
              "shapes contype=\"1\" conaffinity=\"1\" if they are to");
}

std::string no_joint_sentence(const mjModel& m, const DiscoveryOptions& options) {
  std::string text = "no joint can be controlled: none is driven directly by an actuator";
  const bool any = std::any_of(m.jnt_type, m.jnt_type + m.njnt,
                               [](int type) { return type == mjJNT_HINGE || type == mjJNT_SLIDE; });
  if (any && !options.motors) {
    text += "; --motors, or motors: true in robot.yaml, gives each joint a motor";
  }
  return text;
}

/// Below this the inertia is practically 0: a model with default masses. A choice.
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
                fmt::format("its time step of {:.4g} ms is longer than a cycle: it is stepped with "
                            "{:.4g} ms instead",
                            m.opt.timestep * 1e3, period * 1e3));
  }
  for (const std::string& name : survey.mjcf.named) {
    const bool is_joint = mj_name2id(&m, mjOBJ_JOINT, name.c_str()) >= 0;
    const bool is_actuator = mj_name2id(&m, mjOBJ_ACTUATOR, name.c_str()) >= 0;
    if (!is_joint && !is_actuator) continue;  // the joint of a base that is bolted down
    remarks.add(Severity::kInfo, is_joint ? Subject::kJoint : Subject::kActuator, name,
                "has no name in the file; this one is its place there");
  }
  for (const std::string& note : survey.mjcf.notes) remarks.add(Severity::kWarning, note);
  if (survey.controlled.empty()) {
    remarks.add(Severity::kError, no_joint_sentence(m, options));
  }
  check_masses(m, remarks);
  check_inertias(survey, remarks);
  check_overlaps(survey, remarks);
  check_ties(survey, remarks);
  check_followers(survey, remarks);
  check_masks(m, remarks);
}

void check_joint(const Survey& survey, int joint, const JointConfig& config, Remarks& remarks) {
  const mjModel& m = *survey.model;
  const auto dof = static_cast<std::size_t>(m.jnt_dofadr[joint]);
  const auto say = [&](Severity severity, const std::string& text) {
    remarks.add(severity, Subject::kJoint, config.name, text);
  };
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
