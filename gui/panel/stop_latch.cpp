#include "gui/panel/stop_latch.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "control/core/command_facts.h"

namespace jointrig::gui {
namespace {

constexpr double kStands = 1e-3;  // rad/s or m/s of a reference: a choice

JointSet every_joint(const RobotConfig& config) {
  JointSet all;
  for (std::size_t i = 0; i < config.joints.size(); ++i) all.set(i);
  return all;
}

std::string seconds(TimeNs time) { return fmt::format("{:.3f} s", to_seconds(time)); }

std::string_view state_word(JointMode mode) noexcept {
  switch (mode) {
    case JointMode::kIdle:
      return "off";
    case JointMode::kHwFault:
      return "in fault";
    case JointMode::kNotConfigured:
      return "silent";
    default:
      return to_string(mode);
  }
}

}  // namespace

void StopLatch::stop() {
  latched_ = true;
  taken_ = false;
  refused_ = 0;
  last_refusal_.clear();
  moved_by_.clear();
  why_not_.clear();
  number_ = client_->stop(every_joint(watch_->config()));
}

void StopLatch::begin_frame() {
  if (latched_ && number_ == 0) number_ = client_->stop(every_joint(watch_->config()));
}

void StopLatch::see(const Event& event, const std::string& text) {
  if (!latched_) return;
  const bool own = client_->is_own(event);
  if (own && event.number == number_ && event.kind == EventKind::kAccepted) {
    taken_ = true;
    time_ns_ = event.time_ns;
    return;
  }
  if (own && event.number == number_ && event.kind == EventKind::kRejected) {
    why_not_ = text;
    return;
  }
  if (!taken_ && event.kind != EventKind::kRejected) return;
  if (event.kind == EventKind::kRejected && !(own && event.number < number_)) {
    ++refused_;
    if (!text.empty()) last_refusal_ = text;
  }
  if (event.kind != EventKind::kAccepted || !starts_motion(event.command)) return;
  if (!own) {
    moved_by_ = client_->name_of(event.sender) + " at " + seconds(event.time_ns);
  } else if (event.number > number_) {
    dismiss();
  }
}

std::string StopLatch::when() const {
  if (taken_) return "STOP at " + seconds(time_ns_);
  if (!why_not_.empty()) return "STOP DID NOT ARRIVE: " + why_not_;
  if (number_ == 0) return "STOP NOT SENT: the loop's inbox is full; it is tried again";
  const Simulation* simulation = watch_->robot().simulation;
  if (simulation != nullptr && simulation->paused()) return "STOP, as soon as time goes on";
  return "STOP NOT YET TAKEN by the loop";
}

std::string StopLatch::holds() const {
  if (watch_->is_old()) return "nobody here knows what the joints do: the values are old";
  std::array<std::size_t, kAllJointMode.size()> in_mode{};
  std::size_t driven = 0;
  std::size_t brakes = 0;
  std::size_t silent = 0;
  for (std::size_t i = 0; i < watch_->snapshot().joints.size(); ++i) {
    const JointSnapshot& joint = watch_->snapshot().joints[i];
    if (watch_->is_silent(static_cast<JointIndex>(i))) {
      ++silent;
      continue;
    }
    ++in_mode[static_cast<std::size_t>(joint.mode)];
    if (!is_driven(joint.mode)) continue;
    ++driven;
    brakes += std::abs(joint.reference.v) > kStands ? 1 : 0;
  }
  std::string text;
  const auto list = [&](bool wanted, std::string_view before) {
    for (const JointMode mode : kAllJointMode) {
      const std::size_t count = in_mode[static_cast<std::size_t>(mode)];
      if (count == 0 || is_driven(mode) != wanted) continue;
      text += (text.empty() || text.back() == ' ') ? "" : ", ";
      text += fmt::format("{}{}{}", count, before, state_word(mode));
    }
  };
  list(true, " in ");
  const std::string how = brakes > 0
                              ? fmt::format("{} of {} still brake: ", brakes, driven)
                              : fmt::format("{} {}: ", driven, driven == 1 ? "holds" : "hold");
  const std::string none = silent > 0 ? "no joint that is heard is driven" : "no joint is driven";
  text = driven > 0 ? how + text : none;
  if (driven + silent < watch_->snapshot().joints.size()) {
    text += "; ";
    list(false, " ");
  }
  if (silent > 0) text += fmt::format("; {} silent: nobody here knows what they do", silent);
  return text;
}

std::string StopLatch::how_to_go_on() const {
  const std::string next = "ask for the next motion; nothing resumes by itself";
  return client_->armed() ? "To go on: " + next : "To go on: ARMED, then " + next;
}

std::string StopLatch::since() const {
  std::string text;
  if (!moved_by_.empty()) text = "moved since by " + moved_by_;
  if (refused_ == 0) return text;
  if (!text.empty()) text += "; ";
  text += fmt::format("{} refused since", refused_);
  return last_refusal_.empty() ? text : text + ", the last: " + last_refusal_;
}

}  // namespace jointrig::gui
