// The pelvis: messages for its place, height and turn at once, and how it is led from above.

#include <algorithm>
#include <array>
#include <cmath>

#include "control/wholebody/managers.h"
#include "control/wholebody/support_polygon.h"

namespace jointrig {
namespace {

constexpr std::size_t kPelvisRowsAt = place_of<PelvisTrajectory>("waypoints");
constexpr int kHalvings = 20;  ///< of the way to the soles' edge: to a micrometre

/// Columns of a row of a pelvis trajectory that a part of it takes.
struct PartColumns {
  BodyTopic topic;
  std::array<std::size_t, 8> columns;
  std::size_t places;  ///< so many without velocities
  std::size_t all;
  std::size_t first_axis;  ///< of weights and left_out
  std::size_t axes;
};
constexpr std::array kPelvisParts{
    PartColumns{BodyTopic::kPlace, {0, 1, 2, 8, 9}, 3, 5, 0, 2},
    PartColumns{BodyTopic::kHeight, {0, 3, 10}, 2, 3, 2, 1},
    PartColumns{BodyTopic::kPelvis, {0, 4, 5, 6, 7, 11, 12, 13}, 5, 8, 3, 3},
};

/// The message without its rows, for one of its parts.
PathMessage part_message(const PelvisTrajectory& message, const PartColumns& part) noexcept {
  PathMessage path = path_message(message, part.topic, 0, {});
  path.given_in = PointFrame::kStance;  // the rows have been brought there
  const std::size_t at = part.topic == BodyTopic::kPelvis ? 3 : 0;
  for (std::size_t i = 0; i < part.axes; ++i) {
    path.choice.weights[at + i] = message.weights[part.first_axis + i];
    path.choice.left_out[at + i] = message.left_out[part.first_axis + i];
  }
  path.weights_at =
      static_cast<std::uint8_t>(place_of<PelvisTrajectory>("weights") + part.first_axis);
  path.frame_at = static_cast<std::uint8_t>(place_of<PelvisTrajectory>("frame"));
  if (part.topic == BodyTopic::kPelvis) path.choice.frame = message.frame;
  return path;
}

bool is_left_out(const PelvisTrajectory& message, const PartColumns& part) noexcept {
  const auto* first = message.left_out.data() + part.first_axis;
  return std::all_of(first, first + part.axes, [](bool is_out) { return is_out; });
}

/// A fault in the rows of a part, by its place in the message.
MessageFault in_message(MessageFault fault, const PartColumns& part, std::size_t width,
                        std::size_t part_width) noexcept {
  if (fault.place <= kPelvisRowsAt || part_width == 0) return fault;  // not in a row
  const std::size_t number = fault.place - kPelvisRowsAt - 1;
  const std::size_t row = number / part_width;
  fault.place = static_cast<std::uint8_t>(kPelvisRowsAt + row * width +
                                          part.columns[number % part_width] + 1);
  return fault;
}

}  // namespace

/// Calls `visit(part, is_left_out)` for place, height and turn, until one has a fault.
template <typename Visit>
MessageFault BodyManagers::each_part(const FloatingModel& model, const PelvisTrajectory& message,
                                     Visit&& visit) const noexcept {
  if (message.id == 0) return {RejectReason::kNoId};
  if (!pelvis_.there) return no_such_part(BodyTopic::kPelvis, 0);
  if (!state_.stands) return {RejectReason::kNotStanding};
  constexpr auto kGivenAt = static_cast<std::uint8_t>(place_of<PelvisTrajectory>("given_in"));
  if (const MessageFault f = no_such_frame(message.given_in, kGivenAt)) return f;
  const RowShape shape{true, message.velocities};
  const std::size_t width = shape.width();
  const std::size_t size = message.waypoints.size();
  if (size == 0 || size % width != 0 || size / width > kMaxWaypoints) {
    return {RejectReason::kBadWaypoints, static_cast<double>(size), static_cast<double>(width),
            static_cast<std::uint8_t>(kPelvisRowsAt + 1)};
  }
  WaypointRows rows = message.waypoints;
  if (message.given_in != PointFrame::kStance) {
    to_stance(given_turn(model, message.given_in), shape, {rows.data(), rows.size()});
  }
  for (const PartColumns& part : kPelvisParts) {
    const std::size_t part_width = message.velocities ? part.all : part.places;
    WaypointRows own;
    for (std::size_t at = 0; at < size; at += width) {
      for (std::size_t k = 0; k < part_width; ++k) own.push_back(rows[at + part.columns[k]]);
    }
    PathMessage path = part_message(message, part);
    path.rows = {own.data(), own.size()};
    const MessageFault fault = visit(path, is_left_out(message, part));
    if (fault) return in_message(fault, part, width, part_width);
  }
  return {};
}

MessageFault BodyManagers::check(FloatingModel& model,
                                 const PelvisTrajectory& message) const noexcept {
  return each_part(model, message, [&](const PathMessage& part, bool is_out) -> MessageFault {
    const MessageQueue& queue = part.topic == BodyTopic::kPlace    ? state_.place
                                : part.topic == BodyTopic::kHeight ? state_.height
                                                                   : state_.pelvis.queue;
    const bool is_queued = part.execution == Execution::kQueue;
    if (is_out && is_queued && queue.active() && part.topic != BodyTopic::kPelvis) {
      return {RejectReason::kOutOfRange, 0.0, 0.0, static_cast<std::uint8_t>(part.previous_at + 1)};
    }
    return check(model, part);
  });
}

/// Of place and height all axes can be left out; of the turn the task stays, without an axis.
void BodyManagers::take(FloatingModel& model, const PelvisTrajectory& message,
                        MessageNotices& notices) noexcept {
  static_cast<void>(
      each_part(model, message, [&](const PathMessage& part, bool is_out) -> MessageFault {
        if (is_out && part.topic == BodyTopic::kPlace) {
          state_.place.give_way(notices);
        } else if (is_out && part.topic == BodyTopic::kHeight) {
          state_.height.give_way(notices);
        } else {
          take(model, part, notices);
        }
        return {};
      }));
}

BodyPoint BodyManagers::place_now(const FloatingModel& model) const noexcept {
  BodyPoint point;
  const Eigen::Vector3d from = model.position(pelvis_.frame) - state_.stance.origin;
  point.x.head<2>() = (state_.stance.axes.transpose() * from).head<2>();
  return point;
}

/// The centre of mass is as far from the pelvis there as it is now.
MessageFault BodyManagers::would_tip(const FloatingModel& model, const PathMessage& message,
                                     const BodyPath& path) const noexcept {
  const Corners corners = corners_without(model, feet_.size());
  const Eigen::Vector2d here = place_now(model).x.head<2>();
  const auto inside_at = [&](const Eigen::Vector2d& place) {
    Eigen::Vector3d way = Eigen::Vector3d::Zero();
    way.head<2>() = place - here;
    const Eigen::Vector3d com = model.com() + state_.stance.axes * way;
    return inside_by({corners.at.data(), corners.count}, com.head<2>());
  };
  const std::size_t width = rules_of(message).width();
  for (std::size_t row = 0; row * width < message.rows.size(); ++row) {
    Eigen::Vector2d place(message.rows[row * width + 1], message.rows[row * width + 2]);
    if (message.execution == Execution::kStream) place = path.back().x.head<2>();
    const double inside = inside_at(place);
    if (inside >= config_.lift_margin) continue;
    return {RejectReason::kWouldTip, inside, config_.lift_margin,
            static_cast<std::uint8_t>(message.rows_at + row * width + 2),
            static_cast<std::uint16_t>(row + 1)};
  }
  return {};
}

/// The centre of mass goes with the pelvis, no nearer to the soles' edge than lift_margin: it stops
/// there, on the straight line to the middle of the soles.
BodyManagers::Lead BodyManagers::lead_of(const FloatingModel& model) const noexcept {
  const BodyPoint& wanted = state_.place.now();
  const Eigen::Matrix3d to_stance = state_.stance.axes.transpose();
  const auto seen = [&](const Eigen::Vector2d& at) -> Eigen::Vector2d {
    const Eigen::Vector3d from(at.x() - state_.stance.origin.x(), at.y() - state_.stance.origin.y(),
                               0.0);
    return (to_stance * from).head<2>();
  };
  const Eigen::Vector2d apart = seen(model.com().head<2>()) - place_now(model).x.head<2>();
  Lead lead{wanted.x.head<2>(), wanted.x.head<2>() + apart, wanted.v.head<2>(), wanted.a.head<2>()};
  Corners corners = corners_without(model, feet_.size());
  if (corners.count == 0) return lead;
  Eigen::Vector2d middle = Eigen::Vector2d::Zero();
  for (std::size_t i = 0; i < corners.count; ++i) {
    corners.at[i] = seen(corners.at[i]);
    middle += corners.at[i] / static_cast<double>(corners.count);
  }
  const auto is_inside = [&](const Eigen::Vector2d& at) {
    return inside_by({corners.at.data(), corners.count}, at) >= config_.lift_margin;
  };
  if (is_inside(lead.com)) return lead;
  double good = 0.0;
  double bad = 1.0;
  for (int i = 0; i < kHalvings; ++i) {
    const double half = 0.5 * (good + bad);
    (is_inside(middle + half * (lead.com - middle)) ? good : bad) = half;
  }
  lead.com = middle + good * (lead.com - middle);
  lead.pelvis = lead.com - apart;
  lead.v.setZero();
  lead.a.setZero();
  return lead;
}

void BodyManagers::lead(const FloatingModel& model, Eigen::Vector3d& goal) const noexcept {
  if (!pelvis_.there || !state_.place.active()) return;
  const Lead wanted = lead_of(model);
  const auto& left_out = state_.place.choice().left_out;
  Eigen::Vector3d there = state_.stance.axes.transpose() * (goal - state_.stance.origin);
  for (int axis = 0; axis < 2; ++axis) {
    if (!left_out[static_cast<std::size_t>(axis)]) there[axis] = wanted.com[axis];
  }
  const double height = goal.z();
  goal = state_.stance.origin + state_.stance.axes * there;
  goal.z() = height;
}

/// L̇ = m (a + k (c_d - c) + d (v - ċ)) along the stance's axes that are led, and the same for the
/// pelvis itself, by the gains of its height.
void BodyManagers::want_place(FloatingModel& model, WholeBodyCommand& command) const noexcept {
  const Lead wanted = lead_of(model);
  const TaskChoice& choice = state_.place.choice();
  const Eigen::Matrix3d& axes = state_.stance.axes;
  const Eigen::Matrix3d to_stance = axes.transpose();
  SpatialTask& task = command.spatial[pelvis_.task];
  if (!task.is_turned) task.angular_axes.setIdentity();
  task.is_turned = true;
  task.linear_axes = axes;
  Eigen::Vector3d rate = to_stance * command.momentum.rate.head<3>();
  Eigen::Vector3d pull = to_stance * task.acceleration.head<3>();
  const Eigen::Vector3d com = to_stance * (model.com() - state_.stance.origin);
  const Eigen::Vector3d com_velocity = to_stance * model.com_velocity();
  const Eigen::Vector2d pelvis = place_now(model).x.head<2>();
  const Eigen::Vector3d pelvis_velocity = to_stance * model.twist(pelvis_.frame).head<3>();
  for (int axis = 0; axis < 2; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    task.axes[i] = !choice.left_out[i];
    if (choice.left_out[i]) continue;
    task.weights[axis] = choice.weights[i] > 0.0 ? choice.weights[i] : config_.height_weight;
    pull[axis] = wanted.a[axis] + config_.height_stiffness * (wanted.pelvis[axis] - pelvis[axis]) +
                 config_.height_damping * (wanted.v[axis] - pelvis_velocity[axis]);
    rate[axis] =
        model.mass() * (wanted.a[axis] + config_.com_stiffness * (wanted.com[axis] - com[axis]) +
                        config_.com_damping * (wanted.v[axis] - com_velocity[axis]));
  }
  command.momentum.rate.head<3>() = axes * rate;
  task.acceleration.head<3>() = axes * pull;
  leave_to(model, pelvis_.freed, command);
}

}  // namespace jointrig
