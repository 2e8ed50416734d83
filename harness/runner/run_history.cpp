#include "harness/runner/run_history.h"

#include <string>

#include "harness/log/event_text.h"

namespace jointrig::harness {
namespace {

constexpr std::size_t kMostEvents = 5000;

}  // namespace

void RunHistory::reserve() { events_.reserve(kMostEvents); }

void RunHistory::begin(const Snapshot& snapshot) {
  start_ = snapshot.time_ns;
  modes_.resize(snapshot.joints.size());
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    modes_[i] = {snapshot.joints[i].mode, snapshot.joints[i].interaction};
  }
  note_limits(snapshot, limits_at_start_);
}

void RunHistory::note_limits(const Snapshot& snapshot, PerJoint<LimitCycles>& limits) {
  limits.resize(snapshot.joints.size());
  for (std::size_t i = 0; i < limits.size(); ++i) limits[i] = snapshot.joints[i].limit_cycles;
}

void RunHistory::note(const Snapshot& snapshot, std::span<const Event> events) {
  if (!began_) begin(snapshot);
  began_ = true;
  note_limits(snapshot, limits_);
  for (const Event& event : events) {
    if (event.kind == EventKind::kAccepted) continue;  // a thousand a second while streaming
    if (events_.size() < events_.capacity()) {
      events_.push_back(event);
    } else {
      ++events_left_out_;
    }
  }
}

void RunHistory::finish(const RobotConfig& config, Result& result) {
  finish_events(config, result);
  finish_modes(config, result);
  finish_limits(config, result);
}

void RunHistory::finish_events(const RobotConfig& config, Result& result) const {
  result.events_left_out = events_left_out_;
  for (const Event& event : events_) {
    const bool has_joint = event.joint < config.joints.size();
    result.events.push_back(
        {to_seconds(event.time_ns), event.cycle, std::string(to_string(event.kind)),
         has_joint ? config.joints[event.joint].name : "", sentence(event, config)});
  }
}

// Modes of the first cycle, then the changes by events.
void RunHistory::finish_modes(const RobotConfig& config, Result& result) {
  const auto add = [&](TimeNs time, std::size_t joint) {
    result.modes.push_back({to_seconds(time), config.joints[joint].name,
                            std::string(to_string(modes_[joint].mode)),
                            std::string(to_string(modes_[joint].interaction))});
  };
  for (std::size_t i = 0; i < modes_.size(); ++i) add(start_, i);
  for (const Event& event : events_) {
    const bool changes_mode = event.kind == EventKind::kModeChanged;
    if (!changes_mode && event.kind != EventKind::kInteractionChanged) continue;
    if (event.joint >= modes_.size()) continue;
    ModeNow& now = modes_[event.joint];
    if (changes_mode) {
      now.mode = event.mode;
    } else {
      now.interaction = static_cast<InteractionMode>(event.detail);
    }
    add(event.time_ns, event.joint);
  }
}

void RunHistory::finish_limits(const RobotConfig& config, Result& result) const {
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    for (const Limit limit : kAllLimit) {
      const auto which = static_cast<std::size_t>(limit);
      const std::uint32_t cycles = limits_[i][which] - limits_at_start_[i][which];
      if (cycles == 0) continue;
      result.limits.push_back({config.joints[i].name, std::string(to_string(limit)), cycles});
    }
  }
}

}  // namespace jointrig::harness
