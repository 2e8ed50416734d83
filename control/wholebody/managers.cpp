#include "control/wholebody/managers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace jointrig {
namespace {

constexpr double kFreedShare = 0.01;  ///< of posture_weight, on joints that messages move: a choice

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

}  // namespace

BodyManagers::BodyManagers(FloatingModel& model, const WholeBodyConfig& config,
                           std::vector<ContactSetup> feet, std::vector<JointRoom> room,
                           std::size_t first_task)
    : config_(config), room_(std::move(room)) {
  std::size_t task = first_task;
  std::vector<bool> trunk(static_cast<std::size_t>(model.joint_count()), false);
  std::vector<bool> legs = trunk;
  for (const ContactSetup& foot : feet) legs = with(legs, chain_to(model, foot.frame));
  const auto part = [&](const std::string& frame) {
    if (frame.empty()) return Part{};
    return Part{true, model.find_frame(frame), {}, task++};
  };
  chest_ = part(config.chest);
  if (chest_.there) trunk = chain_to(model, chest_.frame);
  chest_.freed = numbers_of(trunk);
  head_ = part(config.head);
  if (head_.there) {
    head_.freed = numbers_of(without(chain_to(model, head_.frame), trunk));
    neck_.frame = head_.frame;
    if (head_.freed.size() <= kMaxMessageJoints) neck_.joints = head_.freed;
  }
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
    for (const FingerConfig& finger : one.fingers) {
      hand.fingers.joints.push_back(model.find_joint(finger.joint));
    }
    if (hand.fingers.joints.size() > kMaxMessageJoints) {
      throw ModelError("the fingers of hand \"" + one.name + "\" have " +
                       std::to_string(hand.fingers.joints.size()) + " joints, more than the " +
                       std::to_string(kMaxMessageJoints) + " of a message");
    }
    hand.fingers.frame = hand.frame;
    hand.open.setZero(static_cast<Eigen::Index>(one.fingers.size()));
    hand.closed = hand.open;
    for (std::size_t k = 0; k < one.fingers.size(); ++k) {
      hand.open[static_cast<Eigen::Index>(k)] = one.fingers[k].open;
      hand.closed[static_cast<Eigen::Index>(k)] = one.fingers[k].closed;
    }
    hands_.push_back(std::move(hand));
  }
  const Stance stance = stance_of(model, feet);
  home_.q = Eigen::Map<const Eigen::VectorXd>(model.q().data(), model.joint_count());
  if (chest_.there) home_.chest = stance.axes.transpose() * model.rotation(chest_.frame);
  if (pelvis_.there) {
    home_.pelvis = stance.axes.transpose() * model.rotation(pelvis_.frame);
    home_.place = stance.axes.transpose() * (model.position(pelvis_.frame) - stance.origin);
  }
  for (ContactSetup& sole : feet) {
    std::vector<bool> leg = chain_to(model, sole.frame);
    for (const ContactSetup& other : feet) {
      if (other.name != sole.name) leg = without(leg, chain_to(model, other.frame));
    }
    feet_.push_back({sole, {sole.frame, numbers_of(leg)}, task++});
  }
  state_.hands.resize(hands_.size());
  state_.fingers.resize(hands_.size());
  state_.bearing.resize(hands_.size());
  state_.feet.resize(feet_.size());
}

std::size_t BodyManagers::tasks_of(const WholeBodyConfig& config) noexcept {
  return config.hands.size() + config.feet.size() + (config.chest.empty() ? 0 : 1) +
         (config.head.empty() ? 0 : 1) + (config.pelvis.empty() ? 0 : 1);
}

std::vector<BodySignalWords> BodyManagers::signals_of(const WholeBodyConfig& config) {
  std::vector<BodySignalWords> words;
  const std::string off = "how far it is off, without direction; 0: nothing is wanted";
  if (!config.chest.empty()) words.push_back({"chest_error", "rad", off});
  if (!config.head.empty()) words.push_back({"head_error", "rad", off});
  if (!config.pelvis.empty()) {
    words.push_back({"pelvis_error", "rad", off});
    words.push_back({"height_error", "m", "wanted height of the pelvis less its height"});
    words.push_back({"pelvis_height", "m", "above the soles"});
    words.push_back({"place_error", "m", off});
  }
  for (const HandConfig& hand : config.hands) {
    words.push_back({hand.name + "_hand_error", "m", off});
    words.push_back({hand.name + "_hand_turn", "rad", off});
    words.push_back({hand.name + "_arm_error", "rad", "the largest of its joints, by messages"});
    words.push_back({hand.name + "_hand_force", "N", "along the normal, of the solution"});
  }
  for (const FootConfig& foot : config.feet) {
    words.push_back({foot.name + "_foot_error", "m", "of a foot in the air"});
  }
  return words;
}

void BodyManagers::begin(FloatingModel& model, const Stance& stance,
                         MessageNotices& notices) noexcept {
  state_.stance = stance;
  state_.stands = true;
  if (chest_.there) state_.chest.begin(model, chest_.frame, true, notices);
  if (head_.there) state_.head.begin(model, head_.frame, false, notices);
  state_.neck.leave(notices);
  if (pelvis_.there) {
    state_.pelvis.begin(model, pelvis_.frame, false, notices);
    state_.height.leave(notices);
    state_.place.leave(notices);
  }
  for (std::size_t i = 0; i < hands_.size(); ++i) {
    state_.hands[i].leave(notices);
    state_.fingers[i].leave(notices);
    state_.bearing[i].leave(notices);
  }
  for (const PointFrame one : kAllPointFrame) {
    const BodyFrame* frame = frame_called(one);
    Eigen::Matrix3d& started = state_.started[static_cast<std::size_t>(one)];
    started = frame != nullptr ? model.rotation(*frame) : Eigen::Matrix3d::Identity();
  }
  for (FootManager& foot : state_.feet) foot.begin(notices);
  state_.force.fill(0.0);
}

void BodyManagers::leave(MessageNotices& notices) noexcept {
  if (!state_.stands) return;
  state_.stands = false;
  for (MessageQueue* queue : {&state_.chest.queue, &state_.head.queue, &state_.pelvis.queue,
                              &state_.height, &state_.place}) {
    queue->leave(notices);
  }
  state_.neck.leave(notices);
  for (HandManager& hand : state_.hands) hand.leave(notices);
  for (HandManager& hand : state_.fingers) hand.leave(notices);
  for (HandBearing& hand : state_.bearing) hand.leave(notices);
  for (FootManager& foot : state_.feet) foot.begin(notices);
}

BodyPoint BodyManagers::height_now(const FloatingModel& model) const noexcept {
  BodyPoint point;
  point.x[0] = model.position(pelvis_.frame).z() - state_.stance.origin.z();
  return point;
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

Eigen::Matrix3d BodyManagers::axes_of(const FloatingModel& model, TaskFrame frame,
                                      const BodyFrame& own) const noexcept {
  switch (frame) {
    case TaskFrame::kStance:
      break;
    case TaskFrame::kPelvis:
      return model.rotation(pelvis_.frame);
    case TaskFrame::kChest:
      return model.rotation(chest_.frame);
    case TaskFrame::kHead:
      return model.rotation(head_.frame);
    case TaskFrame::kOwn:
      return model.rotation(own);
  }
  return state_.stance.axes;
}

/// Axes and weights of a task as its message wants them, of those that the task has.
/// @param weight  that of robot.yaml
void BodyManagers::choose(const FloatingModel& model, const TaskChoice& choice, double weight,
                          SpatialTask& task) const noexcept {
  task.weights.setConstant(weight);
  task.is_turned = choice != TaskChoice{};
  if (!task.is_turned) return;
  task.angular_axes = axes_of(model, choice.frame, task.frame);
  task.linear_axes = task.angular_axes;
  for (std::size_t i = 0; i < 6; ++i) {
    task.axes[i] = task.axes[i] && !choice.left_out[i];
    const double own = choice.weights[i];
    if (own > 0.0) task.weights[static_cast<Eigen::Index>(i)] = own;
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
  choose(model, manager.queue.choice(), config_.upright_weight, task);
  // The height of the pelvis is along the world's z.
  task.linear_axes.setIdentity();
  task.acceleration = towards(model, part.frame, manager.goal(state_.stance), {},
                              {config_.upright_stiffness, config_.upright_damping});
  if (manager.queue.moved()) leave_to(model, part.freed, command);
}

/// The joints of an arm or of the neck, where messages move them one by one.
void BodyManagers::want_joints(const FloatingModel& model, const HandManager& manager,
                               const HandSetup& limb, WholeBodyCommand& command) const noexcept {
  const bool is_accelerated = manager.space() == HandManager::Space::kAcceleration;
  const bool is_moved = is_accelerated || manager.space() == HandManager::Space::kJoint;
  const BodyPoint& wanted = manager.queue().now();
  const double own_weight = is_accelerated ? 0.0 : manager.queue().choice().weights[0];
  const double weight = own_weight > 0.0 ? own_weight : config_.arm_weight;
  for (std::size_t k = 0; k < limb.joints.size(); ++k) {
    const int joint = limb.joints[k];
    command.joints.weights[joint] = is_moved ? weight : 0.0;
    if (!is_moved) continue;
    command.privileged.weights[joint] = 0.0;
    command.joints.on = true;
    const auto at = static_cast<Eigen::Index>(k);
    if (is_accelerated) {
      command.joints.acceleration[joint] = manager.accelerations()[at];
      continue;
    }
    command.joints.acceleration[joint] =
        wanted.a[at] +
        config_.arm_stiffness * (wanted.x[at] - model.q()[static_cast<std::size_t>(joint)]) +
        config_.arm_damping * (wanted.v[at] - model.velocity()[FloatingModel::kBase + joint]);
  }
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
    choose(model, manager.queue().choice(), config_.hand_weight, task);
    task.weights *= state_.bearing[i].firmness();
    task.acceleration = towards(model, hand.frame, manager.goal(state_.stance), gains, gains);
  }
  for (const int joint : hand.joints) command.privileged.weights[joint] = config_.posture_weight;
  want_joints(model, manager, hand, command);
  want_joints(model, state_.fingers[i], hand.fingers, command);
  if (task.on) leave_to(model, hand.joints, command);
  want_bearing(model, i, command);
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
    const double own_weight = state_.height.choice().weights[0];
    task.weights[2] = own_weight > 0.0 ? own_weight : config_.height_weight;
    task.acceleration[2] = wanted.a[0] +
                           config_.height_stiffness * (wanted.x[0] - height_now(model).x[0]) +
                           config_.height_damping * (wanted.v[0] - model.twist(pelvis_.frame)[2]);
    leave_to(model, pelvis_.freed, command);
  }
  if (pelvis_.there && state_.place.active()) want_place(model, command);
  command.joints.on = false;
  want_joints(model, state_.neck, neck_, command);
  for (std::size_t i = 0; i < hands_.size(); ++i) want_hand(model, i, command);
  for (std::size_t i = 0; i < feet_.size(); ++i) want_foot(model, i, command);
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
    const bool is_led = state_.place.active();
    put(is_led ? (lead_of(model).pelvis - place_now(model).x.head<2>()).norm() : 0.0);
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
    put(state_.bearing[i].on() ? state_.force[feet_.size() + i] : 0.0);
  }
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    const FootManager& foot = state_.feet[i];
    const Eigen::Vector3d wanted =
        state_.stance.origin + state_.stance.axes * foot.queue().now().x.head<3>();
    put(foot.is_on_ground() ? 0.0 : (wanted - model.position(feet_[i].leg.frame)).norm());
  }
}

void BodyManagers::restore(const State& state) { state_ = state; }

}  // namespace jointrig
