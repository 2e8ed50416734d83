#include "scenarios/runner/stream_list.h"

#include <array>

namespace jointrig {
namespace {

std::string_view units_of(CommandKind kind) {
  switch (kind) {
    case CommandKind::kStreamPosition:
      return kPositionUnits;
    case CommandKind::kVelocity:
      return kSpeedUnits;
    case CommandKind::kTorque:
      return kTorqueUnits;
    default:
      return "1";
  }
}

}  // namespace

void fill(Command& command, CommandKind kind, const std::vector<BoundTarget>& targets,
          TimeNs now) noexcept {
  command.kind = kind;
  command.time_ns = now;
  for (const BoundTarget& target : targets) {
    command.joints.set(target.joint);
    command.values.push_back({target.value.value(), 0.0});
  }
}

std::size_t StreamList::add(const Step& step, const StreamStep& stream, const Binder& binder) {
  Entry entry;
  entry.name = stream.background;
  entry.label = step.label;
  entry.period = to_ns(stream.period);
  constexpr std::array kKinds{CommandKind::kStreamPosition, CommandKind::kVelocity,
                              CommandKind::kTorque, CommandKind::kDuty};
  for (const CommandKind kind : kKinds) {
    std::vector<Target> targets;
    for (const auto& [of, target] : stream.targets) {
      if (of == kind) targets.push_back(target);
    }
    if (targets.empty()) continue;
    entry.kinds.push_back({kind, binder.targets(targets, units_of(kind))});
    for (const BoundTarget& target : entry.kinds.back().targets) entry.joints.set(target.joint);
  }
  for (const ToolTarget& tool : stream.tools) {
    const ArmIndex arm = arm_named(tool.arm, binder.config());
    entry.tools.emplace_back(CommandKind::kStreamToolTarget, tool, arm, binder);
    for (const JointIndex joint : binder.config().arms[arm].joints) entry.joints.set(joint);
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
    Command command;
    fill(command, kind.kind, kind.targets, now);
    // A full inbox loses a sample, as a wire would; the next one follows.
    link.send(command, CommandLink::Answered::kStray, number);
  }
  for (const BoundArmCommand& tool : entry.tools) {
    Command command = tool.make(now);
    link.send(command, CommandLink::Answered::kStray, number);
  }
}

}  // namespace jointrig
