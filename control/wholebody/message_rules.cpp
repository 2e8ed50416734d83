#include "control/wholebody/message_rules.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

namespace jointrig {
namespace {

constexpr double kUnitTolerance = 1e-5;  ///< of a quaternion's length, as in IHMC's messages
constexpr double kSlack = 1e-3;          ///< rad or m: a posture that was read back a moment ago

MessageFault fault_at(const PathMessage& message, RejectReason reason, std::size_t row,
                      std::size_t number, double value, double limit) noexcept {
  return {reason, value, limit, static_cast<std::uint8_t>(message.rows_at + number + 1),
          static_cast<std::uint16_t>(row + 1)};
}

/// Time of each row, and the order of all.
MessageFault check_times(const PathMessage& message, std::size_t width) noexcept {
  double before = -1.0;
  for (std::size_t row = 0; row * width < message.rows.size(); ++row) {
    const double time = message.rows[row * width];
    const double least = row == 0 ? 0.0 : before;
    const bool is_late = row == 0 ? time >= 0.0 : time > before;
    if (!is_late) {
      return fault_at(message, RejectReason::kBadWaypoints, row, row * width, time, least);
    }
    before = std::max(time, kFirstWaypoint);
  }
  return {};
}

MessageFault check_row(const PathMessage& message, const PathRules& rules,
                       std::size_t row) noexcept {
  const std::size_t first = row * rules.width() + 1;
  const auto n = static_cast<std::size_t>(rules.coordinates);
  for (std::size_t k = 0; k < n; ++k) {
    const double value = message.rows[first + k];
    const double low = rules.low[static_cast<Eigen::Index>(k)];
    const double high = rules.high[static_cast<Eigen::Index>(k)];
    if (value >= low - kSlack && value <= high + kSlack) continue;
    return fault_at(message, RejectReason::kOutOfRange, row, first + k, value,
                    value < low ? low : high);
  }
  if (!rules.turns) return {};
  const double length = Eigen::Map<const Eigen::Vector4d>(message.rows.data() + first + n).norm();
  if (std::abs(length - 1.0) <= kUnitTolerance) return {};
  return fault_at(message, RejectReason::kOutOfRange, row, first + n, length, 1.0);
}

BodyPoint point_of(std::span<const double> row, const PathRules& rules) noexcept {
  BodyPoint point;
  const auto n = static_cast<Eigen::Index>(rules.coordinates);
  if (rules.velocities) {
    const double* speeds = row.data() + rules.place_width();
    for (Eigen::Index k = 0; k < n; ++k) point.v[k] = speeds[k];
    if (rules.turns) point.turning = Eigen::Map<const Eigen::Vector3d>(speeds + n);
  }
  for (int k = 0; k < rules.coordinates; ++k) point.x[k] = row[static_cast<std::size_t>(k) + 1];
  if (rules.turns) {
    const double* q = row.data() + 1 + rules.coordinates;
    point.rotation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  }
  return point;
}

/// Each waypoint's own velocities, before anything is computed from them.
MessageFault check_row_speeds(const PathMessage& message, const PathRules& rules, std::size_t row,
                              const BodyPoint& point) noexcept {
  const std::size_t first = row * rules.width() + rules.place_width();
  const auto n = static_cast<std::size_t>(rules.coordinates);
  const auto fault = [&](std::size_t number, double speed, double limit) {
    return fault_at(message, RejectReason::kTooFast, row, number, speed, limit);
  };
  const double turn = point.turning.norm();
  if (!(turn <= rules.turn_speed)) return fault(first + n, turn, rules.turn_speed);
  const double place = point.v.head<3>().norm();
  if (rules.is_place && !(place <= rules.place_speed)) {
    return fault(first, place, rules.place_speed);
  }
  for (std::size_t k = 0; !rules.is_place && k < n; ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    const double speed = std::abs(point.v[at]);
    if (speed > rules.speed[at]) return fault(first + k, speed, rules.speed[at]);
  }
  return {};
}

/// Where a point with a velocity is after a time.
BodyPoint gone_on(BodyPoint point, double time) noexcept {
  point.x += time * point.v;
  point.rotation = turned_by(time * point.turning) * point.rotation;
  return point;
}

/// A path with velocities stays in the ranges of its coordinates, and so does the way that it takes
/// to brake behind its end; of a place its rows are enough. Where it begins, it may be outside.
MessageFault check_reach(const PathMessage& message, const PathRules& rules, const BodyPath& path,
                         const BodyPoint& start, std::size_t rows) noexcept {
  if (rules.coordinates == 3 && rules.is_place) return {};
  const BodyPoint rest = gone_on(path.back(), 0.5 * MessageQueue::kBrakingTime);
  for (std::size_t row = 0; row < rows; ++row) {
    for (int k = 0; k < rules.coordinates; ++k) {
      BodyPath::Reach reach = path.reach(row + 1, k);
      if (row + 1 == rows) {
        reach.low = std::min(reach.low, rest.x[k]);
        reach.high = std::max(reach.high, rest.x[k]);
      }
      const double low = std::min(rules.low[k], start.x[k]) - kSlack;
      const double high = std::max(rules.high[k], start.x[k]) + kSlack;
      const std::size_t number = row * rules.width() + 1 + static_cast<std::size_t>(k);
      if (reach.low < low) {
        return fault_at(message, RejectReason::kOutOfRange, row, number, reach.low, rules.low[k]);
      }
      if (reach.high > high) {
        return fault_at(message, RejectReason::kOutOfRange, row, number, reach.high, rules.high[k]);
      }
    }
  }
  return {};
}

MessageFault check_speeds(const PathMessage& message, const PathRules& rules,
                          const BodyPath& path) noexcept {
  // With what is left of the old motion it never comes to more than twice the limit.
  const auto check = [&](double speed, double old, double limit) -> MessageFault {
    if (speed <= limit && speed + old <= 2.0 * limit) return {};
    return {RejectReason::kTooFast, speed, limit, static_cast<std::uint8_t>(message.rows_at + 1)};
  };
  const BodyPoint& old = path.old_motion();
  if (rules.turns) {
    if (const MessageFault f = check(path.turn_speed(), old.turning.norm(), rules.turn_speed))
      return f;
  }
  if (rules.is_place) {
    return check(path.place_speed(), old.v.head<3>().norm(), rules.place_speed);
  }
  for (int k = 0; k < rules.coordinates; ++k) {
    if (const MessageFault f = check(path.coordinate_speed(k), std::abs(old.v[k]), rules.speed[k]))
      return f;
  }
  return {};
}

}  // namespace

MessageFault check_choice(const PathMessage& message) noexcept {
  const std::size_t first = message.topic == BodyTopic::kChest ||
                                    message.topic == BodyTopic::kHead ||
                                    message.topic == BodyTopic::kPelvis
                                ? 3
                                : 0;
  for (std::size_t i = 0; i < message.choice.weights.size(); ++i) {
    const double weight = message.choice.weights[i];
    if (weight >= 0.0 && weight <= kLargestWeight) continue;
    return {RejectReason::kOutOfRange, weight, weight < 0.0 ? 0.0 : kLargestWeight,
            static_cast<std::uint8_t>(message.weights_at + i - first + 1)};
  }
  if (message.execution != Execution::kStream) return {};
  if (message.integration >= kShortestStream && message.integration <= kLongestStream) return {};
  return {RejectReason::kOutOfRange, message.integration,
          message.integration < kShortestStream ? kShortestStream : kLongestStream,
          static_cast<std::uint8_t>(message.integration_at + 1)};
}

namespace {

/// The one point of a stream, which is now.
MessageFault make_stream(const PathMessage& message, const PathRules& rules, const BodyPoint& start,
                         BodyPath& path) noexcept {
  if (message.rows.size() != rules.width()) {
    return {RejectReason::kSizeMismatch, static_cast<double>(message.rows.size()),
            static_cast<double>(rules.width()), static_cast<std::uint8_t>(message.rows_at + 1)};
  }
  if (message.rows.front() != 0.0) {
    return fault_at(message, RejectReason::kBadWaypoints, 0, 0, message.rows.front(), 0.0);
  }
  if (const MessageFault f = check_row(message, rules, 0)) return f;
  const BodyPoint point = point_of(message.rows, rules);
  if (const MessageFault f = check_row_speeds(message, rules, 0, point)) return f;
  path.clear();
  path.add(0.0, start);
  path.add(message.integration, gone_on(point, message.integration));
  path.shape_through();
  if (const MessageFault f = check_reach(message, rules, path, start, 1)) return f;
  return check_speeds(message, rules, path);
}

}  // namespace

MessageFault make_path(const PathMessage& message, const PathRules& rules, const BodyPoint& start,
                       BodyPath& path) noexcept {
  if (message.execution == Execution::kStream) return make_stream(message, rules, start, path);
  const std::size_t width = rules.width();
  const std::size_t size = message.rows.size();
  if (size == 0 || size % width != 0 || size / width > kMaxWaypoints) {
    return {RejectReason::kBadWaypoints, static_cast<double>(size), static_cast<double>(width),
            static_cast<std::uint8_t>(message.rows_at + 1)};
  }
  if (const MessageFault f = check_times(message, width)) return f;
  path.clear();
  path.add(0.0, start);
  const std::size_t rows = size / width;
  for (std::size_t row = 0; row < rows; ++row) {
    if (const MessageFault f = check_row(message, rules, row)) return f;
    const std::span<const double> numbers = message.rows.subspan(row * width, width);
    const BodyPoint point = point_of(numbers, rules);
    if (const MessageFault f = check_row_speeds(message, rules, row, point)) return f;
    path.add(std::max(numbers.front(), kFirstWaypoint), point);
  }
  if (rules.velocities) {
    path.shape_through();
    if (const MessageFault f = check_reach(message, rules, path, start, rows)) return f;
  } else {
    path.shape();
  }
  return check_speeds(message, rules, path);
}

namespace {

/// Execution, previous and times of footsteps.
MessageFault check_step_order(const StepMessage& message) noexcept {
  const auto fault = [](RejectReason why, double value, double limit, std::uint8_t place) {
    return MessageFault{why, value, limit, static_cast<std::uint8_t>(place + 1)};
  };
  if (message.execution == Execution::kStream) {
    return fault(RejectReason::kOutOfRange, static_cast<double>(Execution::kStream),
                 static_cast<double>(Execution::kQueue), message.execution_at);
  }
  if (message.execution == Execution::kQueue && message.previous != 0) {
    return fault(RejectReason::kWrongPrevious, static_cast<double>(message.previous), 0.0,
                 message.previous_at);
  }
  struct Number {
    double value, low, high;
    std::uint8_t place;
  };
  const std::array numbers{
      Number{message.swing_duration, kShortestStepTime, kLongestStepTime, message.swing_at},
      Number{message.transfer_duration, kShortestStepTime, kLongestStepTime, message.transfer_at},
      Number{message.swing_height, 0.0, kHighestSwing, message.height_at}};
  for (const Number& n : numbers) {
    if (n.value >= n.low && n.value <= n.high) continue;
    return fault(RejectReason::kOutOfRange, n.value, n.value > n.high ? n.high : n.low, n.place);
  }
  return {};
}

}  // namespace

MessageFault check_steps(const StepMessage& message, std::size_t feet) noexcept {
  if (message.id == 0) return {RejectReason::kNoId};
  if (const MessageFault f = check_step_order(message)) return f;
  const std::span<const double> rows = message.rows;
  const auto fault = [&](RejectReason why, std::size_t i, double value, double limit) {
    return MessageFault{why, value, limit, static_cast<std::uint8_t>(message.rows_at + i + 1),
                        static_cast<std::uint16_t>(i / kStepNumbers + 1)};
  };
  if (rows.empty() || rows.size() % kStepNumbers != 0 ||
      rows.size() / kStepNumbers > message.most_rows) {
    return {RejectReason::kBadWaypoints, static_cast<double>(rows.size()),
            static_cast<double>(kStepNumbers), static_cast<std::uint8_t>(message.rows_at + 1)};
  }
  Eigen::Vector3d before = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < rows.size(); i += kStepNumbers) {
    const double foot = rows[i];
    if (!(foot == std::floor(foot) && foot >= 0.0 && foot < static_cast<double>(feet))) {
      return fault(RejectReason::kOutOfRange, i, foot, static_cast<double>(feet) - 1.0);
    }
    const Eigen::Vector3d place = Eigen::Map<const Eigen::Vector3d>(rows.data() + i + 1);
    const double way = (place - before).norm();
    const double longest = i == 0 ? kFarthestStep : kLongestStep;
    if (!(way <= longest)) return fault(RejectReason::kOutOfRange, i + 1, way, longest);
    before = place;
    const double length = Eigen::Map<const Eigen::Vector4d>(rows.data() + i + 4).norm();
    if (!(std::abs(length - 1.0) <= kUnitTolerance)) {
      return fault(RejectReason::kOutOfRange, i + 4, length, 1.0);
    }
  }
  return {};
}

}  // namespace jointrig
