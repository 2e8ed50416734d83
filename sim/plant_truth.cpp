// Queries of a plant: poses, contacts, sensors, names.

#include <algorithm>
#include <string>

#include "control/core/nearest_word.h"
#include "sim/plant.h"

namespace jointrig::sim {
namespace {

Pose pose_of(const mjtNum* position, const mjtNum* matrix) noexcept {
  Pose pose;
  std::copy_n(position, 3, pose.position.begin());
  mju_mat2Quat(pose.orientation.data(), matrix);
  return pose;
}

std::array<double, 3> three(const mjtNum* from) noexcept { return {from[0], from[1], from[2]}; }

int resolve(const mjModel& m, mjtObj type, int count, const char* what, std::string_view name) {
  const int id = mj_name2id(&m, type, std::string(name).c_str());
  if (id >= 0) return id;
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(name_of(m, type, i));
  throw ModelError(std::string("there is no ") + what + " \"" + std::string(name) + "\"" +
                   did_you_mean(name, names));
}

}  // namespace

BodyId Plant::body(std::string_view name) const {
  return static_cast<BodyId>(resolve(*model_, mjOBJ_BODY, model_->nbody, "body", name));
}

SiteId Plant::site(std::string_view name) const {
  return static_cast<SiteId>(resolve(*model_, mjOBJ_SITE, model_->nsite, "site", name));
}

std::size_t Plant::obstacle(std::string_view name) const {
  const auto found = std::find(obstacle_names_.begin(), obstacle_names_.end(), name);
  if (found != obstacle_names_.end()) {
    return static_cast<std::size_t>(found - obstacle_names_.begin());
  }
  throw ModelError("there is no obstacle \"" + std::string(name) + "\"" +
                   did_you_mean(name, obstacle_names_));
}

JointTruth Plant::joint(std::size_t joint) const noexcept {
  JointTruth truth;
  truth.q = data_->qpos[q_address_[joint]];
  truth.v = data_->qvel[v_address_[joint]];
  const int before = joints_before_[joint];
  if (before >= 0) truth.torque_before = torque(static_cast<std::size_t>(before));
  if (spring_of_[joint] < 0) return truth;
  const SpringState& motor = state_.motors[static_cast<std::size_t>(spring_of_[joint])].turn;
  truth.deflection = motor.q - truth.q;
  truth.deflection_speed = motor.v - truth.v;
  return truth;
}

double Plant::torque(std::size_t joint) const noexcept {
  if (spring_of_[joint] < 0) return data_->ctrl[motor_inputs_[joint]];
  const PlantMotor& motor = state_.motors[static_cast<std::size_t>(spring_of_[joint])];
  return motor.turn.torque * motor.share;
}

Pose Plant::body_pose(BodyId body) const noexcept {
  const int id = static_cast<int>(body);
  return pose_of(data_->xpos + 3 * id, data_->xmat + 9 * id);
}

Pose Plant::site_pose(SiteId site) const noexcept {
  const int id = static_cast<int>(site);
  return pose_of(data_->site_xpos + 3 * id, data_->site_xmat + 9 * id);
}

double Plant::subtree_mass(BodyId body) const noexcept {
  return model_->body_subtreemass[static_cast<int>(body)];
}

BaseState Plant::base() const noexcept {
  BaseState base;
  if (base_body_ < 0) return base;
  const int joint = model_->body_jntadr[base_body_];
  const mjtNum* q = data_->qpos + model_->jnt_qposadr[joint];
  const mjtNum* v = data_->qvel + model_->jnt_dofadr[joint];
  base.position = three(q);
  std::copy_n(q + 3, 4, base.orientation.begin());
  base.linear_velocity = three(v);
  base.angular_velocity = three(v + 3);
  return base;
}

void Plant::collect_contacts() noexcept {
  state_.contacts.clear();
  for (int i = 0; i < data_->ncon && state_.contacts.size() < kMaxContacts; ++i) {
    const mjContact& contact = data_->contact[i];
    if (contact.geom[0] < 0 || contact.geom[1] < 0 || contact.efc_address < 0) continue;
    mjtNum in_contact[6];
    mj_contactForce(model_.get(), data_.get(), i, in_contact);
    ContactForce entry;
    entry.a = model_->geom_bodyid[contact.geom[0]];
    entry.b = model_->geom_bodyid[contact.geom[1]];
    mju_mulMatTVec3(entry.force.data(), contact.frame, in_contact);
    entry.point = three(contact.pos);
    state_.contacts.push_back(entry);
  }
}

Vector3 Plant::contact_force(BodyId on, BodyId by) const noexcept {
  Vector3 sum{};
  const int wanted = static_cast<int>(on);
  for (const ContactForce& contact : state_.contacts) {
    const bool is_b = contact.b == wanted;
    if (!is_b && contact.a != wanted) continue;
    const int other = is_b ? contact.a : contact.b;
    if (by != BodyId::kNone && other != static_cast<int>(by)) continue;
    mju_addToScl3(sum.data(), contact.force.data(), is_b ? 1.0 : -1.0);
  }
  return sum;
}

// Sensors come in pairs on a site: force with torque, accelerometer with gyro.
void Plant::find_sensors() {
  const auto pair_up = [&](mjtSensor linear, mjtSensor angular, std::size_t most,
                           std::vector<SensorPair>& pairs, std::vector<std::string>& sites) {
    std::vector<int> ids;
    for (int s = 0; s < model_->nsensor; ++s) {
      const int type = model_->sensor_type[s];
      if (type != linear && type != angular) continue;
      const int site = model_->sensor_objid[s];
      const auto found = std::find(ids.begin(), ids.end(), site);
      auto index = static_cast<std::size_t>(found - ids.begin());
      if (found == ids.end()) {
        if (ids.size() == most) continue;
        index = ids.size();
        ids.push_back(site);
        pairs.emplace_back();
        sites.push_back(name_of(*model_, mjOBJ_SITE, site));
      }
      (type == linear ? pairs[index].linear : pairs[index].angular) = model_->sensor_adr[s];
    }
  };
  pair_up(mjSENS_FORCE, mjSENS_TORQUE, kMaxForceTorqueSensors, force_torque_, force_torque_sites_);
  pair_up(mjSENS_ACCELEROMETER, mjSENS_GYRO, kMaxImus, imus_, imu_sites_);
}

void Plant::read_sensors(RobotState& state) const noexcept {
  const auto at = [&](int address) {
    return address < 0 ? std::array<double, 3>{} : three(data_->sensordata + address);
  };
  state.force_torque.clear();
  for (const SensorPair& pair : force_torque_) {
    state.force_torque.push_back({at(pair.linear), at(pair.angular)});
  }
  state.imus.clear();
  for (const SensorPair& pair : imus_) {
    state.imus.push_back({at(pair.linear), at(pair.angular)});
  }
}

}  // namespace jointrig::sim
