#include "harness/runner/event_pattern.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

#include "control/core/board_notice.h"
#include "control/core/lease_act.h"
#include "control/core/nearest_word.h"
#include "control/core/plan.h"
#include "control/exchange/robot_client.h"

namespace jointrig::harness {
namespace {

// The possible words of a kind's detail; empty for kinds without.
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
    case EventKind::kNotice:
      return kNoticeWords;
    case EventKind::kContact:
      return kContactKindWords;
    case EventKind::kAvoidance:
      return kAvoidanceActWords;
    case EventKind::kPlan:
    case EventKind::kPlanBroken:
      return kPlanChangeWords;
    case EventKind::kSuppressed:
    case EventKind::kUnsuppressed:
      return kSuppressibleWords;
    case EventKind::kGuide:
      return kGuideChangeWords;
    case EventKind::kForceSensor:
    case EventKind::kImu:
    case EventKind::kFootSensor:
      return kForceSensorStateWords;
    case EventKind::kLawFailed:
      return kLawFailureWords;
    case EventKind::kLawState:
      return kLawStateWords;
    case EventKind::kGaveWay:
      return kBodyConstraintWords;
    case EventKind::kMessage:
      return kMessageChangeWords;
    case EventKind::kBalance:
      return kBalanceStateWords;
    case EventKind::kStaysHeld:
      return kTorqueObstacleWords;
    case EventKind::kGripper:
      return kGripperChangeWords;
    case EventKind::kDrive:
      return kDriveChangeWords;
    case EventKind::kDriveBroken:
      return kPlanChangeWords;
    case EventKind::kLease:
    case EventKind::kLeaseLost:
      return kLeaseActWords;
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

std::string in_quotes(std::string_view word) { return "\"" + std::string(word) + "\""; }

/// True for events of an arm as a whole, not of its joints.
bool is_of_arm(EventKind kind) noexcept {
  return kind == EventKind::kForceSensor || kind == EventKind::kTared ||
         kind == EventKind::kLoadChanged;
}

bool is_of_law(EventKind kind) noexcept {
  return kind == EventKind::kLawFailed || kind == EventKind::kLawState ||
         kind == EventKind::kGaveWay || kind == EventKind::kMessage || kind == EventKind::kImu ||
         kind == EventKind::kBalance || kind == EventKind::kFootSensor ||
         kind == EventKind::kStaysHeld;
}

}  // namespace

EventPattern::EventPattern(std::string_view text, const RobotConfig& config) {
  const std::size_t dot = std::min(text.find('.'), text.size());
  const std::string_view kind = text.substr(0, dot);
  if (!parse(kind, kind_)) {
    throw std::invalid_argument("no event " + in_quotes(kind) +
                                did_you_mean(kind, kEventKindWords));
  }
  if (dot == text.size()) return;
  const std::string_view rest = text.substr(dot + 1);
  try {
    name(rest, config);
    return;
  } catch (const UnknownName&) {
    // A detail may follow.
  }
  const auto words = detail_words(kind_);
  const std::size_t last = rest.rfind('.');
  const bool is_detail = std::find(words.begin(), words.end(), rest) != words.end();
  if (last == std::string_view::npos && !is_detail) name(rest, config);  // throws with the nearest
  if (!is_detail) name(rest.substr(0, last), config);
  const std::string_view detail = is_detail ? rest : rest.substr(last + 1);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == detail) detail_ = static_cast<std::uint8_t>(i);
  }
  if (detail_) return;
  if (words.empty()) {
    throw std::invalid_argument("event " + in_quotes(kind) + " has no detail such as " +
                                in_quotes(detail));
  }
  throw std::invalid_argument("no " + std::string(kind) + " " + in_quotes(detail) +
                              did_you_mean(detail, words));
}

void EventPattern::name(std::string_view text, const RobotConfig& config) {
  if (is_of_arm(kind_)) {
    arm_ = jointrig::arm_named(config, text);
  } else if (kind_ == EventKind::kGripper) {
    gripper_ = gripper_named(config, text);
  } else if (is_of_law(kind_)) {
    law_ = law_named(config, text);
  } else {
    joints_ = joints_named(config, text);
  }
}

bool EventPattern::matches(const Event& event) const noexcept {
  if (event.kind != kind_) return false;
  if (arm_ && event.arm != *arm_) return false;
  if (gripper_ && event.gripper != *gripper_) return false;
  if (law_ && event.law != *law_) return false;
  if (joints_ && (event.joint >= kMaxJoints || !joints_->test(event.joint))) return false;
  return !detail_ || *detail_ == detail_of(event);
}

}  // namespace jointrig::harness
