#include "control/stack/links.h"

#include <algorithm>

namespace jointrig {

void Links::advance(const RobotState& state, const PartMates& mates, Joints joints,
                    EventReporter& events) noexcept {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    follow(i, state.joints[i], mates, joints, events);
  }
  free_held(mates, joints, events);
}

/// Frees a joint when no joint of its part is silent. A graver hold stays, and then nothing goes
/// on.
void Links::free_held(const PartMates& mates, Joints joints, EventReporter& events) noexcept {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    Link& link = state_[i];
    const bool is_held = joints.controls[i].activity() == JointActivity::kLink;
    if (!is_held) {
      link.ended = false;
      continue;
    }
    const auto of_joint = mates.of(i);
    const bool stays =
        link.holds_part || std::any_of(of_joint.begin(), of_joint.end(),
                                       [&](JointIndex mate) { return state_[mate].holds_part; });
    if (stays) continue;
    joints.controls[i].free(JointActivity::kLink);
    if (link.ended) events.report_notice(Notice::kPartFreed, i, joints.controls, 0.0, 0.0);
    link.ended = false;
  }
}

void Links::follow(std::size_t joint, const JointState& board, const PartMates& mates,
                   Joints joints, EventReporter& events) noexcept {
  Link& link = state_[joint];
  const JointModeMachine& machine = joints.controls[joint].machine();
  const bool is_configured = machine.shown() != JointMode::kNotConfigured;
  const bool has_fault = static_cast<bool>(machine.fault());
  const bool is_lost = (has_fault && !link.faulted) || (link.was_configured && !is_configured);
  const bool is_away = board.missed >= kHoldAfter || !board.follows;
  const bool is_silent = is_away && is_configured && !has_fault;
  const auto tell = [&](Notice notice, double value, double limit) {
    events.report_notice(notice, joint, joints.controls, value, limit);
  };

  count_stale(joint, board, joints, events);
  if (is_silent && !link.holds_part) {
    mates.hold(joint, JointActivity::kLink, joints);
    tell(Notice::kPartHeld, board.missed, kHoldAfter);
  }
  link.ended = (link.ended || link.holds_part) && !is_silent && !is_lost && !has_fault;
  link.holds_part = is_silent;
  if (is_lost) {
    mates.hold(joint, JointActivity::kFault, joints);
    tell(Notice::kPartWaits, 0.0, 0.0);
  }
  link.faulted = has_fault;
  link.was_configured = is_configured;
}

/// Counts one per cycle of its bus, which may be longer than the loop's.
void Links::count_stale(std::size_t joint, const JointState& board, Joints joints,
                        EventReporter& events) noexcept {
  Link& link = state_[joint];
  const std::uint64_t now = events.cycle() + 1;
  const TimeNs bus_cycle = std::max(joints.setups[joint].board.cycle_ns, period_ns_);
  const auto loop_cycles = static_cast<std::uint64_t>(bus_cycle / period_ns_);
  if (board.missed == 0 || now < link.counted_at + loop_cycles) return;
  ++link.stale;
  link.counted_at = now;
  const auto quiet = static_cast<std::uint64_t>(kStaleToldEvery / joints.setups[joint].dt);
  const bool is_configured = joints.controls[joint].machine().shown() != JointMode::kNotConfigured;
  if (!is_configured || (link.stale_at != 0 && now - link.stale_at < quiet)) return;
  events.report_notice(Notice::kLinkStale, joint, joints.controls, link.stale,
                       JointModeMachine::kLostAfter);
  link.stale = 0;
  link.stale_at = now;
}

void Links::note(const BoardNotice& notice, const PartMates& mates, Joints joints,
                 EventReporter& events) noexcept {
  events.report_notice(notice.kind, notice.joint, joints.controls, notice.value, notice.limit);
  if (notice.joint >= joints.size() || !holds_part(notice.kind)) return;
  mates.hold(notice.joint, JointActivity::kFault, joints);
  events.report_notice(Notice::kPartWaits, notice.joint, joints.controls, 0.0, 0.0);
}

void Links::restore(const State& state) { state_ = state; }

}  // namespace jointrig
