#include "control/discovery/discovery.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "control/discovery/actuator_facts.h"
#include "control/discovery/braking_room.h"
#include "control/discovery/default_gains.h"
#include "control/discovery/default_limits.h"
#include "control/discovery/gripper_guess.h"
#include "control/discovery/inertia_range.h"
#include "control/discovery/joint_tree.h"
#include "control/discovery/loop_notes.h"
#include "control/discovery/model_checks.h"
#include "control/discovery/part_guess.h"
#include "control/discovery/stated_torque.h"
#include "control/discovery/survey.h"
#include "control/discovery/torque_findings.h"
#include "control/discovery/uncontrolled.h"

namespace jointrig {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string robot_name(const Survey& survey) {
  const std::string name = mjs_getString(survey.mjcf.spec->modelname);
  // MuJoCo's name for a model without one.
  const bool unset = name.empty() || name == "MuJoCo Model";
  return unset ? std::filesystem::path(survey.mjcf.path).stem().string() : name;
}

const std::vector<int>& drives_of(const Survey& survey, int joint) {
  return survey.drives[static_cast<std::size_t>(joint)];
}

std::size_t dof_of(const Survey& survey, int joint) {
  return static_cast<std::size_t>(survey.model->jnt_dofadr[joint]);
}

/// The range in which the joint's stops push nothing: MuJoCo has them push from `margin` before
/// them. A start between is moved to its edge.
void narrow_to_free_range(const mjModel& m, int joint, JointConfig& config, Remarks& remarks) {
  const double margin = m.jnt_limited[joint] ? m.jnt_margin[joint] : 0.0;
  JointLimits& limits = config.limits;
  if (!(margin > 0.0) || 2.0 * margin >= limits.q_max - limits.q_min) return;
  const bool was_inside = config.q_start >= limits.q_min && config.q_start <= limits.q_max;
  limits.q_min += margin;
  limits.q_max -= margin;
  if (was_inside) config.q_start = std::clamp(config.q_start, limits.q_min, limits.q_max);
  remarks.add(Severity::kInfo, Subject::kJoint, config.name,
              fmt::format("its stops push from {:.3g} {} before them (margin): its range and its "
                          "start are inside",
                          margin, config.slide ? "m" : "rad"));
}

/// Name, range and a start inside the range; forces follow when the start pose is known.
JointConfig begin_joint(const Survey& survey, int joint, Remarks& remarks) {
  const mjModel& m = *survey.model;
  JointConfig config;
  config.name = name_of(m, mjOBJ_JOINT, joint);
  config.slide = m.jnt_type[joint] == mjJNT_SLIDE;
  config.limits.q_min = m.jnt_limited[joint] ? m.jnt_range[2 * joint] : -kInfinity;
  config.limits.q_max = m.jnt_limited[joint] ? m.jnt_range[2 * joint + 1] : kInfinity;
  const double start = survey.mjcf.start.q.at(config.name).front();
  config.q_start = start;
  narrow_to_free_range(m, joint, config, remarks);
  if (config.q_start >= config.limits.q_min && config.q_start <= config.limits.q_max) return config;
  // Inside by the margin of such a range.
  JointFacts inside;
  inside.slide = config.slide;
  inside.q_min = config.limits.q_min;
  inside.q_max = config.limits.q_max;
  inside.q_start = 0.5 * (inside.q_min + inside.q_max);
  const double margin = default_limits(inside).soft_margin;
  config.q_start = std::clamp(start, config.limits.q_min + margin, config.limits.q_max - margin);
  remarks.add(Severity::kWarning, Subject::kJoint, config.name,
              fmt::format("starts at {:.4g}, outside its range {:.4g}..{:.4g}: moved to {:.4g}",
                          start, config.limits.q_min, config.limits.q_max, config.q_start));
  return config;
}

/// Friction of a joint and of those that follow it, as its motor feels them.
struct Friction {
  double coulomb = 0.0;  ///< Σ |s| f [N·m or N], with s the speed of each per speed of the joint
  double viscous = 0.0;  ///< Σ s² d [N·m·s/rad or N·s/m]
};

Friction felt_friction(const Survey& survey, int joint) {
  const mjModel& m = *survey.model;
  const std::vector<double> slopes = speeds_with(joint, m, survey.couplings, survey.data->qpos);
  Friction felt;
  for (int i = 0; i < m.njnt; ++i) {
    const double slope = slopes[static_cast<std::size_t>(i)];
    if (slope == 0.0) continue;
    felt.coulomb += std::abs(slope) * m.dof_frictionloss[m.jnt_dofadr[i]];
    felt.viscous += slope * slope * m.dof_damping[m.jnt_dofadr[i]];
  }
  return felt;
}

/// Coulomb and viscous friction at full speed, and the largest torque of springs.
double friction_of(const Survey& survey, int joint, const Friction& felt, const JointFacts& facts) {
  const mjModel& m = *survey.model;
  double friction = felt.coulomb + felt.viscous * default_speed(facts);
  if (m.jnt_stiffness[joint] > 0.0) {
    const double rest = m.qpos_spring[m.jnt_qposadr[joint]];
    const double low = std::isfinite(facts.q_min) ? facts.q_min : facts.q_start;
    const double high = std::isfinite(facts.q_max) ? facts.q_max : facts.q_start;
    friction += m.jnt_stiffness[joint] * std::max(std::abs(low - rest), std::abs(high - rest));
  }
  return friction;
}

JointFacts facts_of(const Survey& survey, int joint, const JointConfig& config,
                    const InertiaRange& inertia, const Friction& felt) {
  JointFacts facts;
  facts.slide = config.slide;
  facts.q_min = config.limits.q_min;
  facts.q_max = config.limits.q_max;
  facts.q_start = config.q_start;
  facts.inertia = std::max(inertia.start, inertia.median);
  facts.load = survey.load[dof_of(survey, joint)];
  facts.friction = friction_of(survey, joint, felt, facts);
  return facts;
}

/// Largest estimated torque of the robot's joints.
struct Strongest {
  double hinge = 0.0;  ///< [N·m]
  double slide = 0.0;  ///< [N]
};

/// Rule that tells a motor's torque from a number that stands for none.
struct TorqueSense {
  Strongest strongest;
  std::vector<TooLittleEffort> too_little;
};

Strongest strongest_of(const Survey& survey, const RobotConfig& robot,
                       const std::vector<InertiaRange>& inertia) {
  Strongest strongest;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const int joint = survey.controlled[i];
    const JointFacts facts =
        facts_of(survey, joint, robot.joints[i], inertia[i], felt_friction(survey, joint));
    double& largest = facts.slide ? strongest.slide : strongest.hinge;
    largest = std::max(largest, estimated_torque(facts));
  }
  return strongest;
}

/// Sets the speed limit that the file states, unless it stands for none; 0 without one.
void set_speed(const Survey& survey, JointFacts& facts, const std::string& name, Remarks& remarks) {
  const auto speed = survey.mjcf.speeds.find(name);
  if (speed == survey.mjcf.speeds.end()) return;
  if (!is_no_speed_limit(facts, speed->second)) {
    facts.v_max = speed->second;
    return;
  }
  const char* const unit = facts.slide ? "m/s" : "rad/s";
  remarks.add(
      Severity::kInfo, Subject::kJoint, name,
      fmt::format("its speed limit of {:.4g} {} is more than a motor reaches: taken as none "
                  "given, {:.3g} {}; set velocity_max",
                  speed->second, unit, default_speed(facts), unit));
}

std::string actuator_text(const Survey& survey, int joint) {
  if (survey.given_motor[static_cast<std::size_t>(joint)]) return "nothing (motors)";
  std::string text;
  for (const int a : drives_of(survey, joint)) {
    text += (text.empty() ? "" : ", ") + name_of(*survey.model, mjOBJ_ACTUATOR, a) + " (" +
            kind_of(*survey.model, a) + ")";
  }
  return text;
}

/// Why a stated torque limit stands for none; empty if it is a motor's.
/// @param estimate  the torque that is taken in its place
std::string why_none(const Survey& survey, const TorqueLimit& stated, const TorqueSense& sense,
                     double estimate, bool slide) {
  const char* const unit = slide ? "N" : "N·m";
  if (is_no_torque_limit(stated.value, slide ? sense.strongest.slide : sense.strongest.hinge)) {
    return fmt::format(
        "its torque limit of {:.4g} {} ({}) is far more than a motor of this robot has: taken as "
        "none given, {:.3g} {}; set torque_max",
        stated.value, unit, stated.source, estimate, unit);
  }
  if (!is_effort(survey, stated) || stated.value >= estimate) return {};
  const auto too_little = std::find_if(
      sense.too_little.begin(), sense.too_little.end(),
      [&](const TooLittleEffort& one) { return one.effort == stated.value && one.slide == slide; });
  if (too_little == sense.too_little.end()) return {};
  // Without the estimate, so that it is one sentence for all joints with this effort.
  return fmt::format(
      "its torque limit of {:.4g} {} (URDF's effort) can't be a motor's: the weight of {}, which "
      "has the same limit, takes {:.3g} {} in some poses: taken as none given; set torque_max",
      stated.value, unit, too_little->joint, too_little->weight, unit);
}

/// Sets the torque limit, given or estimated; returns its source.
/// @param carrier  as in estimated_torque()
std::string set_torque(const Survey& survey, int joint, const TorqueSense& sense, double carrier,
                       JointFacts& facts, const std::string& name, Remarks& remarks) {
  const auto say = [&](Severity severity, const std::string& text) {
    remarks.add(severity, Subject::kJoint, name, text);
  };
  const std::vector<int>& drives = drives_of(survey, joint);
  if (drives.size() > 1) {
    say(Severity::kInfo,
        "several actuators drive it: one motor replaces them, as strong as the strongest");
  }
  const double estimate = estimated_torque(facts, carrier);
  const std::optional<TorqueLimit> given = stated_torque(survey, joint);
  if (!given) {
    facts.tau_max = estimate;
    return std::string(kEstimate);
  }
  const std::string none = why_none(survey, *given, sense, estimate, facts.slide);
  if (!none.empty()) {
    facts.tau_max = estimate;
    say(Severity::kWarning, none);
    return std::string(kEstimate);
  }
  facts.tau_max = given->value;
  if (given->lopsided && drives.size() == 1 && !is_one_sided(*survey.model, drives.front())) {
    say(Severity::kInfo, "its torque limits differ by direction: the smaller one counts both ways");
  }
  return is_effort(survey, *given) ? "URDF's effort" : given->source;
}

double usual_margin(JointFacts facts) {
  facts.q_start = 0.5 * (facts.q_min + facts.q_max);
  return default_limits(facts).soft_margin;
}

JointLoad load_of(const InertiaRange& inertia, const Friction& felt, const std::string& name,
                  Remarks& remarks) {
  JointLoad load;
  load.inertia = inertia_for_gains(inertia);
  load.inertia_high = std::max(load.inertia, inertia.high);
  load.viscous = felt.viscous;
  constexpr double kMuch = 5.0;  // a choice: reported from here on
  if (inertia.high > kMuch * load.inertia || load.inertia < 0.999 * inertia.start) {
    remarks.add(Severity::kInfo, Subject::kJoint, name,
                "feels an inertia that changes much with the pose: the gains are made for a light "
                "one and are soft in heavy poses; an armature would even it out");
  }
  return load;
}

/// Torque limit of the hinge that carries this joint and no other, known already: it comes first.
/// 0: none, or it carries several, as a wrist its fingers and a torso its arms.
double torque_before(std::size_t joint, const JointTree& tree, const RobotConfig& robot) {
  const JointIndex carrier = tree.before[joint];
  if (carrier == kNoJoint || robot.joints[carrier].slide) return 0.0;
  if (tree.children[carrier].size() > 1) return 0.0;
  return robot.joints[carrier].limits.tau_max;
}

/// Torque, other limits and gains of a joint whose start is known.
JointOrigin finish_joint(const Survey& survey, int joint, const InertiaRange& inertia,
                         const TorqueSense& sense, double carrier, double bandwidth_hz,
                         JointConfig& config, Remarks& remarks) {
  const Friction felt = felt_friction(survey, joint);
  JointFacts facts = facts_of(survey, joint, config, inertia, felt);
  set_speed(survey, facts, config.name, remarks);
  JointOrigin origin;
  origin.actuators = actuator_text(survey, joint);
  origin.gravity = survey.gravity[dof_of(survey, joint)];
  origin.inertia_start = inertia.start;
  origin.floats = has_floating_base(*survey.model, joint);
  origin.armature = survey.model->dof_armature[survey.model->jnt_dofadr[joint]];
  origin.tau_source = set_torque(survey, joint, sense, carrier, facts, config.name, remarks);
  origin.load = load_of(inertia, felt, config.name, remarks);
  // A motor without inertia in the model gets one that suits the usual speed.
  if (facts.v_max == 0.0 && origin.armature > 0.0) {
    facts.v_max = default_speed(facts, origin.load.inertia);
  }
  config.limits = default_limits(facts);
  if (origin.armature == 0.0) config.board.armature = plausible_armature(config.limits);
  JointLoad with_motor = origin.load;
  const double added = config.board.armature.value_or(origin.armature) - origin.armature;
  with_motor.inertia += added;
  with_motor.inertia_high += added;
  config.gains = default_gains(with_motor, bandwidth_hz);
  config.gains.friction = felt.coulomb;
  if (config.limits.soft_margin < usual_margin(facts)) {
    remarks.add(Severity::kInfo, Subject::kJoint, config.name,
                "starts near a limit: its soft margin is narrowed so that the start is allowed");
  }
  origin.facts = facts;
  return origin;
}

/// A value that commands may request.
double within_soft_limits(double q, const JointLimits& limits) {
  return std::clamp(q, limits.q_min + limits.soft_margin, limits.q_max - limits.soft_margin);
}

PoseConfig pose_of(const NamedState& key, const std::vector<JointConfig>& joints) {
  PoseConfig pose{key.keyframe, {}};
  for (const JointConfig& joint : joints) {
    pose.q.emplace_back(within_soft_limits(key.q.at(joint.name).front(), joint.limits));
  }
  return pose;
}

/// All named keyframes, and the start as "home" if no keyframe has that name.
std::vector<PoseConfig> poses_of(const Survey& survey, const std::vector<JointConfig>& joints) {
  const std::vector<NamedState>& keys = survey.mjcf.keyframes;
  std::vector<PoseConfig> poses;
  const bool has_home = std::any_of(keys.begin(), keys.end(),
                                    [](const NamedState& key) { return key.keyframe == "home"; });
  if (!has_home) {
    NamedState home = survey.mjcf.start;
    home.keyframe = "home";
    poses.push_back(pose_of(home, joints));
  }
  for (const NamedState& key : keys) {
    if (!key.keyframe.empty()) poses.push_back(pose_of(key, joints));
  }
  return poses;
}

/// Hand thresholds for the heaviest arm: the defaults up to some 200 kg, beyond a share of its
/// weight. The joints' torques tell of a hand by a small difference of large torques there.
void suit_hands_to_arms(const Survey& survey, const std::vector<GuessedArm>& arms,
                        CollisionDetectionConfig& detection) {
  constexpr double kShareOfWeight = 0.05;  // a choice: 100 N of 204 kg
  constexpr double kGravity = 9.81;        // [m/s²]
  const mjModel& m = *survey.model;
  double heaviest = 0.0;
  for (const GuessedArm& arm : arms) {
    const int first = survey.controlled[arm.joints.front()];
    heaviest = std::max(heaviest, m.body_subtreemass[m.jnt_bodyid[first]]);
  }
  const double more = kShareOfWeight * kGravity * heaviest / detection.hand_force_max;
  if (more <= 1.0) return;
  detection.hand_force_max *= more;
  detection.hand_torque_max *= more;
}

}  // namespace

Discovery discover(const std::string& path, const DiscoveryOptions& options) {
  Survey survey = survey_model(path, options);
  Remarks remarks;
  Discovery discovery;
  RobotConfig& robot = discovery.config;
  robot.name = robot_name(survey);
  robot.model_path = path;
  robot.keyframe = survey.mjcf.start.keyframe;
  robot.pin_base = options.pin_base;
  robot.gravity = options.gravity;
  robot.package_path = options.packages;
  robot.motors = options.motors || survey.mjcf.is_urdf;
  robot.period_ns = options.period_ns;
  robot.delay_cycles = options.delay_cycles;
  for (const int joint : survey.controlled) {
    robot.joints.push_back(begin_joint(survey, joint, remarks));
  }
  measure(survey, robot);
  check_model(survey, options, remarks);
  const std::vector<InertiaRange> ranges = inertia_ranges(survey, robot);
  const TorqueSense sense{strongest_of(survey, robot, ranges),
                          too_little_efforts(survey, robot, ranges)};
  const JointTree tree = joint_tree(survey);
  const double hz = stiff_bandwidth_hz(to_seconds(options.period_ns), options.delay_cycles);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const int joint = survey.controlled[i];
    discovery.origins.push_back(finish_joint(survey, joint, ranges[i], sense,
                                             torque_before(i, tree, robot), hz, robot.joints[i],
                                             remarks));
    check_joint(survey, joint, robot.joints[i], remarks);
  }
  discovery.between = inertia_between(survey);
  heed_braking(discovery, std::vector<bool>(robot.joints.size(), false));
  explain_loops(survey, remarks);
  explain_uncontrolled_joints(survey, remarks);
  explain_actuators(survey, remarks);
  robot.parts = guess_parts(robot.joints);
  discovery.arms = guess_arms(survey, robot);
  fit_parts_to_arms(discovery.arms, robot.parts);
  discovery.grippers = guess_grippers(survey, robot);
  for (const JointIndex joint : joints_behind(discovery.arms, survey)) {
    robot.joints[joint].is_of_hand = true;
  }
  if (!discovery.arms.empty()) {
    protect_arms(robot);
    suit_hands_to_arms(survey, discovery.arms, *robot.detection);
    // Feet on the ground press like a contact.
    robot.detection->on = std::none_of(discovery.origins.begin(), discovery.origins.end(),
                                       [](const JointOrigin& joint) { return joint.floats; });
  }
  robot.poses = poses_of(survey, robot.joints);
  discovery.findings = std::move(remarks).take();
  std::vector<JointIndex> estimated;
  for (std::size_t i = 0; i < discovery.origins.size(); ++i) {
    if (discovery.origins[i].armature == 0.0) estimated.push_back(static_cast<JointIndex>(i));
  }
  report_armatures(estimated, discovery);
  judge_torques(robot, discovery);
  return discovery;
}

}  // namespace jointrig
