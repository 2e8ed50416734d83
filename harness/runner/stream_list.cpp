#include "harness/runner/stream_list.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "harness/runner/command_run.h"
#include "harness/runner/measure.h"

namespace jointrig::harness {
namespace {

/// Unit of what a sample's key gives: the acceleration of a trajectory, else the only number.
std::string_view units_of(CommandKind kind) {
  const bool is_trajectory = kind == CommandKind::kStreamTrajectory;
  return joint_units(is_trajectory ? QuantityKind::kAcceleration
                                   : value_fields_of(kind).front().quantity);
}

std::vector<BoundTarget> bound(const StreamStep& stream, CommandKind kind, const Binder& binder) {
  std::vector<Target> targets;
  for (const auto& [of, target] : stream.targets) {
    if (of == kind) targets.push_back(target);
  }
  return binder.targets(targets, units_of(kind));
}

SourceSpot spot_of(const StreamStep& stream, CommandKind kind) {
  for (const auto& [of, target] : stream.targets) {
    if (of == kind) return target.name.spot;
  }
  return {};
}

/// Removes and returns the targets of the joints that `others` names.
std::vector<BoundTarget> move_out(std::vector<BoundTarget>& targets,
                                  const std::vector<BoundTarget>& others) {
  const auto is_other = [&](const BoundTarget& target) {
    return std::any_of(others.begin(), others.end(),
                       [&](const BoundTarget& one) { return one.joint == target.joint; });
  };
  const auto rest = std::stable_partition(targets.begin(), targets.end(),
                                          [&](const BoundTarget& t) { return !is_other(t); });
  std::vector<BoundTarget> out(std::make_move_iterator(rest),
                               std::make_move_iterator(targets.end()));
  targets.erase(rest, targets.end());
  return out;
}

/// 0 for a joint without.
double torque_of(const std::vector<BoundTarget>& torques, JointIndex joint) {
  for (const BoundTarget& target : torques) {
    if (target.joint == joint) return target.value.value();
  }
  return 0.0;
}

}  // namespace

std::size_t StreamList::add(const Step& step, const StreamStep& stream, const Binder& binder) {
  Entry entry;
  entry.name = stream.background;
  entry.label = step.label;
  entry.period = to_ns(stream.period);
  constexpr std::array kKinds{CommandKind::kStreamPosition, CommandKind::kStreamVelocity,
                              CommandKind::kStreamTorque, CommandKind::kStreamDuty};
  Kind trajectory{CommandKind::kStreamTrajectory, {}, {}, {}, {}};
  trajectory.accelerations = bound(stream, CommandKind::kStreamTrajectory, binder);
  const std::vector<BoundTarget>& accelerations = trajectory.accelerations;
  for (const CommandKind kind : kKinds) {
    std::vector<BoundTarget> targets = bound(stream, kind, binder);
    if (kind == CommandKind::kStreamPosition) trajectory.targets = move_out(targets, accelerations);
    if (kind == CommandKind::kStreamVelocity) trajectory.speeds = move_out(targets, accelerations);
    if (kind == CommandKind::kStreamTorque) trajectory.torques = move_out(targets, accelerations);
    if (!targets.empty()) entry.kinds.push_back({kind, std::move(targets), {}, {}, {}});
  }
  const std::size_t wanted = accelerations.size();
  if (trajectory.targets.size() != wanted || trajectory.speeds.size() != wanted) {
    throw FileError(spot_of(stream, CommandKind::kStreamTrajectory),
                    "a joint with an \"acceleration\" streams a trajectory: give its \"position\" "
                    "and its \"velocity\" as well");
  }
  if (wanted > 0) entry.kinds.push_back(std::move(trajectory));
  for (const Kind& kind : entry.kinds) {
    for (const BoundTarget& target : kind.targets) entry.joints.set(target.joint);
  }
  for (const ToolTarget& tool : stream.tools) {
    const ArmIndex arm = arm_named(tool.arm, binder.config());
    entry.tools.emplace_back(CommandKind::kStreamToolTarget, tool, arm, binder);
    entry.joints |= joints_of(binder.config().arms[arm]);
  }
  if (stream.suppress) {
    entry.suppressed = stream.suppress->what;
    entry.suppressed_on = binder.joints(stream.suppress->joints);
  }
  entries_.push_back(std::move(entry));
  return entries_.size() - 1;
}

std::vector<std::string> StreamList::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    if (!entry.name.empty()) names.push_back(entry.name);
  }
  return names;
}

void StreamList::begin(std::size_t stream, TimeNs now) noexcept {
  entries_[stream].runs = true;
  entries_[stream].next = now;
}

void StreamList::end(std::string_view background) noexcept {
  for (Entry& entry : entries_) {
    if (entry.name == background) entry.runs = false;
  }
}

void StreamList::end_all() noexcept {
  for (Entry& entry : entries_) entry.runs = false;
}

void StreamList::update(TimeNs now, CommandLink& link) noexcept {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (!entry.runs || now < entry.next) continue;
    send(entry, static_cast<std::uint32_t>(i), link, now);
    entry.next = entry.period > 0 ? entry.next + entry.period : now;
  }
}

void StreamList::send(const Entry& entry, std::uint32_t number, CommandLink& link,
                      TimeNs now) noexcept {
  for (const Kind& kind : entry.kinds) {
    Request request = blank_request(kind.kind);
    for (std::size_t i = 0; i < kind.targets.size(); ++i) {
      std::array<double, 4> numbers{kind.targets[i].value.value()};
      const bool is_trajectory = !kind.speeds.empty();
      if (is_trajectory) {
        numbers[1] = kind.speeds[i].value.value();
        numbers[2] = kind.accelerations[i].value.value();
        numbers[3] = torque_of(kind.torques, kind.targets[i].joint);
      }
      add_joint(request, kind.targets[i].joint, std::span(numbers).first(is_trajectory ? 4 : 1));
    }
    // A full inbox loses a sample, as a bus would; the next one follows.
    Command command = make_command(request, now);
    link.send(command, CommandLink::Answered::kStray, number);
  }
  for (const BoundArmCommand& tool : entry.tools) {
    Command command = tool.make(now);
    link.send(command, CommandLink::Answered::kStray, number);
  }
  for (const Suppressible what : entry.suppressed) {
    Command command = make_command(Suppress{entry.suppressed_on, what}, now);
    link.send(command, CommandLink::Answered::kStray, number);
  }
}

}  // namespace jointrig::harness
