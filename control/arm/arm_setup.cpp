#include "control/arm/arm_setup.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "control/arm/arm_guide.h"
#include "control/joint/joint_control.h"
#include "control/motion/reference_generator.h"

namespace jointrig {
namespace {

/// Share of a joint's torque that the term limits uses at most: a choice.
constexpr double kLimitTorqueShare = 0.5;

FrameId frame_named(const ArmConfig& arm, const std::string& name, const RobotModel& model) {
  try {
    return model.find_frame(name);
  } catch (const ModelError& e) {
    throw ModelError(arm.where.text + "arm \"" + arm.name + "\": " + e.what());
  }
}

void check_chain(const ArmSetup& setup, const RobotConfig& robot, const RobotModel& model) {
  const ArmConfig& arm = setup.config;
  for (const JointIndex joint : arm.joints) {
    const std::string& name = robot.joints[joint].name;
    if (!model.is_behind(setup.tool, joint)) {
      throw std::invalid_argument(arm.where.text + "arm \"" + arm.name + "\": its joint \"" + name +
                                  "\" doesn't move its tool \"" + arm.tool +
                                  "\"; leave the joint out of part \"" + arm.part +
                                  "\", or name a tool further out");
    }
    if (model.is_behind(setup.base, joint)) {
      throw std::invalid_argument(arm.where.text + "arm \"" + arm.name + "\": its joint \"" + name +
                                  "\" moves its base \"" + arm.base +
                                  "\"; name a base that no joint of the arm moves");
    }
  }
}

/// Joints from the base to the tool.
std::vector<JointIndex> along_the_chain(std::vector<JointIndex> joints, const RobotModel& model) {
  const auto depth = [&, all = joints](JointIndex joint) {
    return std::count_if(all.begin(), all.end(), [&](JointIndex other) {
      return model.is_behind(model.mount_of(joint), other);
    });
  };
  std::stable_sort(joints.begin(), joints.end(),
                   [&](JointIndex a, JointIndex b) { return depth(a) < depth(b); });
  return joints;
}

/// Distance from anchor to anchor and on to the tool: joints can bend this chain, and only slides
/// can stretch it.
double reach_of(const std::vector<JointIndex>& chain, const ArmSetup& setup,
                const RobotConfig& robot, const RobotModel& model) {
  double reach = (model.pose(setup.tool).position - model.anchor(chain.back())).norm();
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    reach += (model.anchor(chain[i + 1]) - model.anchor(chain[i])).norm();
  }
  for (const JointIndex joint : chain) {
    const JointLimits& limits = robot.joints[joint].limits;
    if (robot.joints[joint].slide) reach += limits.q_max - limits.q_min;
  }
  return reach;
}

}  // namespace

ArmSetup make_arm_setup(const ArmConfig& arm, const RobotConfig& robot,
                        const std::vector<JointCapabilities>& boards, RobotModel& model) {
  ArmSetup setup;
  setup.config = arm;
  setup.dt = to_seconds(robot.period_ns);
  setup.torque_share = -std::expm1(-setup.dt / ArmGuide::kTorqueTime);
  setup.tool = frame_named(arm, arm.tool, model);
  const std::vector<JointIndex> chain = along_the_chain(arm.joints, model);
  setup.shoulder = chain.front();
  setup.base =
      arm.base.empty() ? model.mount_of(setup.shoulder) : frame_named(arm, arm.base, model);
  check_chain(setup, robot, model);
  setup.reach = reach_of(chain, setup, robot, model);

  const auto n = static_cast<Eigen::Index>(arm.joints.size());
  setup.posture = {ArmVector(n), ArmVector(n), arm.posture_torque_max};
  setup.joint_inertia.resize(n);
  setup.limit_damping.resize(n);
  setup.torque_max.resize(n);
  setup.spring_inertia = ArmVector::Zero(n);
  setup.limit_torque.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto place = static_cast<std::size_t>(i);
    const JointConfig& joint = robot.joints[arm.joints[place]];
    setup.joint_inertia[i] = joint.gains.inertia;
    setup.posture.stiffness[i] = arm.posture_stiffness * arm.posture_weights[place];
    setup.limit_damping[i] = 2.0 * std::sqrt(arm.limit_stiffness * joint.gains.inertia);
    setup.torque_max[i] = joint.limits.tau_max;
    if (joint.board.spring_stiffness > 0.0) {
      const double w = 2.0 * std::numbers::pi * joint.board.deflection_bandwidth_hz;
      setup.spring_inertia[i] = joint.board.spring_stiffness / (w * w);
    }
    setup.limit_torque[i] = kLimitTorqueShare * joint.limits.tau_max;
    setup.loop_time = std::max(
        setup.loop_time, loop_time(joint, boards[arm.joints[place]], setup.dt, robot.delay_cycles));
    setup.soft_min.push_back(soft_min(joint.limits));
    setup.soft_max.push_back(soft_max(joint.limits));
    setup.board_has_gravity.push_back(boards[arm.joints[place]].compensates_gravity);
    setup.senses_torque.push_back(boards[arm.joints[place]].senses_torque);
  }
  if (arm.zero_g.stop_time > 0.0) {
    setup.guide_rate = std::min(ArmGuide::kStopShares / arm.zero_g.stop_time,
                                GuideBrake::kBearable / setup.loop_time);
  }
  setup.bounds = loop_bounds(setup.loop_time);
  setup.posture.damping = posture_damping(setup, setup.posture.stiffness);
  return setup;
}

ArmVector posture_damping(const ArmSetup& setup, const ArmVector& stiffness) noexcept {
  return 2.0 * setup.config.posture_damping_ratio *
         stiffness.cwiseProduct(setup.joint_inertia).cwiseSqrt();
}

}  // namespace jointrig
