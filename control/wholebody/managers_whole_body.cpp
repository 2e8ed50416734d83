// How the managers take a message that moves several parts at once.

#include <algorithm>
#include <cmath>

#include "control/wholebody/managers.h"

namespace jointrig {
namespace {

/// Axes that a part's own message can choose from; 1: it has a weight alone.
std::size_t axes_of_topic(BodyTopic topic) noexcept {
  if (topic == BodyTopic::kHand || topic == BodyTopic::kFoot) return 6;
  const bool turns =
      topic == BodyTopic::kChest || topic == BodyTopic::kHead || topic == BodyTopic::kPelvis;
  return turns ? 3 : 1;
}

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

/// Reads one row of a part's choices, which begins at number `from`.
/// @param part  of the message: its topic and hand are known
MessageFault BodyManagers::read_choice(const WholeBodyTrajectory& message, std::size_t from,
                                       std::size_t row, PathMessage& part,
                                       std::size_t& end) const noexcept {
  const auto what =
      static_cast<PartChoice>(static_cast<std::size_t>(message.waypoints[from]) / kPartNumbers);
  const std::size_t axes = axes_of_topic(part.topic);
  const std::size_t count = what == PartChoice::kFrame ? 1 : axes;
  const std::size_t left = message.waypoints.size() - from;
  if (left < count + 1 || (axes == 1 && what != PartChoice::kWeights)) {
    return fault_at(RejectReason::kBadWaypoints, row, from, static_cast<double>(left),
                    static_cast<double>(count + 1));
  }
  end = from + count + 1;
  const std::size_t first = axes == 3 ? 3 : 0;  // of what turns the angular axes alone
  for (std::size_t i = 0; i < count; ++i) {
    const double number = message.waypoints[from + 1 + i];
    switch (what) {
      case PartChoice::kWeights:
        part.choice.weights[first + i] = number;
        break;
      case PartChoice::kLeftOut:
        if (number != 0.0 && number != 1.0) {
          return fault_at(RejectReason::kOutOfRange, row, from + 1 + i, number, 1.0);
        }
        part.choice.left_out[first + i] = number != 0.0;
        break;
      default: {
        const auto last = static_cast<double>(kAllTaskFrame.size() - 1);
        if (number != std::floor(number) || number < 0.0 || number > last) {
          return fault_at(RejectReason::kOutOfRange, row, from + 1, number,
                          number < 0.0 ? 0.0 : last);
        }
        part.choice.frame = static_cast<TaskFrame>(static_cast<std::uint8_t>(number));
        part.frame_at = static_cast<std::uint8_t>(kRowsAt + from + 1);
      }
    }
  }
  if (what == PartChoice::kWeights) {
    part.weights_at = static_cast<std::uint8_t>(kRowsAt + from + 1);
  }
  return {};
}

/// Reads the rows of one part, which begin at number `from`; there is one.
BodyManagers::PartRows BodyManagers::next_part(const WholeBodyTrajectory& message, std::size_t from,
                                               std::size_t row) const noexcept {
  PartRows part;
  part.first = row;
  part.begin = part.end = from;
  const double number = message.waypoints[from];
  const double most = static_cast<double>(kPartNumbers * kPartChoices) - 1.0;
  if (number != std::floor(number) || number < 0.0 || number > most) {
    part.fault = fault_at(RejectReason::kOutOfRange, row, from, number, number < 0.0 ? 0.0 : most);
    return part;
  }
  const std::size_t code = static_cast<std::size_t>(number) % kPartNumbers;
  const auto topic = static_cast<BodyTopic>(code / kMaxHands);
  const auto hand = static_cast<std::uint8_t>(code % kMaxHands);
  if (!has(topic, hand)) {
    part.fault = no_such_part(topic, hand);
    part.fault.waypoint = static_cast<std::uint16_t>(row + 1);
    return part;
  }
  part.message = path_message(message, topic, hand, {});
  std::array<bool, kPartChoices> chosen{};
  for (; part.end < message.waypoints.size(); ++part.first) {
    const double next = message.waypoints[part.end];
    if (next == static_cast<double>(code)) break;
    const bool is_number = next >= 0.0 && next <= most && next == std::floor(next);  // and no NaN
    const std::size_t beyond = is_number ? static_cast<std::size_t>(next) : 0;
    const bool is_of_part = is_number && beyond % kPartNumbers == code;
    bool& is_chosen = chosen[beyond / kPartNumbers];
    if (!is_of_part || is_chosen) {  // a choice of a part without rows, or twice
      part.fault = fault_at(is_of_part ? RejectReason::kPartTwice : RejectReason::kBadWaypoints,
                            part.first, part.end, next, static_cast<double>(code));
      return part;
    }
    is_chosen = true;
    part.fault = read_choice(message, part.end, part.first, part.message, part.end);
    if (part.fault) return part;
  }
  part.begin = part.end;
  const std::size_t width = rules_of(part.message).width();
  while (part.end < message.waypoints.size() &&
         message.waypoints[part.end] == static_cast<double>(code)) {
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
  if (part.numbers.empty()) {
    part.fault = fault_at(RejectReason::kBadWaypoints, row, from, 0.0, 1.0);
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
    row = part.first;
    bool& is_moved = moved[owner_of(part.message.topic, part.message.hand)];
    if (is_moved)
      return fault_at(RejectReason::kPartTwice, row, part.begin, message.waypoints[part.begin], 0);
    is_moved = true;
    part.message.rows = {part.numbers.data(), part.numbers.size()};
    const std::size_t width = rules_of(part.message).width();
    if (MessageFault fault = check(model, part.message)) {
      // Its row is that of the part alone; so is its place, unless it is that of a choice.
      const std::size_t number = fault.place > kRowsAt ? fault.place - kRowsAt - 1 : 0;
      const bool is_of_choice = fault.waypoint == 0 && number > 0;
      if (fault.place > kRowsAt && !is_of_choice) {
        fault.place =
            static_cast<std::uint8_t>(kRowsAt + part.begin + number + number / width + 1 + 1);
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
