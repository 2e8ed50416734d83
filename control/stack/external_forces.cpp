#include "control/stack/external_forces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "control/core/board_defaults.h"
#include "control/core/sane.h"
#include "control/laws/joint_torques.h"
#include "control/laws/tool_wrench.h"
#include "control/safety/contact_detector.h"
#include "control/stack/config_error.h"

namespace jointrig {
namespace {

constexpr double kNobodyKnows = std::numeric_limits<double>::quiet_NaN();

/// Friction of each joint: from its arm, else from the model.
std::vector<FrictionConfig> friction_of(const RobotConfig& config) {
  std::vector<FrictionConfig> friction(config.joints.size());
  if (!config.external_torque.friction) return friction;
  for (std::size_t i = 0; i < friction.size(); ++i) {
    friction[i].coulomb = config.joints[i].gains.friction;
    friction[i].viscous = config.joints[i].gains.viscous;
  }
  for (const ArmConfig& arm : config.arms) {
    for (std::size_t i = 0; i < arm.friction.size(); ++i) {
      friction[arm.joints[i]] = arm.friction[i];
    }
  }
  return friction;
}

/// Site of an arm's sensor. Throws ConfigError.
FrameId site_of_sensor(const ArmSetup& setup, const RobotModel& model) {
  const std::string& site = setup.config.force_sensor.site;
  const std::string begin = setup.config.where.text + "arm \"" + setup.config.name + "\": ";
  if (!model.has_force_torque(site)) {
    throw ConfigError(begin + "the model has no force and torque sensor at a site \"" + site +
                      "\"; give it both, <force> and <torque> with that site");
  }
  const FrameId frame = model.find_frame(site);
  if (!model.hangs_on(setup.tool, frame)) {
    throw ConfigError(begin + "its tool \"" + setup.config.tool +
                      "\" doesn't hang on its force sensor \"" + site +
                      "\"; name a sensor between joints and tool");
  }
  return frame;
}

/// Share s of the observer of collision detection for which the steps of the encoders, by
/// themselves, stay within the joint's threshold of an impact:
///
///     1.2 s Σ_k |M_ik| Δv_k / dt ≤ T_impact
///
/// Readings within half a step of the truth move an observed torque by at most 1.2 times what one
/// step does: half the sum of its impulse response over all cycles, for any filter of the velocity.
double quiet_share(std::size_t joint, const PlacedModel& model, Joints joints,
                   std::span<const double> steps, double dt) noexcept {
  constexpr double kPatterns = 1.2;
  const double* column = model.inertia().col(static_cast<Eigen::Index>(joint)).data();
  double momentum = 0.0;
  for (std::size_t k = 0; k < joints.size(); ++k) momentum += std::abs(column[k]) * steps[k];
  const double threshold = impact_threshold(joints.setups[joint].config);
  return threshold * dt / std::max(kPatterns * momentum, std::numeric_limits<double>::min());
}

}  // namespace

ExternalForces::ExternalForces(const RobotConfig& config, const PlacedModel& model,
                               std::span<const ArmSetup> arms)
    : dt_(to_seconds(config.period_ns)),
      quick_share_(-std::expm1(-kContactGain * dt_)),
      friction_(friction_of(config)),
      torques_(config.joints.size()),
      forces_(config.arms.size()) {
  const std::size_t count = config.joints.size();
  state_.observers.resize(count);
  state_.quick.resize(count);
  state_.sent_before.assign(count, kNobodyKnows);
  const double gain = config.external_torque.gain;
  if (!(gain >= 0.0)) throw ConfigError("the gain of external_torque must be 0 or above");
  if (model) share_ = -std::expm1(-gain * dt_);
  for (const ArmSetup& setup : arms) {
    const ForceSensorConfig& sensor = setup.config.force_sensor;
    state_.sensing.emplace_back(sensor);
    SensorPlace place;
    if (!sensor.site.empty()) place.site = site_of_sensor(setup, *model);
    sensors_.push_back(place);
  }
}

std::vector<std::string> ExternalForces::connect(const std::vector<std::string>& sites,
                                                 std::span<const ArmSetup> arms) {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    const ArmConfig& arm = arms[i].config;
    if (arm.force_sensor.site.empty()) continue;
    for (std::size_t n = 0; n < sites.size(); ++n) {
      if (sites[n] == arm.force_sensor.site) sensors_[i].sample = static_cast<int>(n);
    }
    if (sensors_[i].sample >= 0) continue;
    sentences.push_back("arm " + arm.name + " goes without its force/torque sensor \"" +
                        arm.force_sensor.site +
                        "\": this backend reads none; the wrench on the tool is estimated from the "
                        "joints' torques, where boards sense those");
  }
  return sentences;
}

void ExternalForces::advance(const RobotState& state, PlacedModel& model, Joints joints,
                             std::span<const ArmSetup> arms, std::span<const ArmControl> controls,
                             EventReporter& events) noexcept {
  if (!model) {
    model.place_velocities(joints.controls);
    return;
  }
  observe(model, joints);
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    read_sensor(i, state, *model, arms[i], controls[i], events);
  }
}

/// Torque of the motor from the last cycle to this one: as measured by its board, else as ordered,
/// which acts a cycle after it is sent. NaN: unknown.
double ExternalForces::acting_torque(std::size_t joint, const PlacedModel& model,
                                     Joints joints) noexcept {
  const JointSetup& setup = joints.setups[joint];
  const JointControl& control = joints.controls[joint];
  const JointSetpoint& last = control.setpoint();
  const double before = state_.sent_before[joint];
  state_.sent_before[joint] = last.drive == DriveMode::kTorque ? last.tau : kNobodyKnows;
  if (setup.board.senses_torque) return control.state().tau;
  return before + (setup.board.compensates_gravity ? model.gravity(joint) : 0.0);
}

void ExternalForces::observe(PlacedModel& model, Joints joints) noexcept {
  model.place_velocities(joints.controls);
  model->update_momentum();
  std::array<double, kMaxJoints> speeds{};  // side by side, since each joint looks at all of them
  for (std::size_t i = 0; i < joints.size(); ++i) speeds[i] = joints.setups[i].speed_of_step;
  const std::span<const double> steps(speeds.data(), joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto joint = static_cast<JointIndex>(i);
    const JointControl& control = joints.controls[i];
    MomentumObserver& observer = state_.observers[i];
    MomentumObserver& quick = state_.quick[i];
    const double tau = acting_torque(i, model, joints);
    const bool is_known = control.machine().driving() && is_sane(tau);
    torques_[i].knows_motor = is_known;
    torques_[i].is_known = is_known && share_ > 0.0;
    if (!is_known) {
      observer.restart();
      quick.restart();
    } else if (control.state().missed > 0) {
      observer.pause();
      quick.pause();
    } else {
      const double known = model->energy_gradient(joint) - model->gravity(joint) -
                           model->carried_gravity(joint) -
                           friction_torque(friction_[i], control.state().v);
      observer.shift(model->momentum_change(joint));
      quick.shift(model->momentum_change(joint));
      const JointSetup& setup = joints.setups[i];
      const double before =
          setup.board.senses_torque ? 0.0 : armature_before_spring(setup.config.board);
      const double momentum = model->momentum(joint) + before * control.state().v;
      observer.advance(momentum, known, tau, share_, dt_);
      const double quick_share = std::min(quick_share_, quiet_share(i, model, joints, steps, dt_));
      quick.advance(momentum, known, tau, quick_share, dt_);
    }
    torques_[i].tau = observer.external();
  }
}

/// Wrench that carries tool and known payload at rest, as the sensor reads it: in its frame, at its
/// origin.
Vector6 ExternalForces::weight_on_sensor(std::size_t arm, const FramePose& site,
                                         const RobotModel& model, const ArmSetup& setup,
                                         const KnownPayload& payload) const noexcept {
  const ForceSensorConfig& sensor = setup.config.force_sensor;
  const Eigen::Vector3d up = -model.free_fall();
  Vector6 rest = Vector6::Zero();
  const auto carry = [&](double mass, const Eigen::Vector3d& centre) {
    const Eigen::Vector3d force = mass * up;
    const Eigen::Vector3d lever = centre - site.position;
    rest.head<3>() += force;
    rest.tail<3>() += lever.cross(force);
  };
  if (sensor.mass) {
    const Eigen::Vector3d centre(sensor.centre.data());
    carry(*sensor.mass, site.position + site.rotation * centre);
  } else {
    const RobotModel::Hanging tool = model.hanging_on(sensors_[arm].site);
    carry(tool.mass, tool.centre);
  }
  if (payload.mass > 0.0) {
    const FramePose tool = model.pose(setup.tool);
    const Eigen::Vector3d centre(payload.centre.data());
    carry(payload.mass, tool.position + tool.rotation * centre);
  }
  return turned_wrench(rest, site.rotation.transpose());
}

void ExternalForces::read_sensor(std::size_t arm, const RobotState& state, const RobotModel& model,
                                 const ArmSetup& setup, const ArmControl& control,
                                 EventReporter& events) noexcept {
  ArmForces& out = forces_[arm];
  out = {};
  const SensorPlace& place = sensors_[arm];
  if (place.sample < 0) return;
  const auto number = static_cast<std::size_t>(place.sample);
  const ForceTorqueState* sample =
      number < state.force_torque.size() ? &state.force_torque[number] : nullptr;
  const FramePose site = model.pose(place.site);
  ForceSensing& sensing = state_.sensing[arm];
  if (sensing.taring() && control.load_changes()) sensing.tare();  // begins again
  report(arm,
         sensing.advance(setup.config.force_sensor, sample,
                         weight_on_sensor(arm, site, model, setup, control.load()), setup.dt),
         events);

  const FramePose tool = control.tool_pose(setup, model);
  const FramePose base = model.pose(setup.base);
  const Vector6 wrench =
      moved_wrench(turned_wrench(sensing.wrench(), site.rotation), site.position, tool.position);
  out.sensed = as_plain(turned_wrench(wrench, base.rotation.transpose()));
  out.sensed_tool = as_plain(turned_wrench(wrench, tool.rotation.transpose()));
  out.bias = as_plain(sensing.bias());
  out.filter_hz = sensing.filter_hz();
  out.sensor = sensing.state();
  out.taring = sensing.taring();
}

void ExternalForces::report(std::size_t arm, const ForceSensing::Outcome& outcome,
                            EventReporter& events) const noexcept {
  const ForceSensing& sensing = state_.sensing[arm];
  if (outcome.changed) {
    Event e = events.event(EventKind::kForceSensor, kNoJoint);
    e.arm = static_cast<ArmIndex>(arm);
    e.detail = static_cast<std::uint8_t>(sensing.state());
    e.number = static_cast<std::uint64_t>(outcome.axis);
    e.value = outcome.value;
    e.limit = outcome.limit;
    e.quantity = outcome.quantity;
    const bool is_news = sensing.state() != ForceSensorState::kGood || events.cycle() > 0;
    if (is_news) events.publish(e);
  }
  if (!outcome.tared) return;
  Event e = events.event(EventKind::kTared, kNoJoint);
  e.arm = static_cast<ArmIndex>(arm);
  const Vector6 bias = sensing.found_bias();
  e.value = bias.head<3>().norm();
  e.limit = bias.tail<3>().norm();
  events.publish(e);
}

void ExternalForces::restore(const State& state) { state_ = state; }

}  // namespace jointrig
