#include "control/model/coupling.h"

#include <algorithm>
#include <cstddef>

namespace jointrig {
namespace {

constexpr int kTerms = 5;

/// q_l = r_l + (q_f - r_f - c0) / c1.
Coupling inverted(const Coupling& coupling) {
  Coupling result = coupling;
  std::swap(result.follower, result.leader);
  std::swap(result.follower_ref, result.leader_ref);
  result.c = {-coupling.c[0] / coupling.c[1], 1.0 / coupling.c[1], 0.0, 0.0, 0.0};
  return result;
}

std::vector<Coupling> joint_equalities(const mjModel& m) {
  std::vector<Coupling> all;
  for (int e = 0; e < m.neq; ++e) {
    if (m.eq_type[e] != mjEQ_JOINT || !m.eq_active0[e]) continue;
    Coupling coupling;
    coupling.equality = e;
    coupling.follower = m.eq_obj1id[e];
    coupling.leader = m.eq_obj2id[e];
    std::copy_n(m.eq_data + e * mjNEQDATA, kTerms, coupling.c.begin());
    coupling.follower_ref = m.qpos0[m.jnt_qposadr[coupling.follower]];
    if (coupling.leader >= 0) coupling.leader_ref = m.qpos0[m.jnt_qposadr[coupling.leader]];
    all.push_back(coupling);
  }
  return all;
}

/// Ids of the joints that an equality acts on.
std::vector<int> joints_of(const mjModel& m, int equality) {
  std::vector<int> joints;
  for (const int object : {m.eq_obj1id[equality], m.eq_obj2id[equality]}) {
    if (object < 0) continue;
    if (m.eq_type[equality] == mjEQ_JOINT) joints.push_back(object);
    if (m.eq_type[equality] != mjEQ_TENDON) continue;
    for (int w = m.tendon_adr[object]; w < m.tendon_adr[object] + m.tendon_num[object]; ++w) {
      if (m.wrap_type[w] == mjWRAP_JOINT) joints.push_back(m.wrap_objid[w]);
    }
  }
  return joints;
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> ties_between(const mjModel& model,
                                                              const std::vector<int>& joints) {
  std::vector<std::pair<std::size_t, std::size_t>> ties;
  for (int e = 0; e < model.neq; ++e) {
    if (!model.eq_active0[e]) continue;
    const std::vector<int> tied = joints_of(model, e);
    const auto is_tied = [&](int joint) {
      return std::find(tied.begin(), tied.end(), joint) != tied.end();
    };
    for (std::size_t a = 0; a < joints.size(); ++a) {
      for (std::size_t b = a + 1; b < joints.size(); ++b) {
        if (is_tied(joints[a]) && is_tied(joints[b])) ties.emplace_back(a, b);
      }
    }
  }
  return ties;
}

double Coupling::position(double q) const noexcept {
  const double x = q - leader_ref;
  return follower_ref + c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

bool Coupling::is_linear() const noexcept {
  return std::all_of(c.begin() + 2, c.end(), [](double one) { return one == 0.0; });
}

double Coupling::slope(double q) const noexcept {
  const double x = q - leader_ref;
  return c[1] + x * (2.0 * c[2] + x * (3.0 * c[3] + x * 4.0 * c[4]));
}

std::vector<Coupling> couplings_of(const mjModel& model, std::vector<bool> known) {
  const std::vector<Coupling> all = joint_equalities(model);
  const auto is_known = [&](int joint) {
    return joint < 0 || known[static_cast<std::size_t>(joint)];
  };
  std::vector<Coupling> ordered;
  // Each pass adds the followers of the joints found in the pass before.
  for (bool grown = true; grown;) {
    grown = false;
    for (const Coupling& coupling : all) {
      const bool forward = is_known(coupling.leader) && !is_known(coupling.follower);
      const bool backward = is_known(coupling.follower) && !is_known(coupling.leader) &&
                            coupling.is_linear() && coupling.c[1] != 0.0;
      if (!forward && !backward) continue;
      ordered.push_back(forward ? coupling : inverted(coupling));
      known[static_cast<std::size_t>(ordered.back().follower)] = true;
      grown = true;
    }
  }
  return ordered;
}

void place_followers(const mjModel& model, const std::vector<Coupling>& couplings,
                     mjtNum* qpos) noexcept {
  for (const Coupling& coupling : couplings) {
    const double leader =
        coupling.leader < 0 ? coupling.leader_ref : qpos[model.jnt_qposadr[coupling.leader]];
    qpos[model.jnt_qposadr[coupling.follower]] = coupling.position(leader);
  }
}

std::vector<double> speeds_with(int joint, const mjModel& model,
                                const std::vector<Coupling>& couplings, const mjtNum* qpos) {
  std::vector<double> speeds(static_cast<std::size_t>(model.njnt));
  speeds[static_cast<std::size_t>(joint)] = 1.0;
  for (const Coupling& coupling : couplings) {
    if (coupling.leader < 0) continue;
    const double leader = speeds[static_cast<std::size_t>(coupling.leader)];
    const double slope = coupling.slope(qpos[model.jnt_qposadr[coupling.leader]]);
    speeds[static_cast<std::size_t>(coupling.follower)] = slope * leader;
  }
  return speeds;
}

std::vector<Mover> movers_of(const mjModel& model, const std::vector<int>& joints,
                             const std::vector<Coupling>& couplings, const mjtNum* qpos) {
  std::vector<Mover> movers(static_cast<std::size_t>(model.nv));
  for (std::size_t i = 0; i < joints.size(); ++i) {
    movers[static_cast<std::size_t>(model.jnt_dofadr[joints[i]])] = {static_cast<int>(i), 1.0};
  }
  for (const Coupling& coupling : couplings) {
    if (coupling.leader < 0) continue;
    const double slope = coupling.slope(qpos[model.jnt_qposadr[coupling.leader]]);
    const Mover& leader = movers[static_cast<std::size_t>(model.jnt_dofadr[coupling.leader])];
    movers[static_cast<std::size_t>(model.jnt_dofadr[coupling.follower])] = {leader.joint,
                                                                             slope * leader.slope};
  }
  return movers;
}

}  // namespace jointrig
