#include "control/wholebody/managers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace jointrig {
namespace {

constexpr double kLargestPlace = 2.0;  ///< of a hand from the stance [m]: a choice
constexpr double kFreedShare = 0.01;  ///< of posture_weight, on joints that messages move: a choice
constexpr std::array kHeightRange{0.5, 1.05};  ///< share of the height at the start: a choice

/// Joints of the model between the base and a frame: those that move it, in the pose that the model
/// is in. An axis through the frame still turns it.
std::vector<bool> chain_to(FloatingModel& model, const BodyFrame& frame) {
  FloatingModel::Jacobian jacobian(6, model.velocity_count());
  model.jacobian(frame, jacobian);
  std::vector<bool> chain;
  for (int k = 0; k < model.joint_count(); ++k) {
    chain.push_back(jacobian.col(FloatingModel::kBase + k).norm() > 0.0);
  }
  return chain;
}

std::vector<bool> without(std::vector<bool> chain, const std::vector<bool>& others) {
  for (std::size_t i = 0; i < chain.size(); ++i) chain[i] = chain[i] && !others[i];
  return chain;
}

std::vector<bool> with(std::vector<bool> chain, const std::vector<bool>& others) {
  for (std::size_t i = 0; i < chain.size(); ++i) chain[i] = chain[i] || others[i];
  return chain;
}

std::vector<int> numbers_of(const std::vector<bool>& chain) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (chain[i]) numbers.push_back(static_cast<int>(i));
  }
  return numbers;
}

constexpr HandManager::Space space_of(BodyTopic topic) noexcept {
  return topic == BodyTopic::kHand ? HandManager::Space::kTask : HandManager::Space::kJoint;
}

constexpr bool is_of_hand(BodyTopic topic) noexcept {
  return topic == BodyTopic::kHand || topic == BodyTopic::kArm;
}

/// A part's way home is a trajectory of one waypoint.
struct WayHome {
  WayHome(const GoHome& home, BodyTopic topic) {
    message.topic = topic;
    message.kind = CommandKind::kGoHome;
    message.hand = home.hand;
    message.id = home.id;
    message.rows_at = static_cast<std::uint8_t>(place_of<GoHome>("duration"));
    row[0] = home.duration;
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

constexpr std::array kNoTurn{1.0, 0.0, 0.0, 0.0};

}  // namespace

BodyManagers::BodyManagers(FloatingModel& model, const WholeBodyConfig& config,
                           std::span<const BodyFrame> feet, std::vector<JointRoom> room,
                           std::size_t first_task)
    : config_(config), room_(std::move(room)), feet_(feet.size()) {
  std::size_t task = first_task;
  std::vector<bool> trunk(static_cast<std::size_t>(model.joint_count()), false);
  std::vector<bool> legs = trunk;
  for (const BodyFrame& foot : feet) legs = with(legs, chain_to(model, foot));
  const auto part = [&](const std::string& frame) {
    if (frame.empty()) return Part{};
    return Part{true, model.find_frame(frame), {}, task++};
  };
  chest_ = part(config.chest);
  if (chest_.there) trunk = chain_to(model, chest_.frame);
  chest_.freed = numbers_of(trunk);
  head_ = part(config.head);
  if (head_.there) head_.freed = numbers_of(without(chain_to(model, head_.frame), trunk));
  pelvis_ = part(config.pelvis);
  pelvis_.freed = numbers_of(legs);
  for (const HandConfig& one : config.hands) {
    Hand hand;
    hand.frame = model.find_frame(one.frame);
    std::vector<bool> arm = without(chain_to(model, hand.frame), with(trunk, legs));
    for (const HandConfig& other : config.hands) {
      if (other.name == one.name) continue;
      arm = without(arm, chain_to(model, model.find_frame(other.frame)));
    }
    hand.joints = numbers_of(arm);
    hand.task = task++;
    if (hand.joints.size() > kMaxMessageJoints) {
      throw ModelError("the arm of hand \"" + one.name + "\" has " +
                       std::to_string(hand.joints.size()) + " joints, more than the " +
                       std::to_string(kMaxMessageJoints) + " of a message");
    }
    hands_.push_back(std::move(hand));
  }
  state_.hands.resize(hands_.size());
}

std::size_t BodyManagers::tasks_of(const WholeBodyConfig& config) noexcept {
  return config.hands.size() + (config.chest.empty() ? 0 : 1) + (config.head.empty() ? 0 : 1) +
         (config.pelvis.empty() ? 0 : 1);
}

std::vector<BodyManagers::Signal> BodyManagers::signals_of(const WholeBodyConfig& config) {
  std::vector<Signal> signals;
  if (!config.chest.empty()) signals.push_back({"chest_error", "rad"});
  if (!config.head.empty()) signals.push_back({"head_error", "rad"});
  if (!config.pelvis.empty()) {
    signals.push_back({"pelvis_error", "rad"});
    signals.push_back({"height_error", "m"});
    signals.push_back({"pelvis_height", "m"});
  }
  for (const HandConfig& hand : config.hands) {
    signals.push_back({hand.name + "_hand_error", "m"});
    signals.push_back({hand.name + "_hand_turn", "rad"});
    signals.push_back({hand.name + "_arm_error", "rad"});
  }
  return signals;
}

void BodyManagers::begin(FloatingModel& model, const Stance& stance,
                         MessageNotices& notices) noexcept {
  state_.stance = stance;
  state_.stands = true;
  if (chest_.there) state_.chest.begin(model, chest_.frame, true, notices);
  if (head_.there) state_.head.begin(model, head_.frame, false, notices);
  if (pelvis_.there) {
    state_.pelvis.begin(model, pelvis_.frame, false, notices);
    state_.height.leave(notices);
    state_.start_height = height_now(model).x[0];
  }
  for (std::size_t i = 0; i < hands_.size(); ++i) {
    state_.hands[i].begin(model, hands_[i], notices);
  }
}

void BodyManagers::leave(MessageNotices& notices) noexcept {
  if (!state_.stands) return;
  state_.stands = false;
  for (MessageQueue* queue :
       {&state_.chest.queue, &state_.head.queue, &state_.pelvis.queue, &state_.height}) {
    queue->leave(notices);
  }
  for (HandManager& hand : state_.hands) hand.leave(notices);
}

const BodyManagers::Part& BodyManagers::part_of(BodyTopic topic) const noexcept {
  if (topic == BodyTopic::kChest) return chest_;
  return topic == BodyTopic::kHead ? head_ : pelvis_;
}

const TurningManager& BodyManagers::turning(BodyTopic topic) const noexcept {
  if (topic == BodyTopic::kChest) return state_.chest;
  return topic == BodyTopic::kHead ? state_.head : state_.pelvis;
}

bool BodyManagers::has(const PathMessage& message) const noexcept {
  if (is_of_hand(message.topic)) return message.hand < hands_.size();
  return part_of(message.topic).there;
}

BodyPoint BodyManagers::height_now(const FloatingModel& model) const noexcept {
  BodyPoint point;
  point.x[0] = model.position(pelvis_.frame).z() - state_.stance.origin.z();
  return point;
}

PathRules BodyManagers::rules_of(const PathMessage& message) const noexcept {
  PathRules rules;
  rules.turn_speed = config_.message_turn_speed;
  rules.place_speed = config_.message_speed;
  rules.turns = message.topic != BodyTopic::kArm && message.topic != BodyTopic::kHeight;
  if (message.topic == BodyTopic::kHand) {
    rules.coordinates = 3;
    rules.is_place = true;
    rules.low.setConstant(-kLargestPlace);
    rules.high.setConstant(kLargestPlace);
  } else if (message.topic == BodyTopic::kHeight) {
    rules.coordinates = 1;
    rules.is_place = true;
    rules.low[0] = kHeightRange[0] * state_.start_height;
    rules.high[0] = kHeightRange[1] * state_.start_height;
  } else if (message.topic == BodyTopic::kArm) {
    const std::vector<int>& joints = hands_[message.hand].joints;
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
  if (is_of_hand(message.topic)) {
    const HandManager& hand = state_.hands[message.hand];
    const HandManager::Space space = space_of(message.topic);
    target.last_id = hand.last_id(space);
    target.full = hand.full(space);
    target.start = hand.start(model, hands_[message.hand], state_.stance, space, message.execution);
    return target;
  }
  const bool is_height = message.topic == BodyTopic::kHeight;
  const MessageQueue& queue = is_height ? state_.height : turning(message.topic).queue;
  target.last_id = queue.last_id();
  target.full = queue.full();
  if (queue.active()) {
    target.start = is_queued ? queue.end() : queue.now();
  } else if (is_height) {
    target.start = height_now(model);
  } else {
    target.start =
        turning(message.topic).present(model, part_of(message.topic).frame, state_.stance);
  }
  return target;
}

MessageFault BodyManagers::read(FloatingModel& model, const PathMessage& message,
                                BodyPath& path) const noexcept {
  if (message.id == 0) return {RejectReason::kNoId};
  if (!has(message)) {
    return {RejectReason::kNoSuchPart, static_cast<double>(message.hand),
            static_cast<double>(hands_.size())};
  }
  if (!state_.stands) return {RejectReason::kNotStanding};
  const Target target = target_of(model, message);
  if (message.execution == Execution::kQueue) {
    if (message.previous != target.last_id) {
      return {RejectReason::kWrongPrevious, static_cast<double>(message.previous),
              static_cast<double>(target.last_id), message.rows_at};
    }
    if (target.full) {
      return {RejectReason::kQueueFull, static_cast<double>(MessageQueue::kMost),
              static_cast<double>(MessageQueue::kMost)};
    }
  }
  return make_path(message, target.rules, target.start, path);
}

MessageFault BodyManagers::check(FloatingModel& model, const PathMessage& message) const noexcept {
  BodyPath path;
  return read(model, message, path);
}

MessageFault BodyManagers::check(FloatingModel& model, const GoHome& message) const noexcept {
  switch (message.part) {
    case HomePart::kArm: {
      WayHome arm(message, BodyTopic::kArm);
      if (!has(arm.message)) return check(model, arm.message);
      const HandManager& hand = state_.hands[message.hand];
      return check(model, arm.to({hand.home().data(), hands_[message.hand].joints.size()}));
    }
    case HomePart::kChest:
      return check(model, WayHome(message, BodyTopic::kChest).to(kNoTurn));
    case HomePart::kPelvis:
      break;
  }
  if (const MessageFault f = check(model, WayHome(message, BodyTopic::kPelvis).to(kNoTurn))) {
    return f;
  }
  const std::array height{state_.start_height};
  return check(model, WayHome(message, BodyTopic::kHeight).to(height));
}

MessageFault BodyManagers::check(const StopAllTrajectories& message) const noexcept {
  if (message.id == 0) return {RejectReason::kNoId};
  return {state_.stands ? RejectReason::kNone : RejectReason::kNotStanding};
}

MessageFault BodyManagers::check(const FootstepList& message) const noexcept {
  if (message.id == 0) return {RejectReason::kNoId};
  return check_steps(message, feet_);
}

MessageFault BodyManagers::check(const PauseWalking& message) const noexcept {
  return {message.id == 0 ? RejectReason::kNoId : RejectReason::kNotWalking};
}

void BodyManagers::take(FloatingModel& model, const PathMessage& message,
                        MessageNotices& notices) noexcept {
  BodyPath path;
  if (read(model, message, path)) return;
  if (is_of_hand(message.topic)) {
    state_.hands[message.hand].take(space_of(message.topic), message.execution, message.id,
                                    message.kind, path, notices);
    return;
  }
  const bool is_height = message.topic == BodyTopic::kHeight;
  // The legs can't move the pelvis to a height while the posture turns it.
  if (is_height) state_.pelvis.take_hold(model, pelvis_.frame, state_.stance, notices);
  TurningManager& turned = message.topic == BodyTopic::kChest  ? state_.chest
                           : message.topic == BodyTopic::kHead ? state_.head
                                                               : state_.pelvis;
  MessageQueue& queue = is_height ? state_.height : turned.queue;
  if (message.execution == Execution::kQueue && queue.active()) {
    queue.add(message.id, message.kind, path);
  } else {
    queue.replace(message.id, message.kind, path, notices);
  }
}

void BodyManagers::take(FloatingModel& model, const GoHome& message,
                        MessageNotices& notices) noexcept {
  if (message.part == HomePart::kArm) {
    const HandManager& hand = state_.hands[message.hand];
    WayHome way(message, BodyTopic::kArm);
    take(model, way.to({hand.home().data(), hands_[message.hand].joints.size()}), notices);
    return;
  }
  const bool is_chest = message.part == HomePart::kChest;
  const BodyTopic topic = is_chest ? BodyTopic::kChest : BodyTopic::kPelvis;
  take(model, WayHome(message, topic).to(kNoTurn), notices);
  const std::array height{state_.start_height};
  if (!is_chest) take(model, WayHome(message, BodyTopic::kHeight).to(height), notices);
}

void BodyManagers::take(const StopAllTrajectories& /*message*/, MessageNotices& notices) noexcept {
  for (MessageQueue* queue :
       {&state_.chest.queue, &state_.head.queue, &state_.pelvis.queue, &state_.height}) {
    if (queue->moved()) queue->hold(notices);
  }
  for (HandManager& hand : state_.hands) hand.hold(notices);
}

void BodyManagers::advance(double dt, MessageNotices& notices) noexcept {
  for (MessageQueue* queue :
       {&state_.chest.queue, &state_.head.queue, &state_.pelvis.queue, &state_.height}) {
    queue->advance(dt, notices);
  }
  for (HandManager& hand : state_.hands) hand.advance(dt, notices);
}

/// Joints that a message moves otherwise: their posture is where they are, with a weight that
/// settles no more than what the messages leave open. With the whole weight the legs' damping alone
/// would hold the pelvis back: 40 mm on a way of 85 mm in 2 s.
void BodyManagers::leave_to(const FloatingModel& model, std::span<const int> joints,
                            WholeBodyCommand& command) const noexcept {
  for (const int joint : joints) {
    command.privileged.acceleration[joint] =
        -config_.posture_damping * model.velocity()[FloatingModel::kBase + joint];
    command.privileged.weights[joint] = kFreedShare * config_.posture_weight;
  }
}

void BodyManagers::want_turned(FloatingModel& model, const Part& part,
                               const TurningManager& manager,
                               WholeBodyCommand& command) const noexcept {
  SpatialTask& task = command.spatial[part.task];
  task.on = part.there && manager.queue.active();
  if (!task.on) return;
  task.frame = part.frame;
  task.axes = {false, false, false, true, true, true};
  task.weights.setConstant(config_.upright_weight);
  task.acceleration = towards(model, part.frame, manager.goal(state_.stance), {},
                              {config_.upright_stiffness, config_.upright_damping});
  if (manager.queue.moved()) leave_to(model, part.freed, command);
}

void BodyManagers::want_hand(FloatingModel& model, std::size_t i,
                             WholeBodyCommand& command) const noexcept {
  const HandManager& manager = state_.hands[i];
  const Hand& hand = hands_[i];
  SpatialTask& task = command.spatial[hand.task];
  task.on = manager.space() == HandManager::Space::kTask;
  if (task.on) {
    const FeedbackGains gains{config_.hand_stiffness, config_.hand_damping};
    task.frame = hand.frame;
    task.axes = kSixAxes;
    task.weights.setConstant(config_.hand_weight);
    task.acceleration = towards(model, hand.frame, manager.goal(state_.stance), gains, gains);
  }
  const bool is_jointwise = manager.space() == HandManager::Space::kJoint;
  const BodyPoint& wanted = manager.queue().now();
  for (std::size_t k = 0; k < hand.joints.size(); ++k) {
    const int joint = hand.joints[k];
    command.joints.weights[joint] = is_jointwise ? config_.arm_weight : 0.0;
    command.privileged.weights[joint] = is_jointwise ? 0.0 : config_.posture_weight;
    if (!is_jointwise) continue;
    command.joints.on = true;
    const auto at = static_cast<Eigen::Index>(k);
    command.joints.acceleration[joint] =
        wanted.a[at] +
        config_.arm_stiffness * (wanted.x[at] - model.q()[static_cast<std::size_t>(joint)]) +
        config_.arm_damping * (wanted.v[at] - model.velocity()[FloatingModel::kBase + joint]);
  }
  if (task.on) leave_to(model, hand.joints, command);
}

void BodyManagers::want(FloatingModel& model, WholeBodyCommand& command) const noexcept {
  command.privileged.weights.setConstant(config_.posture_weight);
  if (chest_.there) want_turned(model, chest_, state_.chest, command);
  if (head_.there) want_turned(model, head_, state_.head, command);
  if (pelvis_.there) want_turned(model, pelvis_, state_.pelvis, command);
  const bool has_height = pelvis_.there && state_.height.active();
  command.momentum.axes[2] = !has_height;
  if (has_height) {
    SpatialTask& task = command.spatial[pelvis_.task];
    const BodyPoint& wanted = state_.height.now();
    task.axes[2] = true;
    task.weights[2] = config_.height_weight;
    task.acceleration[2] = wanted.a[0] +
                           config_.height_stiffness * (wanted.x[0] - height_now(model).x[0]) +
                           config_.height_damping * (wanted.v[0] - model.twist(pelvis_.frame)[2]);
    leave_to(model, pelvis_.freed, command);
  }
  command.joints.on = false;
  for (std::size_t i = 0; i < hands_.size(); ++i) want_hand(model, i, command);
}

void BodyManagers::show(const FloatingModel& model, std::span<double> signals) const noexcept {
  std::size_t next = 0;
  const auto put = [&](double value) { signals[next++] = value; };
  if (chest_.there) put(state_.chest.error(model, chest_.frame, state_.stance));
  if (head_.there) put(state_.head.error(model, head_.frame, state_.stance));
  if (pelvis_.there) {
    const double height = height_now(model).x[0];
    put(state_.pelvis.error(model, pelvis_.frame, state_.stance));
    put(state_.height.active() ? state_.height.now().x[0] - height : 0.0);
    put(height);
  }
  for (std::size_t i = 0; i < hands_.size(); ++i) {
    const HandManager& hand = state_.hands[i];
    const FrameGoal goal = hand.goal(state_.stance);
    const bool is_task = hand.space() == HandManager::Space::kTask;
    put(is_task ? (goal.position - model.position(hands_[i].frame)).norm() : 0.0);
    put(is_task ? turn_between(model.rotation(hands_[i].frame), goal.rotation).norm() : 0.0);
    double most = 0.0;
    for (std::size_t k = 0; k < hands_[i].joints.size(); ++k) {
      const double q = model.q()[static_cast<std::size_t>(hands_[i].joints[k])];
      most = std::max(most, std::abs(hand.queue().now().x[static_cast<Eigen::Index>(k)] - q));
    }
    put(hand.space() == HandManager::Space::kJoint ? most : 0.0);
  }
}

}  // namespace jointrig
