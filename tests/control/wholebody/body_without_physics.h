#pragma once
/// The managers of the iCub's body, with a model that stands still in its start pose, for tests of
/// messages.

#include <Eigen/Geometry>
#include <cmath>

#include "control/wholebody/managers.h"
#include "tests/control/wholebody/icub_on_soles.h"

namespace jointrig::body {

inline BodyPoint at(double x, const Eigen::Vector3d& turn = Eigen::Vector3d::Zero()) {
  BodyPoint point;
  point.x[0] = x;
  point.rotation = turned_by(turn);
  return point;
}

inline WholeBodyConfig icub_parts() {
  WholeBodyConfig config;
  config.chest = "chest";
  config.head = "head";
  config.pelvis = "root_link";
  config.hands = {{"left", "l_palm", {}, {}}, {"right", "r_palm", {}, {}}};
  config.feet = {{"left", "l_sole", {}, {}, {}}, {"right", "r_sole", {}, {}, {}}};
  return config;
}

/// The managers of the iCub that stands in its start pose: no physics.
struct Body {
  Body() {
    for (SixNumbers& wrench : solution.contact_wrench) wrench.setZero();
    icub.read();
    managers.begin(icub.model, {Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()}, notices);
  }

  static std::vector<BodyManagers::JointRoom> rooms(const soles::Icub& icub) {
    std::vector<BodyManagers::JointRoom> rooms;
    for (const JointBounds& one : icub.bounds) rooms.push_back({one.low, one.high, 3.5});
    return rooms;
  }
  static std::vector<ContactSetup> feet(const soles::Icub& icub) {
    return soles::both_soles(icub.model);
  }

  template <typename Message>
  MessageFault send(const Message& message) {
    const auto request = [&] {
      if constexpr (requires { path_message(message); }) return path_message(message);
      if constexpr (!requires { path_message(message); }) return message;
    }();
    const auto check = [&] {
      if constexpr (requires { managers.check(icub.model, request); }) {
        return managers.check(icub.model, request);
      } else {
        return managers.check(request);
      }
    };
    const MessageFault fault = check();
    if (fault) return fault;
    if constexpr (requires { managers.take(icub.model, request, notices); }) {
      managers.take(icub.model, request, notices);
    } else if constexpr (requires { managers.take(request, notices); }) {
      managers.take(request, notices);
    }
    return fault;
  }
  void run(double seconds) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds * 1e3)); ++i) {
      managers.advance(icub.model, solution, 1e-3, notices);
    }
  }
  /// Changes of messages since the last call, as `id change`.
  std::vector<std::pair<MessageId, MessageChange>> told() {
    std::vector<std::pair<MessageId, MessageChange>> all;
    for (const MessageNotice& one : notices) all.emplace_back(one.id, one.change);
    notices.clear();
    return all;
  }
  [[nodiscard]] double chest_turn() const {
    return Eigen::AngleAxisd(managers.state().chest.queue.now().rotation).angle();
  }

  /// Height of the pelvis in the start pose, above the stance.
  [[nodiscard]] double start_height() const { return icub.data->qpos[2]; }

  soles::Icub icub;
  BodyManagers managers{icub.model, icub_parts(), feet(icub), rooms(icub), 0};
  WholeBodySolution solution;  ///< no physics: no contact bears
  MessageNotices notices;
};

inline WaypointRows rows(std::initializer_list<double> numbers) {
  WaypointRows rows;
  for (const double number : numbers) rows.push_back(number);
  return rows;
}

/// Turned by an angle about z.
inline WaypointRows turned(double time, double angle) {
  return rows({time, std::cos(angle / 2), 0.0, 0.0, std::sin(angle / 2)});
}

inline ChestTrajectory chest(MessageId id, double time, double angle) {
  ChestTrajectory message;
  message.id = id;
  message.waypoints = turned(time, angle);
  return message;
}

}  // namespace jointrig::body
