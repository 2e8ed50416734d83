#include "app/check/check_advice.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "app/check/check_lines.h"
#include "control/core/text.h"
#include "control/discovery/default_limits.h"
#include "control/joint/joint_control.h"
#include "harness/config/yaml_document.h"

namespace jointrig::app {
namespace {

constexpr std::size_t kMostJoints = 2;  // each is checked again several times
constexpr double kMostFriction = 0.5;   // of a torque: a choice

std::string joint_line(const std::string& joint, const std::string& setting) {
  return fmt::format("joints: {{{}: {{{}}}}}", harness::yaml_string(joint), setting);
}

std::string friction_takes(const CheckedJoint& joint, double weight) {
  return fmt::format(
      "weak  {}: its friction takes {:.3g} of its {:.3g} {}, its weight at the start {:.3g}: a "
      "stronger motor (torque_max, if the model's is wrong), or less friction (board: {{friction: "
      "...}})",
      joint.config->name, joint.config->gains.friction, joint.tau_max(), joint.unit(), weight);
}

/// The motor can move the joint, but what it has left is less than what holds it: where it turns
/// back, its torque has to go through twice the friction.
std::string if_friction_takes_most(const CheckedJoint& joint) {
  if (joint.config->gains.friction <= kMostFriction * joint.tau_max()) return {};
  return friction_takes(joint, std::abs(joint.weight));
}

/// The motor can't carry the arm in any mode, or can't move the joint against its friction.
std::string if_too_weak(const CheckedJoint& checked, const JointOrigin& origin) {
  const JointConfig& joint = *checked.config;
  const double weight = std::abs(origin.gravity);
  const double friction = joint.gains.friction;
  if (weight > kHoldShare * joint.limits.tau_max) {
    return fmt::format(
        "weak  {}: its weight at the start takes {:.3g} of its {:.3g} {}: a stronger motor "
        "(torque_max, if the model's is wrong), a lighter link, or another pose (start)",
        joint.name, weight, joint.limits.tau_max, checked.unit());
  }
  if (weight + friction <= kHoldShare * joint.limits.tau_max) return {};
  return friction_takes(checked, weight);
}

/// Braking all joints together takes more torque than the weight leaves. They brake more gently
/// then, by the share that there is torque for, and go further than acceleration_max would let
/// them.
std::string if_brakes_late(const CheckedJoint& joint) {
  if (joint.can_brake()) return {};
  const double left = joint.tau_max() - std::abs(joint.weight);
  const double a_max = joint.config->limits.a_max;
  return fmt::format(
      "weak  {}: its weight takes {:.3g} of its {:.3g} {}, and all joints that brake at their "
      "acceleration_max take {:.3g} more: it has the torque for {:.2g} of its {:.3g} {}/s^2, "
      "reckoned with the weight of the start pose; a lower acceleration_max, or a stronger motor",
      joint.config->name, std::abs(joint.weight), joint.tau_max(), joint.unit(), joint.braking,
      a_max * left / joint.braking, a_max, joint.unit_of_way());
}

/// A torque on a light joint makes it too fast before its motor answers.
std::string if_answers_late(const CheckedJoint& joint, double torque) {
  const double v = joint.speed_unanswered(torque);
  if (v <= 1.1 * joint.v_max()) return {};
  return fmt::format(
      "weak  {}: {:.3g} {} at once on its {:.2g} {} give {:.3g} {}/s before its motor answers "
      "({:.2g} ms later, by {:.4g} {}/s), {:.3g} times its velocity_max of {:.3g}, where 1.1 times "
      "pass: reckoned for the start pose, without friction; a higher torque_rate_max, or more "
      "inertia (board: {{armature: ...}})",
      joint.config->name, torque, joint.unit(), joint.inertia, joint.unit_of_inertia(), v,
      joint.unit_of_way(), 1e3 * joint.loop_time, joint.config->limits.tau_rate_max, joint.unit(),
      v / joint.v_max(), joint.v_max());
}

/// A step of its load turns it far before its motor answers.
std::string if_gives_way(const CheckedJoint& joint) {
  const double stair = joint.load_stair();
  const double way = joint.gives_way(stair);
  const double fine = joint.config->slide ? 0.002 : 0.035;  // [m or rad] a choice: of 5 mm, 5 deg
  if (way <= fine) return {};
  return fmt::format(
      "weak  {}: {:.3g} {} at once, a step of the load, turn its {:.2g} {} by {:.2g} {} before "
      "its motor answers: a lower torque_max if the model's is wrong, more inertia (board: "
      "{{armature: ...}}), or a higher bandwidth",
      joint.config->name, stair, joint.unit(), joint.inertia, joint.unit_of_inertia(), way,
      joint.unit_of_way());
}

/// Why the robot can't do what a kind asks for, by its numbers alone.
std::string if_impossible(const std::string& kind, const CheckedJoint& joint) {
  if (kind == to_string(CheckKind::kStop)) return if_brakes_late(joint);
  if (kind == to_string(CheckKind::kLoad)) return if_gives_way(joint);
  if (kind != to_string(CheckKind::kPush)) return {};
  return if_answers_late(joint, joint.push_torque());
}

/// The inertia of a usual motor where the model's is far below it, or 0. Without any there is
/// nothing that a sampled loop could hold.
double missing_armature(const JointConfig& joint, const JointOrigin& origin) {
  if (joint.slide) return 0.0;  // what its motor turns, and how fast, isn't known
  const double armature = joint.board.armature.value_or(origin.armature);
  const double usual = plausible_armature(joint.limits);
  return armature < 0.2 * usual ? usual : 0.0;
}

/// Bandwidth of the joint's computed torque, on the simulated board [Hz]
double bandwidth_of(const CheckedJoint& joint) {
  return servo_design(joint.loop_time, *joint.config).w / (2.0 * std::numbers::pi);
}

/// Settings of a joint that may help: a usual motor, another bandwidth, both.
std::vector<std::string> candidates(const CheckedJoint& joint, const JointOrigin& origin) {
  std::vector<std::string> all;
  const double armature = missing_armature(*joint.config, origin);
  const std::string motor = fmt::format("board: {{armature: {:.2g} kg m^2}}", armature);
  if (armature > 0.0) all.push_back(motor);
  if (joint.config->gains.is_pid) return all;
  const double bandwidth = bandwidth_of(joint);
  const double most = kBoldest * fastest_servo(joint.loop_time, joint.config->gains.damping_ratio) /
                      (2.0 * std::numbers::pi);
  for (const double factor : {0.5, 1.5}) {
    const double hz = std::min(factor * bandwidth, most);
    if (factor < 1.0 || hz > 1.01 * bandwidth)
      all.push_back(fmt::format("bandwidth: {:.2g} Hz", hz));
  }
  if (armature > 0.0)
    all.push_back(fmt::format("{}, bandwidth: {:.2g} Hz", motor, 0.5 * bandwidth));
  return all;
}

std::string tried(const CheckedJoint& joint, JointIndex index, const JointOrigin& origin,
                  const TryOut& passes) {
  const std::string& name = joint.config->name;
  const std::vector<std::string> settings = candidates(joint, origin);
  for (const std::string& setting : settings) {
    const std::string line = joint_line(name, setting);
    if (passes(index, line)) {
      return fmt::format("try   {}   in robot.yaml: with it {} passes", line, name);
    }
  }
  if (settings.empty()) return {};
  return fmt::format("tried {}: {} fails with each of them", joined(settings, "; "), name);
}

std::string of_plant(const PlantConfig& plant) {
  std::string what;
  if (plant.mass_scale != 1.0) what = fmt::format("plant.mass_scale is {:g}", plant.mass_scale);
  if (!plant.payloads.empty()) what += (what.empty() ? "" : ", ") + std::string("plant.payloads");
  if (what.empty()) return {};
  return "note  the simulated robot is not the controller's model: " + what;
}

/// Warnings on the model that name joints that failed: each with those joints of its own.
std::vector<std::string> of_model(const std::vector<std::string>& failing,
                                  const std::vector<Remark>& findings) {
  std::vector<std::string> all;
  for (const Remark& finding : findings) {
    if (finding.severity == Severity::kInfo || finding.subject != Subject::kJoint) continue;
    std::vector<std::string> named;
    for (const std::string& name : failing) {
      const auto& names = finding.names;
      if (std::find(names.begin(), names.end(), name) != names.end()) named.push_back(name);
    }
    if (!named.empty()) all.push_back("model " + joined(named) + ": " + finding.text);
  }
  return all;
}

}  // namespace

std::vector<std::string> advice(const harness::Result& result, const Discovery& found,
                                std::span<const CheckedJoint> joints, const TryOut& passes) {
  std::vector<std::string> all;
  if (const std::string plant = of_plant(found.config.plant); !plant.empty()) all.push_back(plant);
  const std::vector<std::string> failing = failing_joints(result);
  for (std::string& words : of_model(failing, found.findings)) all.push_back(std::move(words));
  std::size_t looked_at = 0;
  for (const std::string& name : failing) {
    if (looked_at++ == kMostJoints) break;
    const auto checked = std::find_if(joints.begin(), joints.end(), [&](const CheckedJoint& j) {
      return j.config->name == name;
    });
    if (checked == joints.end()) continue;
    const auto index = static_cast<std::size_t>(checked - joints.begin());
    const JointOrigin& origin = found.origins[index];
    std::string words = if_too_weak(*checked, origin);
    if (words.empty()) {
      for (const std::string& why :
           {if_impossible(result.scenario, *checked), if_friction_takes_most(*checked)}) {
        if (!why.empty()) all.push_back(why);
      }
      words = tried(*checked, static_cast<JointIndex>(index), origin, passes);
    }
    if (!words.empty()) all.push_back(words);
  }
  return all;
}

}  // namespace jointrig::app
