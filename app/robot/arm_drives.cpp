#include "app/robot/arm_drives.h"

#include <algorithm>

namespace jointrig {
namespace {

/// Times of a twist without an end: choices.
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

/// All joints of the robot, where they are commanded to be.
std::vector<double> commanded(const Snapshot& now) {
  std::vector<double> q;
  for (const JointSnapshot& joint : now.joints) {
    q.push_back(follows_position(joint.mode) ? joint.reference.q : joint.state.q);
  }
  return q;
}

}  // namespace

// Begin and end -----------------------------------------------------------------------------------

ArmDrives::Driven& ArmDrives::driven_by_loop(ArmIndex arm) {
  const auto found = std::find_if(driven_.begin(), driven_.end(), [&](const Driven& driven) {
    return driven.arm == arm && driven.twist && !driven.drive;
  });
  return found != driven_.end() ? *found : driven_.emplace_back();
}

void ArmDrives::drive(const Asked& asked, const std::vector<JointIndex>& joints) {
  Driven& driven = driven_by_loop(asked.command.arm);
  driven.arm = asked.command.arm;
  driven.twist = asked.command;
  driven.joints = joints;
  driven.set = set_of(joints);
  driven.until = asked.until;
  driven.again.reset();
}

void ArmDrives::follow(const Asked& asked, const Place& place,
                       std::unique_ptr<CartesianDrive> drive,
                       const std::vector<JointIndex>& joints) {
  Driven& driven = driven_.emplace_back();
  driven.arm = asked.command.arm;
  driven.twist = asked.command;
  driven.drive = std::move(drive);
  driven.place = place;
  driven.joints = joints;
  driven.set = set_of(joints);
  driven.until = asked.until;
}

bool ArmDrives::change(const Asked& asked, const Place& place) {
  for (Driven& driven : driven_) {
    if (driven.arm != asked.command.arm || !driven.drive || driven.is_ending) continue;
    driven.twist = asked.command;
    driven.until = asked.until;
    const bool has_other_limits = place.limits != driven.place.limits;
    driven.place = place;
    if (!has_other_limits) return true;
    CartesianDrive& drive = *driven.drive;
    for (std::size_t i = 0; i < driven.joints.size(); ++i) {
      drive.set_limits(i, place.limits->joints[driven.joints[i]].limits);
    }
    const CartesianDrive::State from = drive.state();
    drive.start(from.whole, from.v);
    return true;
  }
  return false;
}

void ArmDrives::push(ArmIndex arm, const std::vector<JointIndex>& joints,
                     std::optional<TimeNs> until) {
  Driven& driven = driven_.emplace_back();
  driven.arm = arm;
  driven.joints = joints;
  driven.set = set_of(joints);
  driven.until = until;
}

std::vector<ArmDrives::Asked> ArmDrives::in_loop(const Snapshot& now) const {
  std::vector<Asked> asked;
  for (const Driven& driven : driven_) {
    if (!driven.twist || driven.drive) continue;
    const bool has_ended = driven.again && !now.arms[driven.arm].drive.is_on;
    if (!has_ended) asked.push_back({*driven.twist, driven.until});
  }
  return asked;
}

bool ArmDrives::is_in_loop(ArmIndex arm) const {
  return std::any_of(driven_.begin(), driven_.end(), [&](const Driven& driven) {
    return driven.arm == arm && driven.twist && !driven.drive;
  });
}

bool ArmDrives::any_together_here() const {
  return std::any_of(driven_.begin(), driven_.end(),
                     [](const Driven& driven) { return driven.drive && driven.twist->together; });
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

// A cycle -----------------------------------------------------------------------------------------

/// A twist of nothing that has no end is over at once: the tool brakes.
bool ArmDrives::Driven::is_over(TimeNs time) const {
  if (until) return time > *until;
  return twist && twist->velocity == Six{};
}

Request ArmDrives::Driven::sample() const {
  StreamTrajectory command;
  command.joints = set;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    command.values.push_back({drive->q()[i], drive->v()[i], drive->a()[i]});
  }
  return command;
}

void ArmDrives::send_twist(Driven& driven, TimeNs time, const Snapshot& now,
                           std::vector<Request>& commands) {
  const bool is_late = driven.until && time > *driven.until;
  if (driven.again) {  // the loop ends it by itself, and whatever takes its joints does
    driven.is_ending = !now.arms[driven.arm].drive.is_on;
  } else {
    driven.is_ending = is_late;
  }
  if (driven.is_ending || is_late || !are_in(JointMode::kPosition, driven.joints, now)) return;
  if (driven.again && time < *driven.again) return;
  DriveTool& command = *driven.twist;
  const double left = driven.until ? to_seconds(*driven.until - time) : kAlive;
  command.duration = std::max(left, to_seconds(1));
  const bool is_endless = !driven.until && !driven.is_over(time);
  driven.again = is_endless ? time + kRepeat : kNever;
  commands.emplace_back(command);
}

/// The drives here go on by a cycle. Until its joints take samples a drive stands.
void ArmDrives::advance(TimeNs time, const Snapshot& now, double dt) {
  std::vector<DriveTurn> turns;
  std::vector<Driven*> moved;
  std::vector<double> q;
  for (Driven& driven : driven_) {
    if (!driven.drive || !are_in(JointMode::kPositionDirect, driven.joints, now)) continue;
    if (q.empty()) q = commanded(now);
    driven.drive->carry(q);
    const double share = driven.is_over(time) ? 0.0 : now.speed_override;
    turns.push_back(turn_for(*driven.drive, *driven.twist, driven.place.base, share));
    moved.push_back(&driven);
  }
  look_together(turns, dt);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    turns[i].drive->go(dt);
    moved[i]->share = turns[i].drive->share_of(turns[i].wish);
  }
}

std::vector<Request> ArmDrives::commands_at(TimeNs time, const Snapshot& now, double dt) {
  std::vector<Request> commands;
  advance(time, now, dt);
  for (Driven& driven : driven_) {
    if (driven.drive) {
      driven.is_ending = driven.is_over(time) && driven.drive->is_at_rest();
      commands.push_back(driven.is_ending ? Request{Stop{.joints = driven.set}} : driven.sample());
    } else if (driven.twist) {
      send_twist(driven, time, now, commands);
    } else if (driven.is_over(time)) {
      driven.is_ending = true;
      commands.push_back(end_of_force(driven.arm));
      commands.emplace_back(SetMode{.joints = driven.set, .mode = ModeRequest::kPosition});
    }
  }
  std::erase_if(driven_, [](const Driven& driven) { return driven.is_ending; });
  return commands;
}

// Status ------------------------------------------------------------------------------------------

bool ArmDrives::is_busy(const JointSet& joints) const {
  return std::any_of(driven_.begin(), driven_.end(),
                     [&](const Driven& driven) { return (driven.set & joints).any(); });
}

std::optional<JointIndex> ArmDrives::endless() const {
  for (const Driven& driven : driven_) {
    const bool brakes = driven.twist && driven.twist->velocity == Six{};
    if (!driven.until && !brakes) return driven.joints.front();
  }
  return std::nullopt;
}

double ArmDrives::progress(ArmIndex arm, const Snapshot& now) const {
  for (const Driven& driven : driven_) {
    if (driven.arm == arm && driven.drive) return driven.share;
  }
  if (arm >= now.arms.size()) return 1.0;  // the program's own
  const DriveSnapshot& drive = now.arms[arm].drive;
  return drive.is_on ? drive.share : 1.0;
}

}  // namespace jointrig
