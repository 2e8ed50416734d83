#include "control/stack/joint_targets.h"

#include <algorithm>
#include <cmath>

namespace jointrig {
namespace {

Refusal as_refusal(const OnlineMotion::Draft& draft, JointIndex joint) noexcept {
  if (draft.is_kept()) return {};
  if (!draft.is_found) return {RejectReason::kUnsupported, joint, 0.0, 0.0};
  constexpr auto kPlace = static_cast<std::uint8_t>(place_of<SetJointTarget::Value>("goal") + 1);
  return {RejectReason::kOutOfRange, joint, draft.reach, draft.limit, kPlace};
}

}  // namespace

JointTargets::JointTargets(std::size_t joint_count)
    : draft_{.joints = std::vector<JointIndex>(joint_count),
             .wishes = std::vector<OnlineWish>(joint_count),
             .profiles = std::vector<JerkProfile>(joint_count),
             .ways = std::vector<double>(joint_count),
             .motions = std::vector<OnlineMotion*>(joint_count)} {}

Refusal JointTargets::examine(const SetJointTarget& command, ConstJoints joints) const noexcept {
  draft_.count = 0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (!command.joints.test(i)) continue;
    const std::size_t place = draft_.count++;
    const SetJointTarget::Value& value = command.values[place];
    const auto joint = static_cast<JointIndex>(i);
    const JointControl& control = joints.controls[i];
    if (const Refusal r = control.check_target(joints.setups[i], command, value, joint)) return r;
    draft_.joints[place] = joint;
    draft_.wishes[place] = control.wish_of(joints.setups[i], command, value);
  }
  if (command.synchronise == Synchronisation::kStraight) straighten(command, joints);
  for (std::size_t k = 0; k < draft_.count; ++k) {
    const JointIndex i = draft_.joints[k];
    const auto made =
        joints.controls[i].draft(joints.setups[i], draft_.wishes[k], 0.0, draft_.profiles[k]);
    if (const Refusal r = as_refusal(made, i)) return r;
  }
  if (command.synchronise != Synchronisation::kNone) synchronise(joints);
  return {};
}

/// Gives all bounds the same shares of the ways, the largest that each joint's own allow: from rest
/// all motions are the same but for their size. A velocity that is asked for stays.
void JointTargets::straighten(const SetJointTarget& command, ConstJoints joints) const noexcept {
  const bool is_velocity = command.target == TargetKind::kVelocity;
  TargetBounds shares{kNoBound, kNoBound, kNoBound};
  for (std::size_t k = 0; k < draft_.count; ++k) {
    const JointLimits& limits = joints.setups[draft_.joints[k]].config.limits;
    const JointReference& now = joints.controls[draft_.joints[k]].reference();
    const OnlineWish& wish = draft_.wishes[k];
    const double way = std::abs(is_velocity ? wish.target.v - now.v : wish.target.q - now.q);
    draft_.ways[k] = way;
    if (way < kNoWay) continue;
    shares.v = std::min(shares.v, std::min(wish.bounds.v, limits.v_max) / way);
    shares.a = std::min(shares.a, std::min(wish.bounds.a, limits.a_max) / way);
    shares.jerk = std::min(shares.jerk, wish.bounds.jerk / way);
  }
  for (std::size_t k = 0; k < draft_.count; ++k) {
    if (draft_.ways[k] < kNoWay) continue;
    OnlineWish& wish = draft_.wishes[k];
    const double v = std::max(shares.v * draft_.ways[k], std::abs(wish.target.v));
    if (!is_velocity) wish.bounds.v = v;
    wish.bounds.a = shares.a * draft_.ways[k];
    wish.bounds.jerk = shares.jerk * draft_.ways[k];
  }
}

void JointTargets::take(const SetJointTarget& command, std::uint64_t group,
                        Joints joints) noexcept {
  const bool is_together = command.synchronise != Synchronisation::kNone && draft_.count > 1;
  for (std::size_t k = 0; k < draft_.count; ++k) {
    const JointIndex i = draft_.joints[k];
    draft_.wishes[k].group = is_together ? group : 0;
    joints.controls[i].go_to_target(joints.setups[i], draft_.wishes[k], draft_.profiles[k]);
  }
}

/// At most two stretches of durations are impossible for each joint, so that it ends; a few rounds
/// are enough in practice.
void JointTargets::synchronise(ConstJoints joints) const noexcept {
  constexpr int kRounds = 5;
  double longest = 0.0;
  for (std::size_t k = 0; k < draft_.count; ++k) {
    longest = std::max(longest, draft_.profiles[k].duration());
  }
  for (int round = 0; round < kRounds; ++round) {
    const double needed = stretch(joints, longest);
    if (needed <= longest + kSameTime) return;
    longest = needed;
  }
}

/// Gives all motions this duration or the next longer one; returns the longest.
double JointTargets::stretch(ConstJoints joints, double duration) const noexcept {
  double longest = duration;
  for (std::size_t k = 0; k < draft_.count; ++k) {
    if (draft_.profiles[k].duration() >= duration - kSameTime) continue;
    const JointIndex i = draft_.joints[k];
    JerkProfile slower;
    const auto made =
        joints.controls[i].draft(joints.setups[i], draft_.wishes[k], duration, slower);
    if (!made.is_kept()) continue;
    draft_.profiles[k] = slower;
    longest = std::max(longest, slower.duration());
  }
  return longest;
}

void JointTargets::advance(Joints joints, double speed_override) noexcept {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    JointControl& control = joints.controls[i];
    const OnlineMotion* online = control.online();
    if (online == nullptr) continue;
    if (online->wish().group == 0) continue;  // it does so by itself
    if (online->is_outdated(speed_override, joints.setups[i].config.limits)) {
      for (std::size_t k = 0; k < joints.size(); ++k) {
        joints.controls[k].set_speed_override(speed_override);
      }
      replan(online->wish().group, joints);
    }
  }
  slow_down_given_up(joints);
}

/// A joint that has no motion of its own any more, or none within the limits, stops by itself.
void JointTargets::replan(std::uint64_t group, Joints joints) noexcept {
  draft_.count = 0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const OnlineMotion* online = joints.controls[i].online();
    if (online == nullptr || online->wish().group != group || online->comes_to_rest()) continue;
    const std::size_t place = draft_.count;
    const OnlineWish wish = online->wish();
    const auto made = joints.controls[i].draft(joints.setups[i], wish, 0.0, draft_.profiles[place]);
    if (!made.is_kept()) continue;
    draft_.joints[place] = static_cast<JointIndex>(i);
    draft_.wishes[place] = wish;
    ++draft_.count;
  }
  synchronise({joints.setups, joints.controls});
  for (std::size_t k = 0; k < draft_.count; ++k) {
    const JointIndex i = draft_.joints[k];
    joints.controls[i].go_to_target(joints.setups[i], draft_.wishes[k], draft_.profiles[k]);
  }
}

}  // namespace jointrig
