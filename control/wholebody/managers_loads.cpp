// Loads of feet and hands, and a foot in the air.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "control/wholebody/managers.h"
#include "control/wholebody/support_polygon.h"

namespace jointrig {
namespace {

constexpr double kShortestRamp = 0.1;      ///< of a load [s]: a choice
constexpr double kNormalTolerance = 1e-5;  ///< of a normal's length
constexpr double kLeastHeight = 0.05;      ///< of the centre of mass above the soles [m]: a choice

MessageFault out_of_range(std::size_t place, double value, double limit) noexcept {
  return {RejectReason::kOutOfRange, value, limit, static_cast<std::uint8_t>(1 + place)};
}

template <typename Message>
MessageFault check_ramp(const Message& message) noexcept {
  if (message.duration >= kShortestRamp) return {};
  return out_of_range(place_of<Message>("duration"), message.duration, kShortestRamp);
}

/// Axes whose z is a normal.
Eigen::Matrix3d axes_about(const Eigen::Vector3d& normal) noexcept {
  const Eigen::Vector3d aside =
      std::abs(normal.x()) < 0.9 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
  Eigen::Matrix3d axes;
  axes.col(2) = normal;
  axes.col(1) = normal.cross(aside).normalized();
  axes.col(0) = axes.col(1).cross(normal);
  return axes;
}

}  // namespace

/// @param foot  their number: none is left out
BodyManagers::Corners BodyManagers::corners_without(const FloatingModel& model,
                                                    std::size_t foot) const noexcept {
  Corners corners;
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    if (i == foot || state_.feet[i].phase() != FootManager::Phase::kBears) continue;
    const ContactSetup& sole = feet_[i].sole;
    for (const Eigen::Vector3d& point : sole.points) {
      const Eigen::Vector3d at = model.position(sole.frame) + model.rotation(sole.frame) * point;
      corners.at[corners.count++] = at.head<2>();
      corners.ground = at.z();
    }
  }
  return corners;
}

/// Way of the capture point c + ċ / ω from the edge of the soles that bear without one foot.
double BodyManagers::capture_inside_without(const FloatingModel& model,
                                            std::size_t foot) const noexcept {
  const Corners corners = corners_without(model, foot);
  const double height = std::max(model.com().z() - corners.ground, kLeastHeight);
  const double omega = std::sqrt(std::max(model.gravity().norm(), 1e-3) / height);
  return inside_by({corners.at.data(), corners.count},
                   model.com().head<2>() + model.com_velocity().head<2>() / omega);
}

/// Of the highest corner of a sole above the lowest of those that bear.
double BodyManagers::height_above_others(const FloatingModel& model,
                                         std::size_t foot) const noexcept {
  double ground = std::numeric_limits<double>::infinity();
  double highest = -ground;
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    const ContactSetup& sole = feet_[i].sole;
    for (const Eigen::Vector3d& point : sole.points) {
      const double z = model.position(sole.frame).z() + (model.rotation(sole.frame) * point).z();
      if (i == foot) highest = std::max(highest, z);
      if (i != foot && is_on_ground(i)) ground = std::min(ground, z);
    }
  }
  return highest - ground;
}

/// A hand or foot that bears a load is moved by no trajectory.
MessageFault BodyManagers::refused_by_load(BodyTopic topic, std::size_t hand) const noexcept {
  const bool is_foot = topic == BodyTopic::kFoot;
  if (is_foot && is_on_ground(hand)) return {RejectReason::kBearsLoad, state_.force[hand]};
  const bool is_hand = topic == BodyTopic::kHand || topic == BodyTopic::kArm;
  if (is_hand && state_.bearing[hand].on()) {
    return {RejectReason::kBearsLoad, state_.force[feet_.size() + hand]};
  }
  return {};
}

MessageFault BodyManagers::check(const FloatingModel& model,
                                 const FootLoadBearing& message) const noexcept {
  if (message.id == 0) return {RejectReason::kNoId};
  if (message.foot >= feet_.size()) {
    return {RejectReason::kNoSuchPart, static_cast<double>(message.foot),
            static_cast<double>(feet_.size())};
  }
  if (!state_.stands) return {RejectReason::kNotStanding};
  if (const MessageFault f = check_ramp(message)) return f;
  if (!message.bears && is_on_ground(message.foot)) {
    const double inside = capture_inside_without(model, message.foot);
    if (inside >= config_.lift_margin) return {};
    return {RejectReason::kBearsLoad, state_.force[message.foot], inside};
  }
  if (message.bears && !is_on_ground(message.foot)) {
    const double height = height_above_others(model, message.foot);
    if (height <= config_.touch_height) return {};
    return {RejectReason::kInTheAir, height, config_.touch_height};
  }
  return {};
}

MessageFault BodyManagers::check(const HandLoadBearing& message) const noexcept {
  using Message = HandLoadBearing;
  if (message.id == 0) return {RejectReason::kNoId};
  if (message.hand >= hands_.size() || !has_contact(message.hand)) {
    return {RejectReason::kNoSuchPart, static_cast<double>(message.hand),
            static_cast<double>(hands_.size())};
  }
  if (!state_.stands) return {RejectReason::kNotStanding};
  if (const MessageFault f = check_ramp(message)) return f;
  if (!message.bears) return {};
  const double most = config_.hand_force_max;
  if (message.force <= 0.0 || message.force > most) {
    return out_of_range(place_of<Message>("force"), message.force,
                        message.force <= 0.0 ? 0.0 : most);
  }
  const double length = Eigen::Vector3d(message.normal.data()).norm();
  if (std::abs(length - 1.0) <= kNormalTolerance) return {};
  return out_of_range(place_of<Message>("normal"), length, 1.0);
}

void BodyManagers::take(const FloatingModel& model, const FootLoadBearing& message,
                        MessageNotices& notices) noexcept {
  const double weight = model.mass() * model.gravity().norm();
  state_.feet[message.foot].take(message, state_.force[message.foot], weight, notices);
}

void BodyManagers::take(const HandLoadBearing& message, MessageNotices& notices) noexcept {
  if (message.bears) state_.hands[message.hand].leave(notices);
  state_.bearing[message.hand].take(message, notices);
}

void BodyManagers::advance(FloatingModel& model, const WholeBodySolution& solution, double dt,
                           MessageNotices& notices) noexcept {
  for (MessageQueue* queue :
       {&state_.chest.queue, &state_.head.queue, &state_.pelvis.queue, &state_.height}) {
    queue->advance(dt, notices);
  }
  const bool goes_home = state_.place.goes_home();
  state_.place.advance(dt, notices);
  // At home nothing leads it any more: the centre of mass goes above the middle of the soles.
  if (goes_home && state_.place.is_at_rest()) state_.place.leave(notices);
  state_.neck.advance(model, neck_, dt, config_.acceleration_timeout, notices);
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    const Eigen::Matrix3d axes = model.rotation(feet_[i].sole.frame);
    state_.force[i] = axes.col(2).dot(solution.contact_wrench[i].head<3>());
    state_.feet[i].advance(dt, frame_now(model, feet_[i].leg.frame, state_.stance), notices);
  }
  for (std::size_t i = 0; i < hands_.size(); ++i) {
    state_.hands[i].advance(model, hands_[i], dt, config_.acceleration_timeout, notices);
    state_.fingers[i].advance(model, hands_[i].fingers, dt, config_.acceleration_timeout, notices);
    if (!has_contact(i)) continue;
    const Eigen::Vector3d normal = state_.stance.axes * state_.bearing[i].normal();
    state_.force[feet_.size() + i] =
        normal.dot(solution.contact_wrench[feet_.size() + i].head<3>());
    if (!state_.bearing[i].advance(dt, notices)) continue;
    state_.hands[i].hold_here(frame_now(model, hands_[i].frame, state_.stance), notices);
  }
}

void BodyManagers::want_foot(FloatingModel& model, std::size_t i,
                             WholeBodyCommand& command) const noexcept {
  const FootManager& foot = state_.feet[i];
  const HandSetup& leg = feet_[i].leg;
  command.contacts[i].on = foot.is_on_ground();
  command.contacts[i].force_max = foot.force_max();
  const FeedbackGains gains{config_.swing_stiffness, config_.swing_damping};
  const SixNumbers pull =
      towards(model, leg.frame, goal_of(foot.queue().now(), state_.stance), gains, gains);
  const double left = foot.pull_left();
  command.contacts[i].acceleration =
      left * pull - (1.0 - left) * config_.foot_damping * model.twist(leg.frame);
  SpatialTask& task = command.spatial[feet_[i].task];
  task.on = !foot.is_on_ground();
  if (!task.on) return;
  task.frame = leg.frame;
  task.axes = kSixAxes;
  choose(model, foot.queue().choice(), config_.swing_weight, task);
  task.acceleration = pull;
  leave_to(model, leg.joints, command);
}

void BodyManagers::want_bearing(FloatingModel& model, std::size_t i,
                                WholeBodyCommand& command) const noexcept {
  if (!has_contact(i)) return;
  const HandBearing& hand = state_.bearing[i];
  ContactCommand& contact = command.contacts[feet_.size() + i];
  contact.on = hand.on();
  if (!contact.on) return;
  const Eigen::Vector3d normal = state_.stance.axes * hand.normal();
  contact.acceleration = -config_.foot_damping * model.twist(hands_[i].frame);
  contact.is_placed = true;
  contact.axes = axes_about(normal);
  contact.point = hand.point();
  contact.wrench.setZero();
  contact.wrench.head<3>() = hand.force() * normal;
  contact.wrench_weights.head<3>().setConstant(config_.bearing_weight);
  leave_to(model, hands_[i].joints, command);
}

}  // namespace jointrig
