#include "control/discovery/rebase.h"

#include <algorithm>

#include "control/core/board_defaults.h"
#include "control/discovery/braking_room.h"
#include "control/discovery/torque_findings.h"
#include "control/discovery/torque_rate_gains.h"
#include "control/model/robot_model.h"
#include "control/model/start_pose.h"

namespace jointrig {
namespace {

JointLimits limits_for(JointFacts facts, const JointConfig& told) {
  facts.q_min = told.limits.q_min;
  facts.q_max = told.limits.q_max;
  facts.q_start = told.q_start;
  facts.v_max = told.limits.v_max;
  facts.tau_max = told.limits.tau_max;
  return default_limits(facts);
}

JointGains gains_for(const JointOrigin& origin, const JointConfig& found, const JointConfig& told,
                     const std::optional<double>& before, double bandwidth_hz) {
  BoardConfig board = told.board;
  if (board.armature == before) board.armature = found.board.armature;
  const double added = felt_armature(board, origin.armature) - origin.armature;
  const bool inertia_given = told.gains.inertia != found.gains.inertia;
  JointLoad load;
  load.inertia = inertia_given ? told.gains.inertia : origin.load.inertia + added;
  load.inertia_high = std::max(load.inertia, origin.load.inertia_high + added);
  load.viscous = told.board.viscous.value_or(origin.load.viscous);
  JointGains gains = default_gains(load, bandwidth_hz);
  gains.friction = told.board.friction.value_or(found.gains.friction);
  return gains;
}

bool starts_elsewhere(const RobotConfig& a, const RobotConfig& b) {
  return !std::equal(
      a.joints.begin(), a.joints.end(), b.joints.begin(), b.joints.end(),
      [](const JointConfig& x, const JointConfig& y) { return x.q_start == y.q_start; });
}

/// Gravity and inertia at the start pose of `told`.
void measure_again(Discovery& found, const RobotConfig& told) {
  RobotModel model(told);
  model.update(state_at_start(told));
  model.mass_matrix(found.between);
  for (std::size_t i = 0; i < found.origins.size(); ++i) {
    JointOrigin& origin = found.origins[i];
    const auto row = static_cast<Eigen::Index>(i);
    origin.gravity = model.gravity(static_cast<JointIndex>(i));
    found.between(row, row) -= felt_armature(told.joints[i].board, origin.armature);
  }
}

}  // namespace

void rebase_defaults(Discovery& found, const RobotConfig& told) {
  if (starts_elsewhere(found.config, told)) measure_again(found, told);
  const double hz = stiff_bandwidth_hz(to_seconds(told.period_ns), told.delay_cycles);
  std::vector<JointIndex> estimated;
  std::vector<bool> keeps_acceleration;
  for (std::size_t i = 0; i < found.config.joints.size(); ++i) {
    JointConfig& joint = found.config.joints[i];
    const JointConfig& wish = told.joints[i];
    JointOrigin& origin = found.origins[i];
    keeps_acceleration.push_back(wish.limits.a_max != joint.limits.a_max);
    if (wish.limits.tau_max != joint.limits.tau_max) origin.tau_source = "robot file";
    const std::optional<double> before = joint.board.armature;
    if (origin.armature == 0.0 && wish.board.armature == joint.board.armature) {
      joint.board.armature = plausible_armature(wish.limits);
      estimated.push_back(static_cast<JointIndex>(i));
    }
    joint.gains = gains_for(origin, joint, wish, before, hz);
    const JointLimits defaults = limits_for(origin.facts, wish);
    joint.limits = wish.limits;  // gains must respect the torque rate of the file
    heed_torque_rate(joint);
    joint.limits = defaults;
    if (keeps_acceleration.back()) joint.limits.a_max = wish.limits.a_max;
  }
  heed_braking(found, keeps_acceleration);
  report_armatures(estimated, found);
  judge_torques(told, found);
}

}  // namespace jointrig
