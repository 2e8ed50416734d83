#pragma once
/// The iCub on a floor, whose tasks come from the managers, which obey messages.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "control/wholebody/managers.h"
#include "tests/control/wholebody/icub_on_floor.h"

namespace jointrig::soles {

inline WholeBodyConfig parts() {
  WholeBodyConfig config;
  config.chest = "chest";
  config.head = "head";
  config.pelvis = "root_link";
  config.hands = {{"left", "l_palm", {}, {}}, {"right", "r_palm", {}, {}}};
  return config;
}

class ObeyingIcub {
 public:
  ObeyingIcub()
      : robot_(config_.posture_weight),
        managers_(model(), config_, both_soles(model()), rooms(), 0) {
    stance_.origin = robot_.middle;
    managers_.begin(model(), stance_, notices_);
    const int n = model().joint_count();
    command().joints.acceleration.setZero(n);
    command().joints.weights.setZero(n);
  }

  void step() {
    robot_.read();
    robot_.want_to_stand();
    managers_.advance(model(), core().solution(), 1e-3, notices_);
    managers_.want(model(), command());
    robot_.step();
  }
  void run(double seconds) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds / robot_.plant->opt.timestep)); ++i)
      step();
    robot_.read();
  }

  void send(const AccelerationMessage& message) {
    ASSERT_FALSE(managers_.check(message)) << to_string(managers_.check(message).reason);
    managers_.take(message, notices_);
  }
  template <BodyTopic kTopic>
  void send(const BodyTrajectory<kTopic>& message) {
    const PathMessage path = path_message(message);
    ASSERT_FALSE(managers_.check(model(), path))
        << to_string(managers_.check(model(), path).reason);
    managers_.take(model(), path, notices_);
  }
  /// Any other message, which may move several parts.
  template <typename Message>
  void send_whole(const Message& message) {
    const MessageFault fault = managers_.check(model(), message);
    ASSERT_FALSE(fault) << to_string(fault.reason);
    managers_.take(model(), message, notices_);
  }
  void go_home(const GoHome& message) { send_whole(message); }

  [[nodiscard]] const BodyManagers::State& state() const { return managers_.state(); }
  [[nodiscard]] FloatingModel& model() { return robot_.icub.model; }
  [[nodiscard]] WholeBodyCore& core() { return robot_.core; }
  [[nodiscard]] WholeBodyCommand& command() { return robot_.command; }
  [[nodiscard]] const Stance& stance() const { return stance_; }
  [[nodiscard]] const WholeBodyConfig& config() const { return config_; }
  /// Changes of messages since the last call, as `id change`.
  std::vector<std::pair<MessageId, MessageChange>> told() {
    std::vector<std::pair<MessageId, MessageChange>> all;
    for (const MessageNotice& one : notices_) all.emplace_back(one.id, one.change);
    notices_.clear();
    return all;
  }
  /// In the plant, not in the controller's model.
  [[nodiscard]] Eigen::Vector3d place_of_site(const char* name) const {
    const int site = mj_name2id(robot_.plant.get(), mjOBJ_SITE, name);
    return Eigen::Vector3d(robot_.data->site_xpos + 3 * site) - stance_.origin;
  }
  [[nodiscard]] double joint(const char* name) const {
    const int id = mj_name2id(robot_.plant.get(), mjOBJ_JOINT, name);
    return robot_.data->qpos[robot_.plant->jnt_qposadr[id]];
  }
  [[nodiscard]] double joint_speed(const char* name) const {
    const int id = mj_name2id(robot_.plant.get(), mjOBJ_JOINT, name);
    return robot_.data->qvel[robot_.plant->jnt_dofadr[id]];
  }
  [[nodiscard]] Eigen::Vector3d pelvis() const {
    return Eigen::Vector3d(robot_.data->qpos) - stance_.origin;
  }
  [[nodiscard]] double pelvis_height() const { return robot_.data->qpos[2] - stance_.origin.z(); }
  [[nodiscard]] Eigen::Matrix3d chest() const {
    const int id = mj_name2id(robot_.plant.get(), mjOBJ_BODY, "chest");
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(robot_.data->xmat +
                                                                          9 * id);
  }

 private:
  std::vector<BodyManagers::JointRoom> rooms() const {
    std::vector<BodyManagers::JointRoom> rooms;
    for (const JointBounds& one : robot_.icub.bounds) rooms.push_back({one.low, one.high, 3.5});
    return rooms;
  }

  WholeBodyConfig config_ = parts();
  IcubOnFloor robot_;
  BodyManagers managers_;
  MessageNotices notices_;
  Stance stance_;
};

inline WaypointRows row(std::initializer_list<double> numbers) {
  WaypointRows rows;
  for (const double number : numbers) rows.push_back(number);
  return rows;
}

}  // namespace jointrig::soles
