#include "control/discovery/inertia_range.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "control/discovery/felt_inertia.h"

namespace jointrig {
namespace {

constexpr double kFarMedian = 2.0;  // a choice: beyond it the start isn't typical

/// A uniform number in low..high; std's distributions differ between libraries, this doesn't.
double draw(std::mt19937& random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
}

void go_to_random_pose(const Survey& survey, const RobotConfig& robot, mjData& data,
                       std::mt19937& random) {
  const mjModel& m = *survey.model;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const JointConfig& joint = robot.joints[i];
    // Further off a loop may pass a dead centre, and be another mechanism from there on.
    const double turn = survey.loops.empty() ? std::numbers::pi : 0.25 * std::numbers::pi;
    const double reach = joint.slide ? 0.5 : turn;
    const double low = std::max(joint.limits.q_min, joint.q_start - reach);
    const double high = std::min(joint.limits.q_max, joint.q_start + reach);
    data.qpos[m.jnt_qposadr[survey.controlled[i]]] = draw(random, low, high);
  }
  place_followers(m, survey.couplings, data.qpos);
  if (survey.loops.empty()) return;
  constexpr int kSteps = 100;
  LoopClosure loops = survey.loops;
  mj_kinematics(&m, &data);
  mj_comPos(&m, &data);
  loops.close(m, data, kSteps);
}

/// 1/(M⁻¹)ᵢᵢ of each controlled joint, equality constraints left out unless they close loops.
std::vector<double> free_inertia(const Survey& survey, mjData& data) {
  const mjModel& m = *survey.model;
  if (!survey.loops.empty()) {
    const std::vector<double> felt = felt_inertia(m, data);
    std::vector<double> inertia;
    for (const int joint : survey.controlled) {
      inertia.push_back(felt[static_cast<std::size_t>(m.jnt_dofadr[joint])]);
    }
    return inertia;
  }
  mj_kinematics(&m, &data);
  mj_comPos(&m, &data);
  if (m.ntendon > 0) mj_tendon(&m, &data);  // their armature
  mj_makeM(&m, &data);
  mj_factorM(&m, &data);
  std::vector<double> inertia;
  std::vector<double> unit(static_cast<std::size_t>(m.nv));
  std::vector<double> column(static_cast<std::size_t>(m.nv));
  for (const int joint : survey.controlled) {
    const auto dof = static_cast<std::size_t>(m.jnt_dofadr[joint]);
    unit[dof] = 1.0;
    mj_solveM(&m, &data, column.data(), unit.data(), 1);
    unit[dof] = 0.0;
    inertia.push_back(1.0 / column[dof]);
  }
  return inertia;
}

/// Raises the weights to those of the pose where free_inertia() has placed the robot.
void raise_weights(const Survey& survey, mjData& data, std::vector<double>& weights) {
  const mjModel& m = *survey.model;
  mj_comVel(&m, &data);
  mj_passive(&m, &data);
  mj_rne(&m, &data, /*flg_acc=*/0, data.qfrc_bias);
  const std::vector<double> force = holding_force(survey, data);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto dof = static_cast<std::size_t>(m.jnt_dofadr[survey.controlled[i]]);
    weights[i] = std::max(weights[i], std::abs(force[dof]));
  }
}

}  // namespace

std::vector<InertiaRange> inertia_ranges(const Survey& survey, const RobotConfig& robot) {
  const DataPtr data = make_data(*survey.model, survey.mjcf.path);
  mju_copy(data->qpos, survey.data->qpos, static_cast<int>(survey.model->nq));
  const std::vector<double> at_start = free_inertia(survey, *data);
  std::vector<std::vector<double>> ratios(at_start.size(), {1.0});
  std::vector<double> weights(at_start.size(), 0.0);
  raise_weights(survey, *data, weights);
  std::mt19937 random;
  for (int pose = 0; pose < kPosesLookedAt; ++pose) {
    go_to_random_pose(survey, robot, *data, random);
    const std::vector<double> here = free_inertia(survey, *data);
    for (std::size_t i = 0; i < here.size(); ++i) ratios[i].push_back(here[i] / at_start[i]);
    raise_weights(survey, *data, weights);
  }
  std::vector<InertiaRange> ranges;
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    std::vector<double>& ratio = ratios[i];
    std::sort(ratio.begin(), ratio.end());
    const int dof = survey.model->jnt_dofadr[survey.controlled[i]];
    const double start = survey.inertia[static_cast<std::size_t>(dof)];
    ranges.push_back({start, start * ratio.front(), start * ratio[ratio.size() / 2],
                      start * ratio.back(), weights[i]});
  }
  return ranges;
}

double inertia_for_gains(const InertiaRange& range) noexcept {
  const bool start_is_typical = range.median < kFarMedian * range.start;
  return std::min(start_is_typical ? range.start : range.median, kAboveLow * range.low);
}

}  // namespace jointrig
