// How the managers take messages.

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "control/wholebody/managers.h"

namespace jointrig {
namespace {

constexpr double kLargestPlace = 2.0;          ///< of a hand from the stance [m]: a choice
constexpr std::array kHeightRange{0.5, 1.05};  ///< share of the height at home: a choice

constexpr HandManager::Space space_of(BodyTopic topic) noexcept {
  return topic == BodyTopic::kHand ? HandManager::Space::kTask : HandManager::Space::kJoint;
}

constexpr bool is_of_limb(BodyTopic topic) noexcept {
  return topic == BodyTopic::kHand || topic == BodyTopic::kArm || topic == BodyTopic::kNeck ||
         topic == BodyTopic::kFingers;
}

constexpr bool is_of_joints(BodyTopic topic) noexcept {
  return is_of_limb(topic) && topic != BodyTopic::kHand;
}

constexpr bool has_pose(BodyTopic topic) noexcept {
  return topic == BodyTopic::kHand || topic == BodyTopic::kFoot;
}

constexpr bool is_turn(BodyTopic topic) noexcept {
  return topic == BodyTopic::kChest || topic == BodyTopic::kHead || topic == BodyTopic::kPelvis;
}

/// A part's way to one place in a time, which is a trajectory of one waypoint.
struct OneWay {
  template <typename Message>
  OneWay(const Message& wish, BodyTopic topic) {
    message.topic = topic;
    message.kind = kind_of<Message>();
    message.hand = wish.hand;
    message.id = wish.id;
    message.rows_at = static_cast<std::uint8_t>(place_of<Message>("duration"));
    row[0] = wish.duration;
  }
  /// @param numbers  of the waypoint
  PathMessage& to(std::span<const double> numbers) noexcept {
    std::copy(numbers.begin(), numbers.end(), row.begin() + 1);
    message.rows = {row.data(), numbers.size() + 1};
    return message;
  }

  PathMessage message;
  std::array<double, kMaxMessageJoints + 1> row{};
};

std::array<double, 4> quaternion_of(const Eigen::Matrix3d& turn) noexcept {
  const Eigen::Quaterniond q(turn);
  return {q.w(), q.x(), q.y(), q.z()};
}

}  // namespace

const BodyManagers::Part& BodyManagers::part_of(BodyTopic topic) const noexcept {
  if (topic == BodyTopic::kChest) return chest_;
  return topic == BodyTopic::kHead ? head_ : pelvis_;
}

const TurningManager& BodyManagers::turning(BodyTopic topic) const noexcept {
  if (topic == BodyTopic::kChest) return state_.chest;
  return topic == BodyTopic::kHead ? state_.head : state_.pelvis;
}

bool BodyManagers::has(BodyTopic topic, std::size_t hand) const noexcept {
  if (topic == BodyTopic::kNeck) return has_neck();
  if (topic == BodyTopic::kFingers) {
    return hand < hands_.size() && !hands_[hand].fingers.joints.empty();
  }
  if (is_of_limb(topic)) return hand < hands_.size();
  if (topic == BodyTopic::kFoot) return hand < feet_.size();
  return part_of(topic).there;
}

bool BodyManagers::has_frame(TaskFrame frame) const noexcept {
  if (frame == TaskFrame::kPelvis) return pelvis_.there;
  if (frame == TaskFrame::kChest) return chest_.there;
  return frame != TaskFrame::kHead || head_.there;
}

MessageFault BodyManagers::no_such_part(BodyTopic topic, std::size_t hand) const noexcept {
  if (topic == BodyTopic::kFingers && hand < hands_.size()) {
    return {RejectReason::kNoFingers, static_cast<double>(hand)};
  }
  return {RejectReason::kNoSuchPart, static_cast<double>(hand),
          static_cast<double>(topic == BodyTopic::kFoot ? feet_.size() : hands_.size())};
}

PathRules BodyManagers::rules_of(const PathMessage& message) const noexcept {
  PathRules rules;
  rules.turn_speed = config_.message_turn_speed;
  rules.place_speed = config_.message_speed;
  rules.turns = has_pose(message.topic) || is_turn(message.topic);
  rules.velocities = message.velocities;
  if (has_pose(message.topic) || message.topic == BodyTopic::kPlace) {
    rules.coordinates = has_pose(message.topic) ? 3 : 2;
    rules.is_place = true;
    rules.low.setConstant(-kLargestPlace);
    rules.high.setConstant(kLargestPlace);
  } else if (message.topic == BodyTopic::kHeight) {
    rules.coordinates = 1;
    rules.is_place = true;
    rules.low[0] = kHeightRange[0] * home_.place.z();
    rules.high[0] = kHeightRange[1] * home_.place.z();
  } else if (is_of_joints(message.topic)) {
    const std::vector<int>& joints = setup_of(message.topic, message.hand).joints;
    rules.coordinates = static_cast<int>(joints.size());
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const JointRoom& room = room_[static_cast<std::size_t>(joints[k])];
      const auto at = static_cast<Eigen::Index>(k);
      rules.low[at] = room.low;
      rules.high[at] = room.high;
      rules.speed[at] = room.speed;
    }
  }
  return rules;
}

BodyManagers::Target BodyManagers::target_of(FloatingModel& model,
                                             const PathMessage& message) const noexcept {
  Target target;
  target.rules = rules_of(message);
  const bool is_queued = message.execution == Execution::kQueue;
  if (is_of_limb(message.topic)) {
    const HandManager& limb = limb_of(message.topic, message.hand);
    const HandSetup& setup = setup_of(message.topic, message.hand);
    const HandManager::Space space = space_of(message.topic);
    target.last_id = limb.last_id(space);
    target.full = limb.full(space);
    target.start =
        limb.start(model, setup, state_.stance, space, message.choice, message.execution);
    target.other_axes = is_queued && limb.space() == space &&
                        limb.queue().drives_others(message.choice, message.execution);
    return target;
  }
  const bool is_height = message.topic == BodyTopic::kHeight;
  const bool is_place = message.topic == BodyTopic::kPlace;
  const bool is_foot = message.topic == BodyTopic::kFoot;
  const MessageQueue& queue = is_foot     ? state_.feet[message.hand].queue()
                              : is_height ? state_.height
                              : is_place  ? state_.place
                                          : turning(message.topic).queue;
  target.last_id = queue.last_id();
  target.full = queue.full();
  const bool drives_others = queue.drives_others(message.choice, message.execution);
  target.other_axes = is_queued && queue.active() && drives_others;
  if (queue.active() && is_queued) {
    target.start = queue.end();
  } else if (queue.active() && !drives_others) {
    target.start = queue.now();
  } else if (is_foot) {
    target.start = frame_now(model, feet_[message.hand].leg.frame, state_.stance);
  } else if (is_height) {
    target.start = height_now(model);
  } else if (is_place) {
    target.start = place_now(model);
  } else if (queue.active()) {
    target.start =
        turning(message.topic).measured(model, part_of(message.topic).frame, state_.stance);
  } else {
    target.start =
        turning(message.topic).present(model, part_of(message.topic).frame, state_.stance);
  }
  return target;
}

MessageFault BodyManagers::read(FloatingModel& model, const PathMessage& message,
                                BodyPath& path) const noexcept {
  if (message.id == 0) return {RejectReason::kNoId};
  if (!has(message.topic, message.hand)) return no_such_part(message.topic, message.hand);
  if (!has_frame(message.choice.frame)) {
    return {RejectReason::kNoSuchPart, static_cast<double>(message.choice.frame), 0.0,
            static_cast<std::uint8_t>(message.frame_at + 1)};
  }
  const bool is_turned = is_turn(message.topic);
  const bool has_given = is_turned || has_pose(message.topic);
  if (has_given) {
    if (const MessageFault f = no_such_frame(message.given_in, message.given_at)) return f;
  }
  if (!state_.stands) return {RejectReason::kNotStanding};
  if (const MessageFault f = check_choice(message)) return f;
  if (const MessageFault f = refused_by_load(message.topic, message.hand)) return f;
  const Target target = target_of(model, message);
  if (message.execution == Execution::kQueue) {
    if (message.previous != target.last_id) {
      return {RejectReason::kWrongPrevious, static_cast<double>(message.previous),
              static_cast<double>(target.last_id),
              static_cast<std::uint8_t>(message.previous_at + 1)};
    }
    if (target.other_axes) {
      return {RejectReason::kOutOfRange, 0.0, 0.0,
              static_cast<std::uint8_t>(message.previous_at + 1)};
    }
    if (target.full) {
      return {RejectReason::kQueueFull, static_cast<double>(MessageQueue::kMost),
              static_cast<double>(MessageQueue::kMost)};
    }
  }
  if (has_given && message.given_in != PointFrame::kStance) {
    WaypointRows rows;
    for (const double number : message.rows) rows.push_back(number);
    const GivenFrame frame =
        is_turned ? given_turn(model, message.given_in) : given_pose(model, message.given_in);
    to_stance(frame, {!is_turned, message.velocities}, {rows.data(), rows.size()});
    PathMessage in_stance = message;
    in_stance.rows = {rows.data(), rows.size()};
    return make_path(in_stance, target.rules, target.start, path);
  }
  if (const MessageFault f = make_path(message, target.rules, target.start, path)) return f;
  if (message.topic == BodyTopic::kPlace) return would_tip(model, message, path);
  return {};
}

MessageFault BodyManagers::check(FloatingModel& model, const PathMessage& message) const noexcept {
  BodyPath path;
  return read(model, message, path);
}

/// Calls `visit(message)` for each trajectory that leads home.
template <typename Visit>
void BodyManagers::each_way_home(const GoHome& message, Visit&& visit) const noexcept {
  switch (message.part) {
    case HomePart::kArm: {
      OneWay arm(message, BodyTopic::kArm);
      if (!has(BodyTopic::kArm, message.hand)) return visit(arm.message);
      const std::vector<int>& joints = hands_[message.hand].joints;
      std::array<double, kMaxMessageJoints> q{};
      for (std::size_t k = 0; k < joints.size(); ++k) q[k] = home_.q[joints[k]];
      return visit(arm.to({q.data(), joints.size()}));
    }
    case HomePart::kChest: {
      const Eigen::Matrix3d turn = state_.chest.turn_to(home_.chest, state_.stance);
      return visit(OneWay(message, BodyTopic::kChest).to(quaternion_of(turn)));
    }
    case HomePart::kPelvis:
      break;
  }
  const Eigen::Matrix3d turn = state_.pelvis.turn_to(home_.pelvis, state_.stance);
  visit(OneWay(message, BodyTopic::kPelvis).to(quaternion_of(turn)));
  visit(OneWay(message, BodyTopic::kHeight).to(std::array{home_.place.z()}));
  // Unless a message leads it, it is where the centre of mass is above the middle of the soles.
  if (!state_.place.active()) return;
  visit(OneWay(message, BodyTopic::kPlace).to(std::array{home_.place.x(), home_.place.y()}));
}

MessageFault BodyManagers::check(FloatingModel& model, const GoHome& message) const noexcept {
  MessageFault fault;
  each_way_home(message, [&](const PathMessage& way) {
    if (!fault) fault = check(model, way);
  });
  return fault;
}

MessageFault BodyManagers::check(FloatingModel& model,
                                 const HandConfiguration& message) const noexcept {
  OneWay way(message, BodyTopic::kFingers);
  if (message.id == 0) return {RejectReason::kNoId};
  if (!has(BodyTopic::kFingers, message.hand)) {
    return no_such_part(BodyTopic::kFingers, message.hand);
  }
  if (!state_.stands) return {RejectReason::kNotStanding};
  if (message.configuration == HandWish::kStop) return {};
  const Hand& hand = hands_[message.hand];
  const ByJoint& q = message.configuration == HandWish::kOpen ? hand.open : hand.closed;
  return check(model, way.to({q.data(), static_cast<std::size_t>(q.size())}));
}

void BodyManagers::take(FloatingModel& model, const HandConfiguration& message,
                        MessageNotices& notices) noexcept {
  const Hand& hand = hands_[message.hand];
  if (message.configuration == HandWish::kStop) {
    return state_.fingers[message.hand].hold(model, hand.fingers, notices);
  }
  const ByJoint& q = message.configuration == HandWish::kOpen ? hand.open : hand.closed;
  OneWay way(message, BodyTopic::kFingers);
  take(model, way.to({q.data(), static_cast<std::size_t>(q.size())}), notices);
}

MessageFault BodyManagers::check(const StopAllTrajectories& message) const noexcept {
  if (message.id == 0) return {RejectReason::kNoId};
  return {state_.stands ? RejectReason::kNone : RejectReason::kNotStanding};
}

/// A robot that doesn't walk takes none.
MessageFault BodyManagers::check(const StepMessage& message) const noexcept {
  if (const MessageFault f = check_steps(message, feet_.size())) return f;
  if (const MessageFault f = no_such_frame(message.given_in, message.given_at)) return f;
  return {RejectReason::kNotWalking, 0.0, 0.0, static_cast<std::uint8_t>(message.rows_at + 1)};
}

MessageFault BodyManagers::check(const PauseWalking& message) const noexcept {
  if (message.id == 0) return {RejectReason::kNoId};
  return {RejectReason::kNotWalking, 0.0, 0.0,
          static_cast<std::uint8_t>(place_of<PauseWalking>("pause") + 1)};
}

MessageFault BodyManagers::check(const AccelerationMessage& message) const noexcept {
  if (message.id == 0) return {RejectReason::kNoId};
  if (!has(message.topic, message.hand)) return no_such_part(message.topic, message.hand);
  if (!state_.stands) return {RejectReason::kNotStanding};
  if (const MessageFault f = refused_by_load(message.topic, message.hand)) {
    return f;
  }
  const std::size_t joints = setup_of(message.topic, message.hand).joints.size();
  const std::size_t size = message.accelerations.size();
  if (size != joints) {
    return {RejectReason::kSizeMismatch, static_cast<double>(size), static_cast<double>(joints),
            static_cast<std::uint8_t>(message.accelerations_at + 1)};
  }
  const double most = config_.acceleration_max;
  for (std::size_t k = 0; k < size; ++k) {
    const double value = message.accelerations[k];
    if (std::abs(value) <= most) continue;
    return {RejectReason::kOutOfRange, value, std::copysign(most, value),
            static_cast<std::uint8_t>(message.accelerations_at + k + 1)};
  }
  return {};
}

void BodyManagers::take(const AccelerationMessage& message, MessageNotices& notices) noexcept {
  const bool is_neck = message.topic == BodyTopic::kNeck;
  if (is_neck) state_.head.queue.give_way(notices);
  limb_of(message.topic, message.hand)
      .accelerate(message.id, message.kind, message.accelerations, notices);
}

void BodyManagers::take(FloatingModel& model, const PathMessage& message,
                        MessageNotices& notices) noexcept {
  MessageOrder order{.id = message.id,
                     .kind = message.kind,
                     .path = {},
                     .choice = message.choice,
                     .execution = message.execution};
  if (read(model, message, order.path)) return;
  if (is_of_limb(message.topic)) {
    const bool is_neck = message.topic == BodyTopic::kNeck;
    if (is_neck) state_.head.queue.give_way(notices);
    limb_of(message.topic, message.hand).take(space_of(message.topic), order, notices);
  } else if (message.topic == BodyTopic::kFoot) {
    state_.feet[message.hand].queue().take(order, notices);
  } else {
    take_turned(model, message.topic, order, notices);
  }
}

/// Chest, head, pelvis, its height and place.
void BodyManagers::take_turned(FloatingModel& model, BodyTopic topic, const MessageOrder& order,
                               MessageNotices& notices) noexcept {
  if (topic == BodyTopic::kHeight) {
    // The legs can't move the pelvis to a height while the posture turns it.
    state_.pelvis.take_hold(model, pelvis_.frame, state_.stance, notices);
    state_.height.take(order, notices);
    return;
  }
  if (topic == BodyTopic::kPlace) {
    state_.pelvis.take_hold(model, pelvis_.frame, state_.stance, notices);
    state_.place.take(order, notices);
    return;
  }
  if (topic == BodyTopic::kHead) state_.neck.give_way(notices);
  TurningManager& turned = topic == BodyTopic::kChest  ? state_.chest
                           : topic == BodyTopic::kHead ? state_.head
                                                       : state_.pelvis;
  turned.queue.take(order, notices);
}

void BodyManagers::take(FloatingModel& model, const GoHome& message,
                        MessageNotices& notices) noexcept {
  each_way_home(message, [&](const PathMessage& way) { take(model, way, notices); });
}

void BodyManagers::take(const FloatingModel& model, const StopAllTrajectories& /*message*/,
                        MessageNotices& notices) noexcept {
  for (MessageQueue* queue : {&state_.chest.queue, &state_.head.queue, &state_.pelvis.queue,
                              &state_.height, &state_.place}) {
    if (queue->moved()) queue->hold(notices);
  }
  state_.neck.hold(model, neck_, notices);
  for (std::size_t i = 0; i < hands_.size(); ++i) {
    state_.hands[i].hold(model, hands_[i], notices);
    state_.fingers[i].hold(model, hands_[i].fingers, notices);
    state_.bearing[i].stop(notices);
  }
  for (FootManager& foot : state_.feet) foot.stop(notices);
}

}  // namespace jointrig
