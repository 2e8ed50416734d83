// How the managers take a message that moves several parts at once.

#include <algorithm>
#include <cmath>

#include "control/wholebody/managers.h"

namespace jointrig {
namespace {

constexpr std::size_t kRowsAt = place_of<WholeBodyTrajectory>("waypoints");

MessageFault fault_at(RejectReason reason, std::size_t row, std::size_t number, double value,
                      double limit) noexcept {
  return {reason, value, limit, static_cast<std::uint8_t>(kRowsAt + number + 1),
          static_cast<std::uint16_t>(row + 1)};
}

/// Pairs that two parts of one message may not move both: a hand and its arm, the head and the
/// neck.
std::size_t owner_of(BodyTopic topic, std::size_t hand) noexcept {
  const BodyTopic of = topic == BodyTopic::kArm    ? BodyTopic::kHand
                       : topic == BodyTopic::kNeck ? BodyTopic::kHead
                                                   : topic;
  return static_cast<std::size_t>(of) * kMaxHands + hand;
}

}  // namespace

/// Reads the rows of one part, which begin at number `from`; there is one.
BodyManagers::PartRows BodyManagers::next_part(const WholeBodyTrajectory& message, std::size_t from,
                                               std::size_t row) const noexcept {
  PartRows part;
  part.first = row;
  part.end = from;
  const double number = message.waypoints[from];
  const double most = static_cast<double>(kBodyTopics * kMaxHands) - 1.0;
  if (number != std::floor(number) || number < 0.0 || number > most) {
    part.fault = fault_at(RejectReason::kOutOfRange, row, from, number, number < 0.0 ? 0.0 : most);
    return part;
  }
  const auto code = static_cast<std::size_t>(number);
  const auto topic = static_cast<BodyTopic>(code / kMaxHands);
  const auto hand = static_cast<std::uint8_t>(code % kMaxHands);
  if (!has(topic, hand)) {
    part.fault = no_such_part(topic, hand);
    part.fault.waypoint = static_cast<std::uint16_t>(row + 1);
    return part;
  }
  part.message = path_message(message, topic, hand, {});
  const std::size_t width = rules_of(part.message).width();
  while (part.end < message.waypoints.size() && message.waypoints[part.end] == number) {
    const std::size_t left = message.waypoints.size() - part.end;
    if (left < width + 1) {
      part.fault = {RejectReason::kBadWaypoints, static_cast<double>(left),
                    static_cast<double>(width + 1),
                    static_cast<std::uint8_t>(kRowsAt + part.end + 1)};
      return part;
    }
    for (std::size_t k = 1; k <= width; ++k) {
      part.numbers.push_back(message.waypoints[part.end + k]);
    }
    part.end += width + 1;
  }
  return part;
}

MessageFault BodyManagers::check(FloatingModel& model,
                                 const WholeBodyTrajectory& message) const noexcept {
  if (message.id == 0) return {RejectReason::kNoId};
  if (!state_.stands) return {RejectReason::kNotStanding};
  if (message.waypoints.empty()) {
    return {RejectReason::kBadWaypoints, 0.0, 0.0, static_cast<std::uint8_t>(kRowsAt + 1)};
  }
  std::array<bool, kBodyTopics * kMaxHands> moved{};
  std::size_t row = 0;
  for (std::size_t from = 0; from < message.waypoints.size();) {
    PartRows part = next_part(message, from, row);
    if (part.fault) return part.fault;
    bool& is_moved = moved[owner_of(part.message.topic, part.message.hand)];
    if (is_moved) return fault_at(RejectReason::kPartTwice, row, from, message.waypoints[from], 0);
    is_moved = true;
    part.message.rows = {part.numbers.data(), part.numbers.size()};
    const std::size_t width = rules_of(part.message).width();
    if (MessageFault fault = check(model, part.message)) {
      // Its place and row are those of the part alone.
      const bool is_in_rows = fault.place > kRowsAt;
      const std::size_t number = is_in_rows ? fault.place - kRowsAt - 1 : 0;
      if (is_in_rows) {
        fault.place = static_cast<std::uint8_t>(kRowsAt + from + number + number / width + 1 + 1);
      }
      fault.waypoint = static_cast<std::uint16_t>(row + std::max<std::size_t>(fault.waypoint, 1));
      return fault;
    }
    row += part.numbers.size() / width;
    from = part.end;
  }
  return {};
}

void BodyManagers::take(FloatingModel& model, const WholeBodyTrajectory& message,
                        MessageNotices& notices) noexcept {
  for (std::size_t from = 0; from < message.waypoints.size();) {
    PartRows part = next_part(message, from, 0);
    if (part.fault) return;
    part.message.rows = {part.numbers.data(), part.numbers.size()};
    take(model, part.message, notices);
    from = part.end;
  }
}

}  // namespace jointrig
