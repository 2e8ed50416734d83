#include "gui/scene3d/drawn_robot.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace jointrig::gui {
namespace {

bool far_apart(std::span<const double> a, std::span<const double> b, double least) noexcept {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) < least)) return true;
  }
  return false;
}

bool look_alike(const ContactArrow& a, const ContactArrow& b) noexcept {
  return !far_apart(a.point, b.point, DrawnRobot::kLeastMove) &&
         !far_apart(a.force, b.force, DrawnRobot::kLeastForce);
}

}  // namespace

DrawnRobot::DrawnRobot(DrawnModel drawn, const RobotConfig& robot)
    : model_(std::move(drawn.model)),
      data_(make_data(*model_, robot.model_path)),
      ghost_(make_data(*model_, robot.model_path)),
      qpos_(std::move(drawn.qpos)) {
  if (qpos_.size() != static_cast<std::size_t>(model_->nq)) {
    qpos_.assign(model_->qpos0, model_->qpos0 + model_->nq);
  }
  find_joints(robot);
  map_bodies();
  find_parts();
  std::copy(qpos_.begin(), qpos_.end(), data_->qpos);
  std::copy(qpos_.begin(), qpos_.end(), ghost_->qpos);
  place(*data_);
  place(*ghost_);
  drawn_ = drawn_ghost_ = qpos_;
  drawn_mocap_.assign(data_->mocap_pos, data_->mocap_pos + 3 * model_->nmocap);
}

void DrawnRobot::find_joints(const RobotConfig& robot) {
  const auto count = static_cast<std::size_t>(model_->njnt);
  mj_joint_.assign(count, kNoJoint);
  std::vector<bool> known(count, false);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const int id = mj_name2id(model_.get(), mjOBJ_JOINT, robot.joints[i].name.c_str());
    if (id < 0) {
      throw ModelError(robot.model_path + ": there is no joint \"" + robot.joints[i].name +
                       "\" to draw");
    }
    q_address_.push_back(model_->jnt_qposadr[id]);
    mj_joint_[static_cast<std::size_t>(id)] = static_cast<JointIndex>(i);
    known[static_cast<std::size_t>(id)] = true;
    const int root = model_->body_rootid[model_->jnt_bodyid[id]];
    const int first = model_->body_jntadr[root];
    if (first >= 0 && model_->jnt_type[first] == mjJNT_FREE) {
      base_address_ = model_->jnt_qposadr[first];
    }
  }
  couplings_ = couplings_of(*model_, known);
  for (const Coupling& coupling : couplings_) {  // leaders come before their followers
    if (coupling.leader < 0) continue;
    mj_joint_[static_cast<std::size_t>(coupling.follower)] =
        mj_joint_[static_cast<std::size_t>(coupling.leader)];
  }
}

void DrawnRobot::map_bodies() {
  body_joint_.assign(static_cast<std::size_t>(model_->nbody), kNoJoint);
  for (int body = 1; body < model_->nbody; ++body) {
    const auto b = static_cast<std::size_t>(body);
    body_joint_[b] = body_joint_[static_cast<std::size_t>(model_->body_parentid[body])];
    for (int k = 0; k < model_->body_jntnum[body]; ++k) {
      const JointIndex joint = mj_joint_[static_cast<std::size_t>(model_->body_jntadr[body]) +
                                         static_cast<std::size_t>(k)];
      if (joint != kNoJoint) body_joint_[b] = joint;
    }
  }
}

void DrawnRobot::find_parts() {
  is_part_.assign(static_cast<std::size_t>(model_->nbody), false);
  for (std::size_t b = 1; b < body_joint_.size(); ++b) {
    if (body_joint_[b] == kNoJoint) continue;
    for (int up = static_cast<int>(b); up > 0; up = model_->body_parentid[up]) {
      is_part_[static_cast<std::size_t>(up)] = true;
    }
  }
  for (int site = 0; site < model_->nsite; ++site) {
    if (is_part(model_->site_bodyid[site])) frames_.push_back(site);
  }
}

void DrawnRobot::place(mjData& data) const {
  mj_kinematics(model_.get(), &data);
  mj_comPos(model_.get(), &data);
  mj_camlight(model_.get(), &data);
  mj_tendon(model_.get(), &data);
}

void DrawnRobot::take(std::span<const double> qpos) {
  if (!far_apart(qpos, drawn_, kLeastMove)) return;
  std::copy(qpos.begin(), qpos.end(), drawn_.begin());
  std::copy(qpos.begin(), qpos.end(), data_->qpos);
  place(*data_);
  ++revision_;
}

void DrawnRobot::show(const WorldPose& pose) {
  const auto mocaps = static_cast<std::size_t>(model_->nmocap);
  if (pose.qpos.size() != drawn_.size() || pose.mocap_pos.size() != 3 * mocaps ||
      pose.mocap_quat.size() != 4 * mocaps) {
    return;
  }
  pull_ = pose.pull;  // a text over the picture tells it: no reason to draw that anew
  const auto same_contacts =
      pose.contacts.size() == contacts_.size() &&
      std::equal(pose.contacts.begin(), pose.contacts.end(), contacts_.begin(), look_alike);
  if (!same_contacts) {
    contacts_ = pose.contacts;
    ++revision_;
  }
  if (far_apart(pose.mocap_pos, drawn_mocap_, kLeastMove)) {
    drawn_mocap_ = pose.mocap_pos;
    for (mjData* data : {data_.get(), ghost_.get()}) {
      std::copy(pose.mocap_pos.begin(), pose.mocap_pos.end(), data->mocap_pos);
      std::copy(pose.mocap_quat.begin(), pose.mocap_quat.end(), data->mocap_quat);
    }
    place(*data_);
    ++revision_;
  }
  take(pose.qpos);
}

void DrawnRobot::show(const Snapshot& snapshot) {
  std::copy(drawn_.begin(), drawn_.end(), qpos_.begin());
  const std::size_t joints = std::min(q_address_.size(), snapshot.joints.size());
  for (std::size_t i = 0; i < joints; ++i) {
    const double q = snapshot.joints[i].state.q;
    if (std::isfinite(q)) qpos_[static_cast<std::size_t>(q_address_[i])] = q;
  }
  if (base_address_ >= 0) {
    double* base = qpos_.data() + base_address_;
    std::copy(snapshot.base.position.begin(), snapshot.base.position.end(), base);
    std::copy(snapshot.base.orientation.begin(), snapshot.base.orientation.end(), base + 3);
  }
  place_followers(*model_, couplings_, qpos_.data());
  take(qpos_);
}

void DrawnRobot::show_ghost(std::span<const double> q) {
  std::copy(drawn_.begin(), drawn_.end(), qpos_.begin());
  const std::size_t joints = std::min(q_address_.size(), q.size());
  for (std::size_t i = 0; i < joints; ++i) {
    if (std::isfinite(q[i])) qpos_[static_cast<std::size_t>(q_address_[i])] = q[i];
  }
  place_followers(*model_, couplings_, qpos_.data());
  if (!far_apart(qpos_, drawn_ghost_, kLeastMove)) return;
  drawn_ghost_ = qpos_;
  std::copy(qpos_.begin(), qpos_.end(), ghost_->qpos);
  place(*ghost_);
  ++revision_;
}

}  // namespace jointrig::gui
