#include "control/stack/tool_drives.h"

#include <algorithm>

#include "control/core/command.h"
#include "control/planning/arm_tasks.h"
#include "control/stack/driven_rotations.h"
#include "control/stack/why_off_plan.h"

namespace jointrig {
namespace {

/// A drive with less than this share of its velocity is held back, and free once nothing has held
/// it back for a while: choices.
constexpr double kHeldBack = 0.95;
constexpr double kClear = 0.05;  // s

double commanded(const JointControl& control) noexcept {
  const bool has_reference = has_interaction(control.machine().mode());
  return has_reference ? control.reference().q : control.state().q;
}

}  // namespace

ToolDrives::ToolDrives(const RobotConfig& config, const PlacedModel& model)
    : all_(config.joints.size()), speeds_(config.joints.size()) {
  if (config.arms.empty()) return;  // without a model there are none
  const KinematicTree tree(config, *model);
  turns_.resize(config.arms.size());
  for (const ArmConfig& arm : config.arms) {
    arms_.push_back(
        {CartesianDrive(config, tree, tool_task(tree, arm), arm.joints, DriveOptions::of(arm)),
         arm.joints, joints_of(arm), Course{}});
  }
}

// Commands ----------------------------------------------------------------------------------------

Refusal ToolDrives::examine(const DriveTool& command, ConstJoints joints) const noexcept {
  for (const JointIndex joint : arms_[command.arm].joints) {
    const RejectReason r = joints.controls[joint].why_no_plan(DriveTool::kModes);
    if (r != RejectReason::kNone) return {r, joint, 0.0, 0.0};
  }
  return why_not_held(command);
}

Refusal ToolDrives::why_not_held(const DriveTool& command) const noexcept {
  return jointrig::why_not_held(arms_[command.arm].drive, command);
}

void ToolDrives::take(const DriveTool& command, std::uint16_t sender, std::uint64_t number,
                      Joints joints) noexcept {
  One& one = arms_[command.arm];
  Course& course = one.course;
  course.asked = command;
  course.left = command.duration;
  course.sender = sender;
  course.number = number;
  if (course.phase == Phase::kFree) {
    // A plan that led them sees that they have left it.
    for (const JointIndex joint : one.joints) joints.controls[joint].halt();
    course.phase = Phase::kBegins;
    course.held_by = DriveChange::kFree;
    course.clear = 0.0;
    return;
  }
  if (course.phase != Phase::kBegins) course.phase = Phase::kDrives;
}

void ToolDrives::stop(const JointSet& joints, EventReporter& events) noexcept {
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
    Course& course = arms_[arm].course;
    if ((arms_[arm].set & joints).none()) continue;
    if (course.phase == Phase::kBegins) course.phase = Phase::kFree;  // its joints have halted
    if (course.phase != Phase::kDrives) continue;
    course.phase = Phase::kBrakes;
    tell(arm, DriveChange::kStopped, {}, events);
  }
}

/// The joints of a drive that no other command leads brake by themselves.
void ToolDrives::halt_others(One& one, const JointSet& but, Joints joints) noexcept {
  for (const JointIndex joint : one.joints) {
    JointControl& control = joints.controls[joint];
    if (!but.test(joint) && control.on_plan()) control.halt();
  }
  one.course.phase = Phase::kFree;
}

void ToolDrives::leave(const JointSet& joints, Joints all, EventReporter& events) noexcept {
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
    One& one = arms_[arm];
    const auto shared = std::find_if(one.joints.begin(), one.joints.end(),
                                     [&](JointIndex joint) { return joints.test(joint); });
    if (one.course.phase == Phase::kFree || shared == one.joints.end()) continue;
    Event e = events.event(EventKind::kDriveBroken, *shared, all.controls[*shared]);
    e.arm = static_cast<ArmIndex>(arm);
    e.detail = static_cast<std::uint8_t>(PlanChange::kLeft);
    events.publish(e);
    halt_others(one, joints, all);
  }
}

// A cycle -----------------------------------------------------------------------------------------

void ToolDrives::advance(const PlacedModel& model, const Arms& arms, Joints joints,
                         const JointSet& stopped, double speed_override, double dt,
                         EventReporter& events) noexcept {
  bool any = false;
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
    look_at_joints(arm, joints, stopped, events);
    any = any || arms_[arm].course.phase != Phase::kFree;
  }
  if (!any) return;
  for (std::size_t i = 0; i < all_.size(); ++i) all_[i] = commanded(joints.controls[i]);
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
    One& one = arms_[arm];
    turns_[arm].drive = nullptr;
    if (one.course.phase == Phase::kFree) continue;
    if (one.course.phase == Phase::kBegins) begin(one, arms.controls()[arm], joints);
    age(arm, dt, events);
    for (std::size_t i = 0; i < one.joints.size(); ++i) {
      one.drive.set_limits(i, joints.setups[one.joints[i]].config.limits);
    }
    one.drive.carry(all_);
    const double share = one.course.phase == Phase::kDrives ? speed_override : 0.0;
    turns_[arm] =
        turn_for(one.drive, one.course.asked, model->pose(arms.setups()[arm].base).rotation, share);
  }
  look_together(turns_, dt);
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
    if (arms_[arm].course.phase != Phase::kFree) go(arm, joints, dt, events);
  }
}

/// A joint that is led elsewhere, held or off ends the drive: the others brake.
void ToolDrives::look_at_joints(std::size_t arm, Joints joints, const JointSet& stopped,
                                EventReporter& events) noexcept {
  One& one = arms_[arm];
  const Phase phase = one.course.phase;
  if (phase == Phase::kFree || phase == Phase::kBegins) return;
  for (const JointIndex joint : one.joints) {
    const JointControl& control = joints.controls[joint];
    if (control.on_plan()) continue;
    Event e = events.event(EventKind::kDriveBroken, joint, control);
    e.arm = static_cast<ArmIndex>(arm);
    e.detail = static_cast<std::uint8_t>(why_off_plan(control, stopped.test(joint)));
    e.fault = control.machine().fault().code;
    events.publish(e);
    halt_others(one, {}, joints);
    return;
  }
  if (phase != Phase::kEnds) return;
  for (const JointIndex joint : one.joints) joints.controls[joint].end_plan();
  one.course.phase = Phase::kFree;
}

void ToolDrives::begin(One& one, const ArmControl& arm, Joints joints) noexcept {
  for (std::size_t i = 0; i < one.joints.size(); ++i) {
    const JointIndex joint = one.joints[i];
    one.drive.set_limits(i, joints.setups[joint].config.limits);
    speeds_[i] = joints.controls[joint].last_speed();  // its own speeds are such differences
  }
  one.drive.set_offset(arm.offset());
  one.drive.start(all_, std::span(speeds_).first(one.joints.size()));
  one.course.phase = Phase::kDrives;
}

/// Its time to live.
void ToolDrives::age(std::size_t arm, double dt, EventReporter& events) noexcept {
  Course& course = arms_[arm].course;
  if (course.phase != Phase::kDrives) return;
  if (course.left > 0.0) {
    course.left -= dt;
    return;
  }
  course.phase = Phase::kBrakes;
  const double time = course.asked.duration;
  tell(arm, DriveChange::kLapsed, {DriveChange::kLapsed, kNoJoint, time, time}, events);
}

void ToolDrives::go(std::size_t arm, Joints joints, double dt, EventReporter& events) noexcept {
  One& one = arms_[arm];
  one.drive.go(dt);
  const bool stands = one.course.phase == Phase::kBrakes && one.drive.is_at_rest();
  for (std::size_t i = 0; i < one.joints.size(); ++i) {
    const MotionState state =
        stands ? MotionState{one.drive.q()[i], 0.0, 0.0}
               : MotionState{one.drive.q()[i], one.drive.v()[i], one.drive.a()[i]};
    joints.controls[one.joints[i]].follow_plan(state, PlanExecution::kInverseDynamics);
  }
  if (stands) one.course.phase = Phase::kEnds;
  tell_hindrance(arm, dt, events);
}

/// Once where it begins to be held back, and once where it is free again.
void ToolDrives::tell_hindrance(std::size_t arm, double dt, EventReporter& events) noexcept {
  One& one = arms_[arm];
  Course& course = one.course;
  if (course.phase != Phase::kDrives) return;
  DriveHindrance why = one.drive.hindrance();
  const double share = one.drive.share_of(turns_[arm].wish);
  if (holds_back(why.why) && share < kHeldBack) {
    if (why.why == DriveChange::kReach) why.value = share;
    if (course.held_by == DriveChange::kFree) tell(arm, why.why, why, events);
    course.held_by = why.why;
    course.clear = 0.0;
    return;
  }
  if (course.held_by == DriveChange::kFree) return;
  course.clear = share < kHeldBack ? 0.0 : course.clear + dt;
  if (course.clear < kClear) return;
  course.held_by = DriveChange::kFree;
  tell(arm, DriveChange::kFree, {DriveChange::kFree, kNoJoint, share, 1.0}, events);
}

void ToolDrives::tell(std::size_t arm, DriveChange change, const DriveHindrance& why,
                      EventReporter& events) const noexcept {
  const Course& course = arms_[arm].course;
  Event e = events.event(EventKind::kDrive, why.joint);
  e.arm = static_cast<ArmIndex>(arm);
  e.detail = static_cast<std::uint8_t>(change);
  e.sender = course.sender;
  e.number = course.number;
  e.command = CommandKind::kDriveTool;
  e.value = why.value;
  e.limit = why.limit;
  events.publish(e);
}

void ToolDrives::publish(std::span<ArmSnapshot> arms) const noexcept {
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    const One& one = arms_[i];
    DriveSnapshot& out = arms[i].drive;
    out = {};
    if (one.course.phase == Phase::kFree) continue;
    const DriveTurn& turn = turns_[i];
    const Vector6 wanted = turn.is_own ? turned(one.drive.marker().rotation, turn.wish) : turn.wish;
    Eigen::Map<Vector6>(out.wanted.data()) = wanted;
    Eigen::Map<Vector6>(out.had.data()) = one.drive.twist();
    out.share = one.drive.share_of(turn.wish);
    out.left = one.course.phase == Phase::kDrives ? std::max(one.course.left, 0.0) : 0.0;
    out.is_on = true;
    out.held_by = one.course.held_by;
  }
}

// State -------------------------------------------------------------------------------------------

ToolDrives::State ToolDrives::state() const {
  State state;
  for (const One& one : arms_) {
    state.courses.push_back(one.course);
    state.drives.push_back(one.drive.state());
  }
  return state;
}

void ToolDrives::restore(const State& state) {
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    arms_[i].course = state.courses[i];
    arms_[i].drive.restore(state.drives[i]);
  }
}

}  // namespace jointrig
