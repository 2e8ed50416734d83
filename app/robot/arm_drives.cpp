#include "app/robot/arm_drives.h"

#include <algorithm>

namespace jointrig {
namespace {

/// Of a twist without an end: choices.
constexpr double kAlive = 0.1;                        // s
constexpr TimeNs kRepeat = 20'000'000;                // ns
constexpr TimeNs kNever = 1'000'000'000'000'000'000;  // ns

JointSet set_of(const std::vector<JointIndex>& joints) {
  JointSet set;
  for (const JointIndex joint : joints) set.set(joint);
  return set;
}

bool are_in(JointMode mode, const std::vector<JointIndex>& joints, const Snapshot& now) {
  return std::all_of(joints.begin(), joints.end(),
                     [&](JointIndex joint) { return now.joints[joint].mode == mode; });
}

}  // namespace

void ArmDrives::drive(const DriveTool& command, const std::vector<JointIndex>& joints,
                      std::optional<TimeNs> until) {
  const auto found = std::find_if(driven_.begin(), driven_.end(), [&](const Driven& driven) {
    return driven.arm == command.arm && driven.twist;
  });
  Driven& driven = found != driven_.end() ? *found : driven_.emplace_back();
  driven.arm = command.arm;
  driven.twist = command;
  driven.joints = joints;
  driven.set = set_of(joints);
  driven.until = until;
  driven.again.reset();
}

bool ArmDrives::drives(ArmIndex arm) const {
  return std::any_of(driven_.begin(), driven_.end(),
                     [&](const Driven& driven) { return driven.arm == arm && driven.twist; });
}

void ArmDrives::push(ArmIndex arm, const std::vector<JointIndex>& joints,
                     std::optional<TimeNs> until) {
  Driven& driven = driven_.emplace_back();
  driven.arm = arm;
  driven.joints = joints;
  driven.set = set_of(joints);
  driven.until = until;
}

Request ArmDrives::end_of_force(ArmIndex arm) {
  SetInteractionControl end;
  end.arm = arm;
  end.active = false;
  return end;
}

std::vector<Request> ArmDrives::clear(const JointSet& joints) {
  std::vector<Request> commands;
  std::erase_if(driven_, [&](const Driven& driven) {
    const bool is_meant = (driven.set & joints).any();
    if (is_meant && !driven.twist) commands.push_back(end_of_force(driven.arm));
    if (is_meant && driven.again) commands.emplace_back(Stop{.joints = driven.set});
    return is_meant;
  });
  return commands;
}

void ArmDrives::send_twist(Driven& driven, TimeNs time, const Snapshot& now,
                           std::vector<Request>& commands) {
  const bool is_over = driven.until && time > *driven.until;
  if (driven.again) {  // the loop ends it by itself, and whatever takes its joints does
    driven.is_ending = !now.arms[driven.arm].drive.is_on;
  } else {
    driven.is_ending = is_over;
  }
  if (driven.is_ending || is_over || !are_in(JointMode::kPosition, driven.joints, now)) return;
  if (driven.again && time < *driven.again) return;
  DriveTool& command = *driven.twist;
  const double left = driven.until ? to_seconds(*driven.until - time) : kAlive;
  command.duration = std::max(left, to_seconds(1));
  driven.again = driven.until ? kNever : time + kRepeat;
  commands.emplace_back(command);
}

std::vector<Request> ArmDrives::commands_at(TimeNs time, const Snapshot& now) {
  std::vector<Request> commands;
  for (Driven& driven : driven_) {
    if (driven.twist) {
      send_twist(driven, time, now, commands);
      continue;
    }
    if (!driven.until || time <= *driven.until) continue;
    driven.is_ending = true;
    commands.push_back(end_of_force(driven.arm));
    commands.emplace_back(SetMode{.joints = driven.set, .mode = ModeRequest::kPosition});
  }
  std::erase_if(driven_, [](const Driven& driven) { return driven.is_ending; });
  return commands;
}

bool ArmDrives::is_busy(const JointSet& joints) const {
  return std::any_of(driven_.begin(), driven_.end(),
                     [&](const Driven& driven) { return (driven.set & joints).any(); });
}

std::optional<JointIndex> ArmDrives::endless(const Snapshot& now) const {
  for (const Driven& driven : driven_) {
    const bool stands =
        driven.twist && driven.twist->velocity == Six{} && now.arms[driven.arm].drive.had == Six{};
    if (!driven.until && !stands) return driven.joints.front();
  }
  return std::nullopt;
}

}  // namespace jointrig
