#include "control/model/tendon_lead.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "control/model/coupling.h"

namespace jointrig {
namespace {

constexpr double kNoSlope = 1e-9;

struct Term {
  int joint = -1;
  double coefficient = 0.0;
};

/// Joints of a fixed tendon; none of one over sites or with a joint of several axes.
std::vector<Term> terms_of(const mjModel& m, int tendon) {
  std::vector<Term> terms;
  for (int w = m.tendon_adr[tendon]; w < m.tendon_adr[tendon] + m.tendon_num[tendon]; ++w) {
    if (m.wrap_type[w] != mjWRAP_JOINT) return {};
    terms.push_back({m.wrap_objid[w], m.wrap_prm[w]});
  }
  return terms;
}

/// How a tendon goes with one joint.
struct Lead {
  int joint = -1;
  double slope = 0.0;           // R
  double length_at_zero = 0.0;  // of the tendon, at q_L = 0
};

/// True if the model itself writes the joint as a follower.
bool is_written_as_follower(const mjModel& m, int joint) {
  for (int e = 0; e < m.neq; ++e) {
    const bool is_its = m.eq_type[e] == mjEQ_JOINT && m.eq_obj1id[e] == joint;
    if (is_its && m.eq_active0[e]) return true;
  }
  return false;
}

std::optional<Lead> lead_by(int joint, const std::vector<Term>& terms, const mjModel& m) {
  std::vector<bool> known(static_cast<std::size_t>(m.njnt));
  known[static_cast<std::size_t>(joint)] = true;
  std::vector<Coupling> couplings = couplings_of(m, known);
  // One that is held in place, by an equality with no joint, follows nothing.
  std::vector<bool> follows = known;
  for (const Coupling& coupling : couplings) {
    const bool is_led = coupling.leader >= 0 && follows[static_cast<std::size_t>(coupling.leader)];
    follows[static_cast<std::size_t>(coupling.follower)] = is_led && coupling.is_linear();
  }
  for (const Term& term : terms) {
    if (!follows[static_cast<std::size_t>(term.joint)]) return std::nullopt;
  }
  std::vector<mjtNum> qpos(m.qpos0, m.qpos0 + m.nq);
  qpos[static_cast<std::size_t>(m.jnt_qposadr[joint])] = 0.0;
  place_followers(m, couplings, qpos.data());
  const std::vector<double> speeds = speeds_with(joint, m, couplings, qpos.data());
  Lead lead{.joint = joint};
  for (const Term& term : terms) {
    lead.slope += term.coefficient * speeds[static_cast<std::size_t>(term.joint)];
    lead.length_at_zero +=
        term.coefficient * qpos[static_cast<std::size_t>(m.jnt_qposadr[term.joint])];
  }
  if (std::abs(lead.slope) < kNoSlope) return std::nullopt;
  return lead;
}

/// A joint of the tendon that the model writes as no follower; else any joint that all follow.
std::optional<Lead> lead_of(const std::vector<Term>& terms, const mjModel& m) {
  std::optional<Lead> found;
  const auto consider = [&](int joint) {
    const int type = m.jnt_type[joint];
    if (found || (type != mjJNT_HINGE && type != mjJNT_SLIDE)) return;
    found = lead_by(joint, terms, m);
  };
  for (const bool follows : {false, true}) {
    for (const Term& term : terms) {
      if (is_written_as_follower(m, term.joint) == follows) consider(term.joint);
    }
    for (int e = 0; e < m.neq; ++e) {  // a leader beside the tendon
      if (m.eq_type[e] != mjEQ_JOINT || !m.eq_active0[e] || m.eq_obj2id[e] < 0) continue;
      if (is_written_as_follower(m, m.eq_obj2id[e]) == follows) consider(m.eq_obj2id[e]);
    }
  }
  return found;
}

bool is_affine(const mjsActuator& actuator) {
  const bool gain = actuator.gaintype == mjGAIN_FIXED || actuator.gaintype == mjGAIN_AFFINE;
  const bool bias = actuator.biastype == mjBIAS_NONE || actuator.biastype == mjBIAS_AFFINE;
  return gain && bias && actuator.dyntype != mjDYN_USER && actuator.plugin.active == 0;
}

/// The ranges that the compiler derives from the tendon are written down: a joint gives others.
void hand_over(mjsActuator& actuator, const Lead& lead, const mjModel& m) {
  const int id = mjs_getId(actuator.element);
  const int control = m.actuator_ctrladr[id];
  actuator.inheritrange = 0.0;
  actuator.ctrllimited = m.actuator_ctrllimited[control] != 0 ? mjLIMITED_TRUE : mjLIMITED_FALSE;
  std::copy_n(m.actuator_ctrlrange + 2 * control, 2, actuator.ctrlrange);
  actuator.actlimited = m.actuator_actlimited[id] != 0 ? mjLIMITED_TRUE : mjLIMITED_FALSE;
  std::copy_n(m.actuator_actrange + 2 * id, 2, actuator.actrange);

  const double offset = actuator.gear[0] * lead.length_at_zero;
  if (actuator.gaintype == mjGAIN_AFFINE) actuator.gainprm[0] += actuator.gainprm[1] * offset;
  if (actuator.biastype == mjBIAS_AFFINE) actuator.biasprm[0] += actuator.biasprm[1] * offset;
  actuator.gear[0] *= lead.slope;
  actuator.trntype = mjTRN_JOINT;
  mjs_setString(actuator.target, mj_id2name(&m, mjOBJ_JOINT, lead.joint));
}

}  // namespace

std::vector<TendonLead> lead_tendons(mjSpec& spec, const mjModel& model) {
  std::vector<TendonLead> all;
  const auto name = [&](mjtObj type, int id) -> std::string {
    const char* found = mj_id2name(&model, type, id);
    return found == nullptr ? "" : found;
  };
  for (mjsElement* element = mjs_firstElement(&spec, mjOBJ_ACTUATOR); element != nullptr;
       element = mjs_nextElement(&spec, element)) {
    mjsActuator* actuator = mjs_asActuator(element);
    if (actuator->trntype != mjTRN_TENDON || !is_affine(*actuator)) continue;
    const int id = mjs_getId(element);
    const int tendon = model.actuator_trnid[2 * id];
    const std::vector<Term> terms = terms_of(model, tendon);
    const std::optional<Lead> lead = terms.empty() ? std::nullopt : lead_of(terms, model);
    if (!lead) continue;
    TendonLead& told = all.emplace_back();
    told.actuator = name(mjOBJ_ACTUATOR, id);
    told.tendon = name(mjOBJ_TENDON, tendon);
    told.leader = name(mjOBJ_JOINT, lead->joint);
    told.slope = lead->slope;
    for (const Term& term : terms) told.joints.push_back(name(mjOBJ_JOINT, term.joint));
    hand_over(*actuator, *lead, model);
  }
  return all;
}

namespace {

bool is_affine(const mjModel& m, int actuator) {
  const int gain = m.actuator_gaintype[actuator];
  const int bias = m.actuator_biastype[actuator];
  return (gain == mjGAIN_FIXED || gain == mjGAIN_AFFINE) &&
         (bias == mjBIAS_NONE || bias == mjBIAS_AFFINE) &&
         m.actuator_dyntype[actuator] != mjDYN_USER && m.actuator_plugin[actuator] < 0;
}

bool is_in_equality(const mjModel& m, int joint) {
  for (int e = 0; e < m.neq; ++e) {
    const bool is_named = m.eq_obj1id[e] == joint || m.eq_obj2id[e] == joint;
    if (m.eq_type[e] == mjEQ_JOINT && is_named) return true;
  }
  return false;
}

/// Count of actuators that drive a joint, directly or over a fixed tendon.
int drives(const mjModel& m, int joint) {
  int count = 0;
  for (int a = 0; a < m.nactuator; ++a) {
    const int type = m.actuator_trntype[a];
    const int target = m.actuator_trnid[2 * a];
    if (type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT) count += target == joint ? 1 : 0;
    if (type != mjTRN_TENDON) continue;
    const std::vector<Term> terms = terms_of(m, target);
    count += std::any_of(terms.begin(), terms.end(),
                         [joint](const Term& term) { return term.joint == joint; })
                 ? 1
                 : 0;
  }
  return count;
}

bool may_be_tied(const mjModel& m, const Term& term) {
  const int type = m.jnt_type[term.joint];
  return (type == mjJNT_HINGE || type == mjJNT_SLIDE) && term.coefficient != 0.0 &&
         mj_id2name(&m, mjOBJ_JOINT, term.joint) != nullptr && !is_in_equality(m, term.joint) &&
         drives(m, term.joint) == 1;
}

/// Ends of a joint's range at the shortest and at the longest tendon.
std::pair<double, double> ends_of(const mjModel& m, const Term& term) {
  const mjtNum* range = m.jnt_range + 2 * term.joint;
  if (term.coefficient > 0.0) return {range[0], range[1]};
  return {range[1], range[0]};
}

/// Of the joint's equality: q − q0 = a + r (q_L − q0_L).
std::string tie(const mjModel& m, const Term& leader, const Term& follower) {
  double slope = std::copysign(1.0, leader.coefficient * follower.coefficient);
  double offset = 0.0;
  if (m.jnt_limited[leader.joint] && m.jnt_limited[follower.joint]) {
    const auto [from, to] = ends_of(m, leader);
    const auto [own_from, own_to] = ends_of(m, follower);
    const double start = m.qpos0[m.jnt_qposadr[leader.joint]];
    slope = (own_to - own_from) / (to - from);
    offset = own_from + slope * (start - from) - m.qpos0[m.jnt_qposadr[follower.joint]];
  }
  return fmt::format(R"(<joint joint1="{}" joint2="{}" polycoef="{:.6g} {:.6g} 0 0 0"/>)",
                     mj_id2name(&m, mjOBJ_JOINT, follower.joint),
                     mj_id2name(&m, mjOBJ_JOINT, leader.joint),
                     std::abs(offset) < kNoSlope ? 0.0 : offset, slope);
}

}  // namespace

std::vector<std::string> tendon_ties(const mjModel& model) {
  std::vector<std::string> lines;
  for (int a = 0; a < model.nactuator; ++a) {
    if (model.actuator_trntype[a] != mjTRN_TENDON || !is_affine(model, a)) continue;
    const std::vector<Term> terms = terms_of(model, model.actuator_trnid[2 * a]);
    const bool are_free = std::all_of(terms.begin(), terms.end(),
                                      [&](const Term& term) { return may_be_tied(model, term); });
    for (std::size_t i = 1; are_free && i < terms.size(); ++i) {
      lines.push_back(tie(model, terms[0], terms[i]));
    }
  }
  return lines;
}

}  // namespace jointrig
