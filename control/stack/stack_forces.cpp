// What acts on the robot beside its motors: by its force/torque sensors, and by what is known of
// its motion.

#include <cmath>
#include <limits>

#include "control/core/sane.h"
#include "control/laws/joint_torques.h"
#include "control/laws/tool_wrench.h"
#include "control/stack/stack.h"

namespace jointrig {
namespace {

/// Of each joint: its arm's, else the model's.
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

}  // namespace

void Stack::set_up_forces() {
  const std::size_t count = config_.joints.size();
  state_.observers.resize(count);
  state_.observed.resize(config_.arms.size());
  state_.sent_before.assign(count, std::numeric_limits<double>::quiet_NaN());
  arm_workspace_.external.assign(count, 0.0);
  arm_workspace_.knows_external.assign(count, false);
  arm_workspace_.knows_motor.assign(count, false);
  friction_ = friction_of(config_);
  const double gain = config_.external_torque.gain;
  if (!(gain >= 0.0)) throw ConfigError("the gain of external_torque must be 0 or above");
  if (model_) observer_share_ = -std::expm1(-gain * to_seconds(config_.period_ns));
  carried_.reserve(config_.arms.size());
  arm_forces_.resize(config_.arms.size());
  for (const ArmSetup& setup : arm_setups_) {
    const ForceSensorConfig& sensor = setup.config.force_sensor;
    state_.force_sensing.emplace_back(sensor);
    SensorPlace place;
    if (!sensor.site.empty()) {
      const std::string begin = setup.config.where.text + "arm \"" + setup.config.name + "\": ";
      if (!model_->has_force_torque(sensor.site)) {
        throw ConfigError(begin + "the model has no force and torque sensor at a site \"" +
                          sensor.site + "\"; give it both, <force> and <torque> with that site");
      }
      place.site = model_->find_frame(sensor.site);
      if (!model_->hangs_on(setup.tool, place.site)) {
        throw ConfigError(begin + "its tool \"" + setup.config.tool +
                          "\" doesn't hang on its force sensor \"" + sensor.site +
                          "\"; name a sensor between joints and tool");
      }
    }
    sensors_.push_back(place);
  }
}

std::vector<std::string> Stack::connect_force_sensors(const std::vector<std::string>& sites) {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    const ArmConfig& arm = arm_setups_[i].config;
    if (arm.force_sensor.site.empty()) continue;
    for (std::size_t n = 0; n < sites.size(); ++n) {
      if (sites[n] == arm.force_sensor.site) sensors_[i].sample = static_cast<int>(n);
    }
    if (sensors_[i].sample >= 0) continue;
    sentences.push_back("arm " + arm.name + " goes without its force/torque sensor \"" +
                        arm.force_sensor.site +
                        "\": this backend reads none; what acts on the tool is estimated from the "
                        "joints' torques, where boards sense those");
  }
  return sentences;
}

// Each cycle ------------------------------------------------------------------------------------

void Stack::sense_forces(const RobotState& state) noexcept {
  if (!model_) return;
  if (observes_momentum()) {
    place_velocities();
    observe_momentum();
  }
  for (std::size_t i = 0; i < sensors_.size(); ++i) read_force_sensor(i, state);
}

bool Stack::observes_momentum() const noexcept {
  return observer_share_ > 0.0 || is_on(Protection::kCollisionDetection);
}

void Stack::place_velocities() noexcept {
  for (std::size_t i = 0; i < state_.joints.size(); ++i) {
    state_.placed.joints[i].v = state_.joints[i].state().v;
  }
  model_->update_velocities(state_.placed);
}

/// Of the motor, from the last cycle to this one: as its board measures it, else as it was ordered,
/// which acts a cycle after it is sent. NaN: nobody knows.
double Stack::acting_torque(std::size_t joint) noexcept {
  const JointSetup& setup = state_.setups[joint];
  const JointControl& control = state_.joints[joint];
  const JointSetpoint& last = control.setpoint();
  const double before = state_.sent_before[joint];
  state_.sent_before[joint] =
      last.drive == DriveMode::kTorque ? last.tau : std::numeric_limits<double>::quiet_NaN();
  if (setup.board.senses_torque) return control.state().tau;
  const bool adds_gravity = setup.board.compensates_gravity;
  return before + (adds_gravity ? model_->gravity(static_cast<JointIndex>(joint)) : 0.0);
}

void Stack::observe_momentum() noexcept {
  carried_.clear();
  bool is_told = false;
  for (std::size_t i = 0; i < state_.arms.size(); ++i) {
    const KnownPayload& payload = state_.arms[i].payload();
    is_told = is_told || payload != state_.observed[i];
    state_.observed[i] = payload;
    if (payload.mass == 0.0) continue;
    carried_.push_back({arm_setups_[i].tool, payload.mass,
                        Eigen::Map<const Eigen::Vector3d>(payload.centre.data())});
  }
  model_->update_momentum(carried_);
  const double dt = to_seconds(config_.period_ns);
  for (std::size_t i = 0; i < state_.joints.size(); ++i) {
    const auto joint = static_cast<JointIndex>(i);
    const JointControl& control = state_.joints[i];
    MomentumObserver& observer = state_.observers[i];
    MomentumObserver& quick = state_.guard.observers[i];
    const double tau = acting_torque(i);
    const bool is_known = control.machine().driving() && is_sane(tau);
    arm_workspace_.knows_motor[i] = is_known;
    arm_workspace_.knows_external[i] = is_known && observer_share_ > 0.0;
    if (!is_known) {
      observer.restart();
      quick.restart();
    } else if (control.state().missed > 0) {
      observer.pause();
      quick.pause();
    } else {
      const double known = model_->energy_gradient(joint) - model_->gravity(joint) -
                           model_->carried_gravity(joint) -
                           friction_torque(friction_[i], control.state().v);
      if (is_told) {  // what has come to the momentum with a payload no torque has made
        observer.pause();
        quick.pause();
      }
      observer.advance(model_->momentum(joint), known, tau, observer_share_, dt);
      quick.advance(model_->momentum(joint), known, tau, contact_share_, dt);
    }
    arm_workspace_.external[i] = observer.external();
  }
}

/// What carries tool and known payload at rest, as the sensor reads it: in its frame, at its
/// origin.
Vector6 Stack::weight_on_sensor(std::size_t arm, const FramePose& site) const noexcept {
  const ArmSetup& setup = arm_setups_[arm];
  const ForceSensorConfig& sensor = setup.config.force_sensor;
  const Eigen::Vector3d up = -model_->free_fall();
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
    const RobotModel::Hanging tool = model_->hanging_on(sensors_[arm].site);
    carry(tool.mass, tool.centre);
  }
  const KnownPayload& payload = state_.arms[arm].payload();
  if (payload.mass > 0.0) {
    const FramePose tool = model_->pose(setup.tool);
    const Eigen::Vector3d centre(payload.centre.data());
    carry(payload.mass, tool.position + tool.rotation * centre);
  }
  return turned_wrench(rest, site.rotation.transpose());
}

void Stack::read_force_sensor(std::size_t arm, const RobotState& state) noexcept {
  ArmForces& out = arm_forces_[arm];
  out = {};
  const SensorPlace& place = sensors_[arm];
  if (place.sample < 0) return;
  const auto number = static_cast<std::size_t>(place.sample);
  const ForceTorqueState* sample =
      number < state.force_torque.size() ? &state.force_torque[number] : nullptr;
  const ArmSetup& setup = arm_setups_[arm];
  const FramePose site = model_->pose(place.site);
  ForceSensing& sensing = state_.force_sensing[arm];
  report(arm,
         sensing.advance(setup.config.force_sensor, sample, weight_on_sensor(arm, site), setup.dt));

  const FramePose tool = model_->pose(setup.tool);
  const FramePose base = model_->pose(setup.base);
  const Vector6 wrench =
      moved_wrench(turned_wrench(sensing.wrench(), site.rotation), site.position, tool.position);
  out.sensed = as_plain(turned_wrench(wrench, base.rotation.transpose()));
  out.sensed_tool = as_plain(turned_wrench(wrench, tool.rotation.transpose()));
  out.bias = as_plain(sensing.bias());
  out.filter_hz = sensing.filter_hz();
  out.sensor = sensing.state();
  out.taring = sensing.taring();
}

void Stack::report(std::size_t arm, const ForceSensing::Outcome& outcome) noexcept {
  const ForceSensing& sensing = state_.force_sensing[arm];
  Event e = event(EventKind::kForceSensor, kNoJoint);
  e.arm = static_cast<ArmIndex>(arm);
  if (outcome.changed) {
    e.detail = static_cast<std::uint8_t>(sensing.state());
    e.number = static_cast<std::uint64_t>(outcome.axis);
    e.value = outcome.value;
    e.limit = outcome.limit;
    const bool is_news = sensing.state() != ForceSensorState::kGood || state_.cycle > 0;
    if (is_news) events_.publish(e);
  }
  if (!outcome.tared) return;
  e = event(EventKind::kTared, kNoJoint);
  e.arm = static_cast<ArmIndex>(arm);
  const Vector6 bias = sensing.found_bias();
  e.value = bias.head<3>().norm();
  e.limit = bias.tail<3>().norm();
  events_.publish(e);
}

/// What the snapshot tells of each joint's torque.
void Stack::publish_efforts() noexcept {
  for (std::size_t i = 0; i < state_.joints.size(); ++i) {
    JointSnapshot& out = snapshot_.joints[i];
    out.effort = state_.joints[i].effort();
    out.effort.gravity = model_ ? model_->gravity(static_cast<JointIndex>(i)) : 0.0;
    out.effort.external = state_.observers[i].external();
    out.has_external = arm_workspace_.knows_external[i];
    out.limit_cycles = state_.limit_cycles[i];
  }
  for (std::size_t a = 0; a < arm_setups_.size(); ++a) {
    const ArmSnapshot& arm = snapshot_.arms[a];
    const std::vector<JointIndex>& joints = arm_setups_[a].config.joints;
    using Claim = JointControl::Claim;
    const Claim claim = arm_orders_[joints.front()].claim;
    if (claim != Claim::kRuns && claim != Claim::kGuided) continue;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const auto tau = [&](ArmTerm term) { return arm.tau[static_cast<std::size_t>(term)][i]; };
      JointEffort& effort = snapshot_.joints[joints[i]].effort;
      effort.model = tau(ArmTerm::kGravity) + tau(ArmTerm::kCoriolis) + tau(ArmTerm::kFriction) +
                     tau(ArmTerm::kPayload);
      effort.interaction = tau(ArmTerm::kSpring) + tau(ArmTerm::kDamping) + tau(ArmTerm::kForce);
    }
  }
}

}  // namespace jointrig
