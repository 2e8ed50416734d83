#include "control/wholebody/load_bearing.h"

#include <algorithm>
#include <cmath>

namespace jointrig {

void LoadRamp::tell(MessageChange change, MessageNotices& notices) const noexcept {
  if (id_ == 0 || notices.size() == MessageNotices::capacity()) return;
  notices.push_back({id_, kind_, change, duration_});
}

void LoadRamp::start(MessageId id, CommandKind kind, double from, double to, double duration,
                     MessageNotices& notices) noexcept {
  tell(MessageChange::kReplaced, notices);
  id_ = id;
  kind_ = kind;
  is_started_ = false;
  from_ = now_ = from;
  to_ = to;
  duration_ = duration;
  time_ = 0.0;
}

bool LoadRamp::advance(double dt, MessageNotices& notices) noexcept {
  if (id_ == 0) return false;
  if (!is_started_) tell(MessageChange::kStarted, notices);
  is_started_ = true;
  time_ += dt;
  now_ = from_ + (to_ - from_) * std::min(time_ / duration_, 1.0);
  if (duration_ - time_ > 0.5 * dt) return false;
  now_ = to_;
  time_ = duration_;
  tell(MessageChange::kCompleted, notices);
  id_ = 0;
  return true;
}

void LoadRamp::leave(MessageNotices& notices) noexcept {
  tell(MessageChange::kDropped, notices);
  id_ = 0;
}

void FootManager::begin(MessageNotices& notices) noexcept {
  leave(notices);
  phase_ = Phase::kBears;
}

void FootManager::leave(MessageNotices& notices) noexcept {
  ramp_.leave(notices);
  queue_.leave(notices);
}

void FootManager::stop(MessageNotices& notices) noexcept {
  ramp_.leave(notices);
  if (!is_on_ground() && queue_.moved()) queue_.hold(notices);
}

void FootManager::take(const FootLoadBearing& message, double force, double most,
                       MessageNotices& notices) noexcept {
  constexpr CommandKind kKind = CommandKind::kFootLoadBearing;
  if (!message.bears) {
    if (phase_ != Phase::kAir) phase_ = Phase::kUnloads;
    ramp_.start(message.id, kKind, is_on_ground() ? force : 0.0, 0.0, message.duration, notices);
    return;
  }
  const double from = phase_ == Phase::kBears ? most : phase_ == Phase::kAir ? 0.0 : ramp_.now();
  pull_from_ = phase_ == Phase::kAir ? 1.0 : pull_left();
  if (phase_ == Phase::kAir) queue_.leave(notices);
  if (phase_ != Phase::kBears) phase_ = Phase::kLoads;
  ramp_.start(message.id, kKind, from, most, message.duration, notices);
}

void FootManager::advance(double dt, const BodyPoint& here, MessageNotices& notices) noexcept {
  queue_.advance(dt, notices);
  if (!ramp_.advance(dt, notices)) return;
  if (phase_ == Phase::kLoads) phase_ = Phase::kBears;
  if (phase_ != Phase::kUnloads) return;
  phase_ = Phase::kAir;
  BodyPoint rest = here;
  rest.v.setZero();
  rest.turning.setZero();
  queue_.begin(rest, notices);
}

void HandBearing::leave(MessageNotices& notices) noexcept {
  ramp_.leave(notices);
  is_on_ = false;
  firmness_ = 1.0;
}

void HandBearing::take(const HandLoadBearing& message, MessageNotices& notices) noexcept {
  const double from = is_on_ ? ramp_.now() : 0.0;
  lets_go_ = !message.bears;
  if (message.bears) {
    is_on_ = true;
    normal_ = Eigen::Vector3d(message.normal.data()).normalized();
    point_ = Eigen::Vector3d(message.point.data());
  }
  ramp_.start(message.id, CommandKind::kHandLoadBearing, from, message.bears ? message.force : 0.0,
              message.duration, notices);
}

bool HandBearing::advance(double dt, MessageNotices& notices) noexcept {
  firmness_ = std::max(1.0, firmness_ * std::pow(kFirmness, -dt / kSettleTime));
  if (!ramp_.advance(dt, notices) || !lets_go_ || !is_on_) return false;
  is_on_ = false;
  firmness_ = kFirmness;
  return true;
}

}  // namespace jointrig
