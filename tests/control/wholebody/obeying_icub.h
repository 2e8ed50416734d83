#pragma once
/// The iCub in MuJoCo on a floor: its motors are driven by nothing but the whole-body controller,
/// whose tasks come from the managers, which obey messages.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "control/wholebody/managers.h"
#include "tests/control/wholebody/icub_on_soles.h"

namespace jointrig::soles {

inline WholeBodyConfig parts() {
  WholeBodyConfig config;
  config.chest = "chest";
  config.head = "head";
  config.pelvis = "root_link";
  config.hands = {{"left", "l_palm"}, {"right", "r_palm"}};
  return config;
}

class ObeyingIcub {
 public:
  ObeyingIcub()
      : core_(icub_.model, soles::both_soles(icub_.model), icub_.bounds),
        managers_(icub_.model, config_, soles::both_soles(icub_.model), rooms(), 0) {
    mjsGeom* floor = mjs_addGeom(mjs_findBody(icub_.mjcf.spec.get(), "world"), nullptr);
    floor->type = mjGEOM_PLANE;
    floor->size[0] = floor->size[1] = floor->size[2] = 1.0;
    plant_ = compile(icub_.mjcf);
    data_ = make_data(*plant_, soles::kIcub);
    apply(icub_.mjcf.start, *plant_, *data_);
    read();
    const Eigen::Vector3d sole = icub_.model.position(core_.contacts()[0].frame);
    stance_.origin << sole.x() + 0.0265, 0.0, sole.z();
    goal_ << stance_.origin.x(), 0.0, icub_.model.com().z();
    posture_ = Eigen::Map<const Eigen::VectorXd>(icub_.model.q().data(), icub_.model.joint_count());
    managers_.begin(icub_.model, stance_, notices_);
    const int n = icub_.model.joint_count();
    command_.joints.acceleration.setZero(n);
    command_.joints.weights.setZero(n);
    command_.privileged.on = true;
    command_.privileged.weights.setConstant(n, config_.posture_weight);
    command_.momentum.on = true;
    command_.momentum.weights << 1.0, 1.0, 1.0, 0.02, 0.02, 0.02;
    for (std::size_t c = 0; c < 2; ++c) {
      command_.contacts[c].on = true;
      command_.contacts[c].friction = soles::kSoleFriction;
    }
  }

  void step() {
    read();
    FloatingModel& model = icub_.model;
    command_.momentum.rate = momentum_towards(model, goal_, FeedbackGains::critical(60.0), 2.0);
    joints_towards(model, posture_, FeedbackGains::critical(50.0),
                   command_.privileged.acceleration);
    managers_.advance(model, core_.solution(), 1e-3, notices_);
    managers_.want(model, command_);
    for (std::size_t c = 0; c < 2; ++c) {
      command_.contacts[c].acceleration = -20.0 * model.twist(core_.contacts()[c].frame);
    }
    const WholeBodySolution& answer = core_.solve(model, command_);
    for (int j = 0; j < model.joint_count(); ++j) {
      const auto& name = model.joints()[static_cast<std::size_t>(j)].name;
      data_->ctrl[mj_name2id(plant_.get(), mjOBJ_ACTUATOR, name.c_str())] = answer.torque[j];
    }
    mj_step(plant_.get(), data_.get());
  }
  void run(double seconds) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds / plant_->opt.timestep)); ++i) step();
    read();
  }

  void send(const AccelerationMessage& message) {
    ASSERT_FALSE(managers_.check(message)) << to_string(managers_.check(message).reason);
    managers_.take(message, notices_);
  }
  template <BodyTopic kTopic>
  void send(const BodyTrajectory<kTopic>& message) {
    const PathMessage path = path_message(message);
    ASSERT_FALSE(managers_.check(icub_.model, path))
        << to_string(managers_.check(icub_.model, path).reason);
    managers_.take(icub_.model, path, notices_);
  }
  void go_home(const GoHome& message) {
    ASSERT_FALSE(managers_.check(icub_.model, message));
    managers_.take(icub_.model, message, notices_);
  }

  [[nodiscard]] const BodyManagers::State& state() const { return managers_.state(); }
  [[nodiscard]] FloatingModel& model() { return icub_.model; }
  [[nodiscard]] WholeBodyCore& core() { return core_; }
  [[nodiscard]] WholeBodyCommand& command() { return command_; }
  [[nodiscard]] const Stance& stance() const { return stance_; }
  [[nodiscard]] const WholeBodyConfig& config() const { return config_; }
  /// What became of messages since the last call, as `id change`.
  std::vector<std::pair<MessageId, MessageChange>> told() {
    std::vector<std::pair<MessageId, MessageChange>> all;
    for (const MessageNotice& one : notices_) all.emplace_back(one.id, one.change);
    notices_.clear();
    return all;
  }
  /// In the plant, not in the controller's model.
  [[nodiscard]] Eigen::Vector3d place_of_site(const char* name) const {
    const int site = mj_name2id(plant_.get(), mjOBJ_SITE, name);
    return Eigen::Vector3d(data_->site_xpos + 3 * site) - stance_.origin;
  }
  [[nodiscard]] double joint(const char* name) const {
    const int id = mj_name2id(plant_.get(), mjOBJ_JOINT, name);
    return data_->qpos[plant_->jnt_qposadr[id]];
  }
  [[nodiscard]] double joint_speed(const char* name) const {
    const int id = mj_name2id(plant_.get(), mjOBJ_JOINT, name);
    return data_->qvel[plant_->jnt_dofadr[id]];
  }
  [[nodiscard]] double pelvis_height() const { return data_->qpos[2] - stance_.origin.z(); }
  [[nodiscard]] Eigen::Matrix3d chest() const {
    const int id = mj_name2id(plant_.get(), mjOBJ_BODY, "chest");
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data_->xmat + 9 * id);
  }

 private:
  std::vector<BodyManagers::JointRoom> rooms() const {
    std::vector<BodyManagers::JointRoom> rooms;
    for (const JointBounds& one : icub_.bounds) rooms.push_back({one.low, one.high, 3.5});
    return rooms;
  }
  void read() {
    const soles::BodyState state = soles::state_of(*plant_or(), *data_or());
    icub_.model.update(state.base, state.q, state.v);
  }
  [[nodiscard]] const mjModel* plant_or() const { return plant_ ? plant_.get() : &icub_.plant; }
  [[nodiscard]] const mjData* data_or() const { return data_ ? data_.get() : icub_.data.get(); }

  soles::Icub icub_;
  WholeBodyConfig config_ = parts();
  WholeBodyCore core_;
  BodyManagers managers_;
  ModelPtr plant_;
  DataPtr data_;
  WholeBodyCommand command_;
  MessageNotices notices_;
  Stance stance_;
  Eigen::Vector3d goal_;
  ByJoint posture_;
};

inline WaypointRows row(std::initializer_list<double> numbers) {
  WaypointRows rows;
  for (const double number : numbers) rows.push_back(number);
  return rows;
}

}  // namespace jointrig::soles
