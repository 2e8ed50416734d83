#include "control/stack/loop_margin.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "control/laws/sampled_loop.h"
#include "control/stack/margin_poses.h"

namespace jointrig {
namespace {

constexpr double kSofter = 0.8;  // factor on a loop's frequency while a stable one is sought
constexpr int kMostSofter = 30;  // 1/800 of the frequency

/// The loops of one law.
struct Loops {
  InteractionMode law = InteractionMode::kStiff;
  double dt = 0.0;
  std::vector<std::size_t> joints;  // of the robot
  std::vector<LoopJoint> loops;     // one for each of them
};

LoopJoint loop_of(const JointSetup& setup, InteractionMode law, int delay_cycles) {
  const JointGains& gains = setup.config.gains;
  const bool is_stiff = law == InteractionMode::kStiff;
  LoopJoint loop = lags_of(setup, delay_cycles);
  loop.is_computed = is_stiff && !gains.is_pid;
  loop.servo = setup.servo;
  loop.kp = is_stiff ? gains.kp : gains.stiffness;
  loop.ki = is_stiff ? gains.ki : 0.0;
  loop.kd = is_stiff ? gains.kd : gains.damping;
  return loop;
}

Loops loops_of(const RobotConfig& robot, std::span<const JointSetup> setups, InteractionMode law) {
  Loops all;
  all.law = law;
  all.dt = to_seconds(robot.period_ns);
  for (std::size_t i = 0; i < setups.size(); ++i) {
    if (setups[i].drive(ControlMode::kPosition, law) != DriveMode::kTorque) continue;
    all.joints.push_back(i);
    all.loops.push_back(loop_of(setups[i], law, robot.delay_cycles));
  }
  return all;
}

/// Inertia of the robot's joints in each pose.
std::vector<Eigen::MatrixXd> inertias(const RobotConfig& robot, RobotModel& model) {
  const auto n = static_cast<Eigen::Index>(robot.joints.size());
  std::vector<Eigen::MatrixXd> all;
  for (const RobotState& state : poses_of_margin(robot)) {
    model.update(state);
    all.emplace_back(n, n);
    model.mass_matrix(all.back());
  }
  return all;
}

Eigen::MatrixXd between(const Eigen::MatrixXd& all, const std::vector<std::size_t>& joints) {
  const auto n = static_cast<Eigen::Index>(joints.size());
  Eigen::MatrixXd part(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index k = 0; k < n; ++k) {
      part(i, k) = all(static_cast<Eigen::Index>(joints[static_cast<std::size_t>(i)]),
                       static_cast<Eigen::Index>(joints[static_cast<std::size_t>(k)]));
    }
  }
  return part;
}

using Poses = std::vector<Eigen::MatrixXd>;

/// The first motion that grows, in any pose.
std::optional<LoopGrowth> growing(const Loops& all, const Poses& poses, double share) {
  for (const Eigen::MatrixXd& inertia : poses) {
    const LoopGrowth growth = loop_growth(all.loops, inertia, share, all.dt);
    if (growth.rate > kGrows) return growth;
  }
  return std::nullopt;
}

/// One step towards a loop that is stable: an integral faster than a third of the loop, then a
/// damping ratio other than 1, then the loop's frequency.
void soften(LoopJoint& loop, double inertia) {
  constexpr double kFastIntegral = 0.3;
  constexpr double kSlowIntegral = 0.1;  // as default_gains.h
  const double w = std::sqrt(loop.kp / inertia);
  const double critical = 2.0 * inertia * w;
  if (loop.ki > kFastIntegral * loop.kp * w) {
    loop.ki = kSlowIntegral * loop.kp * w;
  } else if (kSofter * loop.kd > critical) {
    loop.kd *= kSofter;
  } else {
    loop.kd = kSofter * std::max(loop.kd, critical);
    loop.kp *= kSofter * kSofter;
    loop.ki *= kSofter * kSofter * kSofter;
  }
  loop.servo.w *= kSofter;
  loop.servo.observer *= kSofter;
}

std::string line_for(const JointConfig& joint, const LoopJoint& loop, InteractionMode law) {
  if (loop.is_computed) {
    return fmt::format("{}: {{bandwidth: {:.2g} Hz}}", joint.name,
                       loop.servo.w / (2.0 * std::numbers::pi));
  }
  if (law == InteractionMode::kCompliant) {
    return fmt::format("{}: {{stiffness: {:.3g}, damping: {:.3g}}}", joint.name, loop.kp, loop.kd);
  }
  return fmt::format("{}: {{kp: {:.3g}, ki: {:.3g}, kd: {:.3g}}}", joint.name, loop.kp, loop.ki,
                     loop.kd);
}

/// Lowers the loops that swing up until none does with the margin. Returns those that it lowered;
/// none if that didn't help.
std::vector<bool> make_stable(Loops& all, const Poses& poses) {
  std::vector<bool> lowered(all.loops.size());
  std::vector<int> times(all.loops.size());
  for (const double share : {1.0 / kInertiaMargin, kInertiaMargin}) {
    while (const std::optional<LoopGrowth> growth = growing(all, poses, share)) {
      if (++times[growth->joint] > kMostSofter) return std::vector<bool>(all.loops.size());
      lowered[growth->joint] = true;
      const auto k = static_cast<Eigen::Index>(growth->joint);
      soften(all.loops[growth->joint], poses.front()(k, k));
    }
  }
  return lowered;
}

std::string_view name_of(InteractionMode law, const LoopJoint& loop) {
  if (law == InteractionMode::kCompliant) return "compliant";
  return loop.is_computed ? "stiff" : "stiff, by kp, ki and kd,";
}

void add_warnings(const RobotConfig& robot, Loops all, const Poses& whole,
                  std::vector<std::string>& warnings) {
  if (all.joints.empty()) return;
  Poses poses;
  for (const Eigen::MatrixXd& inertia : whole) poses.push_back(between(inertia, all.joints));
  const std::optional<LoopGrowth> unstable = growing(all, poses, 1.0);
  const std::optional<LoopGrowth> lighter = growing(all, poses, 1.0 / kInertiaMargin);
  const std::optional<LoopGrowth> heavier = growing(all, poses, kInertiaMargin);
  const std::optional<LoopGrowth>& worst = unstable ? unstable : lighter ? lighter : heavier;
  if (!worst) return;
  const std::size_t joint = worst->joint;
  const std::string_view law = name_of(all.law, all.loops[joint]);
  const std::string change = unstable  ? std::string("as it is")
                             : lighter ? fmt::format("with {:g} times less inertia", kInertiaMargin)
                                       : fmt::format("with {:g} times the inertia", kInertiaMargin);
  Loops stable = all;
  const std::vector<bool> lowered = make_stable(stable, poses);
  std::string lines;
  for (std::size_t i = 0; i < lowered.size(); ++i) {
    if (!lowered[i]) continue;
    if (!lines.empty()) lines += ", ";
    lines += line_for(robot.joints[all.joints[i]], stable.loops[i], all.law);
  }
  warnings.push_back(fmt::format(
      "joint {}: its loop ({}) swings up at {:.2g} Hz {}, in one of {} poses; it holds with: "
      "joints: {{{}}}",
      robot.joints[all.joints[joint]].name, law, worst->frequency_hz, change, poses.size(), lines));
}

}  // namespace

std::vector<std::string> loop_warnings(const RobotConfig& robot, std::span<const JointSetup> setups,
                                       RobotModel& model) {
  const Poses poses = inertias(robot, model);
  std::vector<std::string> warnings;
  for (const InteractionMode law : kAllInteractionMode) {
    add_warnings(robot, loops_of(robot, setups, law), poses, warnings);
  }
  return warnings;
}

}  // namespace jointrig
