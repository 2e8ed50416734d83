#include "scenarios/runner/event_pattern.h"

#include <array>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <vector>

#include "control/core/nearest_word.h"
#include "control/exchange/robot_client.h"

namespace jointrig {
namespace {

// The words that a kind's detail is one of; none for kinds without.
std::span<const std::string_view> detail_words(EventKind kind) {
  switch (kind) {
    case EventKind::kFault:
    case EventKind::kFaultCleared:
    case EventKind::kFaultStays:
      return kFaultCodeWords;
    case EventKind::kModeChanged:
      return kJointModeWords;
    case EventKind::kInteractionChanged:
      return kInteractionModeWords;
    case EventKind::kLimited:
      return kLimitWords;
    case EventKind::kRejected:
      return kRejectReasonWords;
    default:
      return {};
  }
}

std::uint8_t detail_of(const Event& event) noexcept {
  switch (event.kind) {
    case EventKind::kFault:
    case EventKind::kFaultCleared:
    case EventKind::kFaultStays:
      return static_cast<std::uint8_t>(event.fault);
    case EventKind::kModeChanged:
      return static_cast<std::uint8_t>(event.mode);
    case EventKind::kRejected:
      return static_cast<std::uint8_t>(event.reason);
    default:
      return event.detail;
  }
}

std::string quoted(std::string_view word) { return "\"" + std::string(word) + "\""; }

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

}  // namespace

EventPattern::EventPattern(std::string_view text, const RobotConfig& config) {
  const std::size_t dot = std::min(text.find('.'), text.size());
  const std::string_view kind = text.substr(0, dot);
  if (!parse(kind, kind_)) {
    throw std::invalid_argument("no event " + quoted(kind) + did_you_mean(kind, kEventKindWords));
  }
  if (dot == text.size()) return;
  const std::string_view rest = text.substr(dot + 1);
  try {
    joints_ = joints_named(config, rest);
    return;
  } catch (const UnknownName&) {
    // It may have a detail behind it.
  }
  const std::size_t last = rest.rfind('.');
  if (last == std::string_view::npos) joints_named(config, rest);  // throws with the nearest name
  joints_ = joints_named(config, rest.substr(0, last));
  const std::string_view detail = rest.substr(last + 1);
  const auto words = detail_words(kind_);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == detail) detail_ = static_cast<std::uint8_t>(i);
  }
  if (detail_) return;
  if (words.empty()) {
    throw std::invalid_argument("event " + quoted(kind) + " has no detail such as " +
                                quoted(detail));
  }
  throw std::invalid_argument("no " + std::string(kind) + " " + quoted(detail) +
                              did_you_mean(detail, words));
}

bool EventPattern::matches(const Event& event) const noexcept {
  if (event.kind != kind_) return false;
  if (joints_ && (event.joint >= kMaxJoints || !joints_->test(event.joint))) return false;
  return !detail_ || *detail_ == detail_of(event);
}

std::string sentence_of(const Event& event, const RobotConfig& config) {
  const std::string joint =
      event.joint < config.joints.size() ? config.joints[event.joint].name + ": " : "";
  std::string what(to_string(event.kind));
  const auto against = [&event](std::string_view unit) {
    const std::string tail = unit.empty() ? "" : " " + std::string(unit);
    return number(event.value) + tail + " against " + number(event.limit) + tail;
  };
  switch (event.kind) {
    case EventKind::kAccepted:
      return joint + std::string(to_string(event.command)) + " accepted";
    case EventKind::kRejected:
      what = std::string(to_string(event.command)) + " rejected, " +
             std::string(to_string(event.reason));
      if (event.value != 0.0 || event.limit != 0.0) what += ", " + against("");
      return joint + what;
    case EventKind::kModeChanged:
      return joint + std::string(to_string(event.was)) + " to " +
             std::string(to_string(event.mode));
    case EventKind::kInteractionChanged:
      return joint + std::string(to_string(static_cast<InteractionMode>(event.detail)));
    case EventKind::kFault:
      return joint + std::string(to_string(event.fault)) + ", " +
             std::string(describe(event.fault)) + ", " + against(unit_of(event.fault));
    case EventKind::kFaultCleared:
    case EventKind::kFaultStays:
      return joint + what + " " + std::string(to_string(event.fault));
    case EventKind::kCommandTimeout:
      return joint + "silent for " + against("s");
    case EventKind::kLimited:
      return joint + "limited by " + std::string(to_string(static_cast<Limit>(event.detail))) +
             ", " + against("");
    case EventKind::kGoalReached:
      return joint + "goal " + number(event.value) + " reached";
    case EventKind::kCalibrationDone:
      return joint + "calibrated, offset " + number(event.value);
    default:
      return joint + what + " " + against("s");
  }
}

}  // namespace jointrig
