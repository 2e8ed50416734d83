#include "app/robot/arm_drives.h"

#include <algorithm>

namespace jointrig {
namespace {

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

void ArmDrives::follow(ArmIndex arm, const Kind& kind, std::unique_ptr<CartesianDrive> drive,
                       const std::vector<JointIndex>& joints, std::optional<TimeNs> until) {
  Driven& driven = driven_.emplace_back();
  driven.arm = arm;
  driven.kind = kind;
  driven.drive = std::move(drive);
  driven.joints = joints;
  driven.set = set_of(joints);
  driven.until = until;
}

bool ArmDrives::set_twist(ArmIndex arm, const Kind& kind, const Six& twist, ToolFrame frame,
                          std::optional<TimeNs> until) {
  for (Driven& driven : driven_) {
    if (driven.arm != arm || !driven.drive || driven.is_ending || driven.kind != kind) continue;
    driven.twist = twist;
    driven.frame = frame;
    driven.until = until;
    return true;
  }
  return false;
}

void ArmDrives::push(ArmIndex arm, const std::vector<JointIndex>& joints,
                     std::optional<TimeNs> until) {
  follow(arm, {}, nullptr, joints, until);
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
    if (is_meant && !driven.drive) commands.push_back(end_of_force(driven.arm));
    return is_meant;
  });
  return commands;
}

Request ArmDrives::sample(const Driven& driven) {
  StreamTrajectory command;
  command.joints = driven.set;
  for (std::size_t i = 0; i < driven.joints.size(); ++i) {
    command.values.push_back({driven.drive->q()[i], driven.drive->v()[i], driven.drive->a()[i]});
  }
  return command;
}

std::vector<Request> ArmDrives::commands_at(TimeNs time, const Snapshot& now, double dt) {
  std::vector<Request> commands;
  for (Driven& driven : driven_) {
    const bool is_over = driven.until && time > *driven.until;
    if (!driven.drive) {
      if (!is_over) continue;
      driven.is_ending = true;
      commands.push_back(end_of_force(driven.arm));
      commands.emplace_back(SetMode{.joints = driven.set, .mode = ModeRequest::kPosition});
      continue;
    }
    if (is_over) driven.twist = {};
    // Until its joints take samples the drive stands.
    if (are_in(JointMode::kPositionDirect, driven.joints, now)) {
      driven.share = driven.drive->drive(Eigen::Map<const Vector6>(driven.twist.data()),
                                         driven.frame == ToolFrame::kTool, dt);
    }
    driven.is_ending = is_over && driven.drive->is_at_rest();
    commands.push_back(driven.is_ending ? Request{Stop{.joints = driven.set}} : sample(driven));
  }
  std::erase_if(driven_, [](const Driven& driven) { return driven.is_ending; });
  return commands;
}

bool ArmDrives::is_busy(const JointSet& joints) const {
  return std::any_of(driven_.begin(), driven_.end(),
                     [&](const Driven& driven) { return (driven.set & joints).any(); });
}

std::optional<JointIndex> ArmDrives::endless() const {
  for (const Driven& driven : driven_) {
    const bool stands = driven.drive && driven.twist == Six{} && driven.drive->is_at_rest();
    if (!driven.until && !stands) return driven.joints.front();
  }
  return std::nullopt;
}

const ArmDrives::Driven* ArmDrives::find(ArmIndex arm) const {
  for (const Driven& driven : driven_) {
    if (driven.arm == arm) return &driven;
  }
  return nullptr;
}

double ArmDrives::progress(ArmIndex arm) const {
  const Driven* driven = find(arm);
  return driven == nullptr ? 1.0 : driven->share;
}

}  // namespace jointrig
