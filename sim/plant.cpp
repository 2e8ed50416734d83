#include "sim/plant.h"

#include <algorithm>

#include "control/model/start_pose.h"

namespace jointrig::sim {

Plant::Plant(const RobotConfig& robot, const PlantOptions& options)
    : robot_(robot), period_ns_(robot.period_ns) {
  PlantModel built = build_plant_model(robot, options);
  model_ = std::move(built.model);
  data_ = make_data(*model_, robot.model_path);
  scratch_ = make_data(*model_, robot.model_path);
  start_ = std::move(built.start);
  substeps_ = built.substeps;
  base_body_ = built.base_body;
  runge_kutta_ = model_->opt.integrator == mjINT_RK4;
  warnings_ = std::move(built.warnings);
  friction_ = std::move(built.friction);
  payloads_at_start_ = std::move(built.payloads);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    motor_inputs_.push_back(model_->actuator_ctrladr[built.motors[i]]);
    q_address_.push_back(model_->jnt_qposadr[built.joints[i]]);
    v_address_.push_back(model_->jnt_dofadr[built.joints[i]]);
  }
  spring_of_.assign(robot.joints.size(), -1);
  springs_ = std::move(built.springs);
  led_ = std::move(built.led);
  mean_inertia_ = model_->stat.meaninertia;
  joints_before_ = std::move(built.joints_before);
  for (std::size_t s = 0; s < springs_.size(); ++s) {
    spring_of_[springs_[s].joint] = static_cast<int>(s);
  }
  obstacle_mocap_ = std::move(built.obstacle_mocap);
  for (std::size_t i = 0; i < options.obstacles.size(); ++i) {
    obstacle_names_.push_back(options.obstacles[i].name);
    const mjtNum* p = model_->body_pos + 3 * built.obstacle_bodies[i];
    parked_.push_back({{p[0], p[1], p[2]}, {1, 0, 0, 0}});
  }
  find_sensors();
  buffer_.resize(static_cast<std::size_t>(mj_stateSize(model_.get(), mjSTATE_INTEGRATION)));
  reset();
}

void Plant::reset() {
  state_ = {};
  state_.payloads = payloads_at_start_;
  state_.added_friction.assign(friction_.size(), 0.0);
  for (std::size_t i = 0; i < friction_.size(); ++i) set_added_friction(i, 0.0);
  for (const PayloadSlot& slot : state_.payloads) write_payload(slot);
  update_constants();
  apply_start(robot_, start_, *model_, *data_);
  for (const PlantSpring& spring : springs_) {
    state_.motors.emplace_back().turn.q = data_->qpos[q_address_[spring.joint]];
  }
  for (const LedJoint& led : led_) {
    state_.led.push_back({.q = data_->qpos[q_address_[led.joint]]});
  }
  for (std::size_t i = 0; i < obstacle_mocap_.size(); ++i) park(i);
  mj_forward(model_.get(), data_.get());  // computes forces and sensors of the pose at rest
  mj_step1(model_.get(), data_.get());
}

// Stepping
// -----------------------------------------------------------------------------------------

bool Plant::step() noexcept {
  if (!breakdown().empty()) return false;
  apply_wrenches();
  for (int i = 0; i < substeps_; ++i) physics_step();
  ++state_.cycle;
  return breakdown().empty();
}

void Plant::physics_step() noexcept {
  pull_springs();
  pull_led();
  if (runge_kutta_) {
    mj_step(model_.get(), data_.get());
  } else {
    mj_step2(model_.get(), data_.get());
  }
  follow_springs();
  collect_contacts();
  mj_step1(model_.get(), data_.get());  // so that all values belong to the present time
}

/// Effects of motors and springs on their joints in the next step (series_spring.h).
void Plant::pull_springs() noexcept {
  for (std::size_t s = 0; s < springs_.size(); ++s) {
    const auto& [joint, spring, viscous] = springs_[s];
    const auto& [turn, torque, share] = state_.motors[s];
    const double q = data_->qpos[q_address_[joint]];
    data_->ctrl[motor_inputs_[joint]] = share * spring.pull(torque, q, turn);
    model_->dof_damping[v_address_[joint]] = viscous + share * spring.damping_on_joint();
  }
}

void Plant::follow_springs() noexcept {
  for (std::size_t s = 0; s < springs_.size(); ++s) {
    const std::size_t joint = springs_[s].joint;
    PlantMotor& motor = state_.motors[s];
    springs_[s].spring.follow(motor.torque, data_->qpos[q_address_[joint]],
                              data_->qvel[v_address_[joint]], motor.turn);
  }
}

// Joints of other backends
// ----------------------------------------------------------------------------

void Plant::lead(std::size_t joint, double q, double v) noexcept {
  for (std::size_t i = 0; i < led_.size(); ++i) {
    if (led_[i].joint == joint) state_.led[i] = {q, v};
  }
}

void Plant::pull_led() noexcept {
  const double h = model_->opt.timestep;
  for (std::size_t i = 0; i < led_.size(); ++i) {
    const std::size_t joint = led_[i].joint;
    LedSample& sample = state_.led[i];
    data_->ctrl[motor_inputs_[joint]] = led_[i].torque(
        sample.q, sample.v, data_->qpos[q_address_[joint]], data_->qvel[v_address_[joint]], h);
    sample.q += h * sample.v;
  }
}

void Plant::stand_still() noexcept {
  ++state_.cycle;
  bool moved = false;
  for (std::size_t i = 0; i < led_.size(); ++i) {
    mjtNum& q = data_->qpos[q_address_[led_[i].joint]];
    moved = moved || q != state_.led[i].q;
    q = state_.led[i].q;
  }
  if (moved) mj_step1(model_.get(), data_.get());  // for the next step
}

void Plant::set_torque(std::size_t joint, double torque) noexcept {
  if (spring_of_[joint] < 0) {
    data_->ctrl[motor_inputs_[joint]] = torque;
  } else {
    state_.motors[static_cast<std::size_t>(spring_of_[joint])].torque = torque;
  }
}

void Plant::set_spring_share(std::size_t joint, double share) noexcept {
  if (spring_of_[joint] < 0) return;
  state_.motors[static_cast<std::size_t>(spring_of_[joint])].share = share;
}

void Plant::set_added_friction(std::size_t joint, double friction) noexcept {
  state_.added_friction[joint] = friction;
  model_->dof_frictionloss[v_address_[joint]] = friction_[joint] + friction;
}

std::string_view Plant::breakdown() const noexcept {
  const auto seen = [&](mjtWarning warning) { return data_->warning[warning].number > 0; };
  if (seen(mjWARN_BADQPOS)) return "the physics broke down: a position is not finite or huge";
  if (seen(mjWARN_BADQVEL)) return "the physics broke down: a velocity is not finite or huge";
  if (seen(mjWARN_BADQACC)) return "the physics broke down: an acceleration is not finite or huge";
  if (seen(mjWARN_BADCTRL)) return "the physics broke down: a torque is not finite or huge";
  static_assert(kMaxWrenches == 32);
  if (lost_wrench_) return "more than 32 forces are to act at once, and one of them does not";
  return {};
}

// Wrenches
// -----------------------------------------------------------------------------------------

bool Plant::apply(const Wrench& wrench) noexcept {
  if (state_.wrenches.size() == kMaxWrenches) {
    lost_wrench_ = true;
    return false;
  }
  state_.wrenches.push_back(wrench);
  return true;
}

void Plant::release(BodyId body) noexcept {
  for (Wrench& wrench : state_.wrenches) {
    if (wrench.body == body) wrench.end_ns = std::min(wrench.end_ns, time_ns());
  }
}

void Plant::release(int tag) noexcept {
  for (Wrench& wrench : state_.wrenches) {
    if (wrench.tag == tag) wrench.end_ns = std::min(wrench.end_ns, time_ns());
  }
}

void Plant::apply_wrenches() noexcept {
  if (state_.wrenches.empty()) return;
  for (const Wrench& wrench : state_.wrenches) {
    if (wrench.joint >= 0)
      data_->qfrc_applied[v_address_[static_cast<std::size_t>(wrench.joint)]] = 0.0;
    if (wrench.body == BodyId::kNone) continue;
    std::fill_n(data_->xfrc_applied + 6 * static_cast<int>(wrench.body), 6, 0.0);
  }
  const TimeNs now = time_ns();
  FixedVector<Wrench, kMaxWrenches> left;
  for (const Wrench& wrench : state_.wrenches) {
    if (wrench.end_ns <= now) continue;
    left.push_back(wrench);
    if (wrench.start_ns <= now) add_wrench(wrench);
  }
  state_.wrenches = left;
}

void Plant::add_wrench(const Wrench& wrench) noexcept {
  if (wrench.joint >= 0) {
    data_->qfrc_applied[v_address_[static_cast<std::size_t>(wrench.joint)]] += wrench.along;
    return;
  }
  const int body = static_cast<int>(wrench.body);
  mjtNum* applied = data_->xfrc_applied + 6 * body;  // at the centre of mass
  mjtNum force[3] = {wrench.force[0], wrench.force[1], wrench.force[2]};
  mjtNum torque[3] = {wrench.torque[0], wrench.torque[1], wrench.torque[2]};
  if (wrench.in_body_frame) {
    mju_mulMatVec3(force, data_->xmat + 9 * body, wrench.force.data());
    mju_mulMatVec3(torque, data_->xmat + 9 * body, wrench.torque.data());
  }
  mju_addTo3(applied, force);
  mju_addTo3(applied + 3, torque);
  if (wrench.at_centre) return;
  mjtNum arm[3];
  mju_mulMatVec3(arm, data_->xmat + 9 * body, wrench.point.data());
  mju_addTo3(arm, data_->xpos + 3 * body);
  mju_subFrom3(arm, data_->xipos + 3 * body);
  mjtNum moment[3];
  mju_cross(moment, arm, force);
  mju_addTo3(applied + 3, moment);
}

// Payloads and obstacles
// ---------------------------------------------------------------------------

void Plant::set_payload(std::string_view body, double mass, const Vector3& centre,
                        const LoadInertia& inertia) {
  for (PayloadSlot& slot : state_.payloads) {
    if (slot.on != body) continue;
    if (!(mass >= 0)) throw ModelError("a payload of " + std::to_string(mass) + " kg can't be");
    slot.mass = mass;
    slot.centre = centre;
    slot.inertia = inertia;
    write_payload(slot);
    update_constants();
    mj_step1(model_.get(), data_.get());
    return;
  }
  throw ModelError("body \"" + std::string(body) +
                   "\" has no place for a payload: name it before the start");
}

void Plant::write_payload(const PayloadSlot& slot) noexcept {
  model_->body_mass[slot.body] = slot.mass;
  std::copy(slot.centre.begin(), slot.centre.end(), model_->body_pos + 3 * slot.body);
  mjtNum* moments = model_->body_inertia + 3 * slot.body;
  mjtNum* axes = model_->body_iquat + 4 * slot.body;
  const bool is_point = slot.inertia == LoadInertia{};
  // The slot's principal axes are its own where it has no inertia.
  model_->body_sameframe[slot.body] = is_point ? mjSAMEFRAME_BODY : mjSAMEFRAME_NONE;
  if (is_point) {
    mju_zero3(moments);
    mju_unit4(axes);
    return;
  }
  const auto& [xx, yy, zz, xy, xz, yz] = slot.inertia;
  const std::array<mjtNum, 9> tensor{xx, xy, xz, xy, yy, yz, xz, yz, zz};
  std::array<mjtNum, 9> vectors{};
  mju_eig3(moments, vectors.data(), axes, tensor.data());
  for (int i = 0; i < 3; ++i) moments[i] = std::max(0.0, moments[i]);  // of a thin rod, rounded
}

void Plant::update_constants() {
  mj_setConst(model_.get(), scratch_.get());
  if (!led_.empty()) model_->stat.meaninertia = mean_inertia_;
}

void Plant::place(std::size_t obstacle, const Pose& pose) noexcept {
  const int mocap = obstacle_mocap_[obstacle];
  std::copy(pose.position.begin(), pose.position.end(), data_->mocap_pos + 3 * mocap);
  std::copy(pose.orientation.begin(), pose.orientation.end(), data_->mocap_quat + 4 * mocap);
  mju_normalize4(data_->mocap_quat + 4 * mocap);
  mj_step1(model_.get(), data_.get());  // for the next step
}

void Plant::park(std::size_t obstacle) noexcept { place(obstacle, parked_[obstacle]); }

// Saving
// -------------------------------------------------------------------------------------------

PlantState Plant::save() const {
  PlantState saved = state_;
  saved.integration.resize(buffer_.size());
  mj_getState(model_.get(), data_.get(), saved.integration.data(), mjSTATE_INTEGRATION);
  saved.sensors.assign(data_->sensordata, data_->sensordata + model_->nsensordata);
  return saved;
}

void Plant::restore(const PlantState& state) {
  state_ = state;
  lost_wrench_ = false;
  for (std::size_t i = 0; i < friction_.size(); ++i) set_added_friction(i, state.added_friction[i]);
  for (const PayloadSlot& slot : state_.payloads) write_payload(slot);
  update_constants();
  mj_resetData(model_.get(), data_.get());
  mj_setState(model_.get(), data_.get(), state.integration.data(), mjSTATE_INTEGRATION);
  mj_step1(model_.get(), data_.get());
  std::copy(state.sensors.begin(), state.sensors.end(), data_->sensordata);
}

void Plant::add_to(StateHash& hash) const noexcept {
  mj_getState(model_.get(), data_.get(), buffer_.data(), mjSTATE_INTEGRATION);
  hash.add_array(buffer_.data(), buffer_.size());
  hash.add(state_.cycle);
  for (const double friction : state_.added_friction) hash.add(friction);
  for (const auto& [turn, torque, share] : state_.motors) {
    hash.add(turn.q, turn.v, turn.torque, turn.bend, torque, share);
  }
  for (const LedSample& sample : state_.led) hash.add(sample.q, sample.v);
  for (const PayloadSlot& slot : state_.payloads) {
    hash.add(slot.mass, slot.centre[0], slot.centre[1], slot.centre[2]);
    if (slot.inertia != LoadInertia{}) hash.add_array(slot.inertia.data(), slot.inertia.size());
  }
}

}  // namespace jointrig::sim
