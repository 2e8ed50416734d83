#include "control/discovery/braking_room.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "control/core/board_defaults.h"
#include "control/discovery/survey.h"

namespace jointrig {
namespace {

constexpr double kShareOfRoom = 0.8;
constexpr double kLeastShare = 0.01;      // of a default
constexpr double kLeftToDefaults = 0.25;  // of the room, whatever a file takes

/// The level to which the largest terms are cut so that all of them sum up to `most`.
///
/// The k largest become equal: k level + the sum of the others = most, for the one k at which the
/// level lies between the k-th and the next.
double level_of(std::vector<double> terms, double most) {
  std::sort(terms.begin(), terms.end(), std::greater<>());
  double others = std::accumulate(terms.begin(), terms.end(), 0.0);
  double level = terms.front();
  for (std::size_t k = 0; k < terms.size(); ++k) {
    others -= terms[k];
    level = (most - others) / static_cast<double>(k + 1);
    const double next = k + 1 < terms.size() ? terms[k + 1] : 0.0;
    if (level >= next) break;
  }
  return std::max(level, 0.0);
}

/// Speed of each degree of freedom per speed of each controlled joint: (nv, joints).
Eigen::MatrixXd slopes(const Survey& survey) {
  const mjModel& m = *survey.model;
  Eigen::MatrixXd by_dof =
      Eigen::MatrixXd::Zero(m.nv, static_cast<Eigen::Index>(survey.controlled.size()));
  for (Eigen::Index k = 0; k < by_dof.cols(); ++k) {
    const std::vector<double> speeds = speeds_with(survey.controlled[static_cast<std::size_t>(k)],
                                                   m, survey.couplings, survey.data->qpos);
    for (int joint = 0; joint < m.njnt; ++joint) {
      const double speed = speeds[static_cast<std::size_t>(joint)];
      if (speed != 0.0) by_dof(m.jnt_dofadr[joint], k) = speed;
    }
  }
  return by_dof;
}

/// Mᵢₖ in size, with the motor of joint i [kg·m², kg·m or kg].
double inertia_between(const Discovery& found, std::size_t i, std::size_t k) {
  const double links =
      std::abs(found.between(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)));
  if (i != k) return links;
  return links + felt_armature(found.config.joints[i].board, found.origins[i].armature);
}

}  // namespace

Eigen::MatrixXd inertia_between(const Survey& survey) {
  const mjModel& m = *survey.model;
  Eigen::MatrixXd full(m.nv, m.nv);  // symmetric: rows or columns first makes no difference
  mj_fullM(&m, survey.data.get(), full.data());
  const Eigen::MatrixXd moved = slopes(survey);
  Eigen::MatrixXd between = moved.transpose() * full * moved;
  for (Eigen::Index i = 0; i < between.rows(); ++i) {
    const int joint = survey.controlled[static_cast<std::size_t>(i)];
    between(i, i) -= m.dof_armature[m.jnt_dofadr[joint]];
  }
  return between;
}

double braking_torque(const Discovery& found, JointIndex joint) {
  double torque = 0.0;
  for (std::size_t k = 0; k < found.config.joints.size(); ++k) {
    torque += inertia_between(found, joint, k) * found.config.joints[k].limits.a_max;
  }
  return torque;
}

void heed_braking(Discovery& found, const std::vector<bool>& keeps) {
  std::vector<JointConfig>& joints = found.config.joints;
  std::vector<double> least;
  for (const JointConfig& joint : joints) least.push_back(kLeastShare * joint.limits.a_max);
  std::vector<double> inertia(joints.size());
  std::vector<double> terms(joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const double room = joints[i].limits.tau_max - std::abs(found.origins[i].gravity);
    if (!(room > 0.0)) continue;
    double fixed = 0.0;  // of joints that keep their acceleration
    for (std::size_t k = 0; k < joints.size(); ++k) {
      inertia[k] = inertia_between(found, i, k);
      terms[k] = inertia[k] * joints[k].limits.a_max;
      if (!keeps[k]) continue;
      fixed += terms[k];
      terms[k] = 0.0;
    }
    const double all = kShareOfRoom * room;
    const double most = std::max(all - fixed, kLeftToDefaults * all);
    if (std::accumulate(terms.begin(), terms.end(), 0.0) <= most) continue;
    const double level = level_of(terms, most);
    for (std::size_t k = 0; k < joints.size(); ++k) {
      if (keeps[k] || terms[k] <= level) continue;
      joints[k].limits.a_max = std::max(least[k], level / inertia[k]);
    }
  }
}

}  // namespace jointrig
