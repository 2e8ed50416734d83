#include "control/wholebody/user_acceleration.h"

namespace jointrig {

void UserAcceleration::tell(MessageChange change, MessageNotices& notices) const noexcept {
  if (notices.size() == MessageNotices::capacity()) return;
  notices.push_back({id_, kind_, change, time_});
}

void UserAcceleration::take(MessageId id, CommandKind kind,
                            std::span<const double> wanted) noexcept {
  if (id_ == 0) {
    is_started_ = false;
    time_ = 0.0;
  }
  id_ = id;
  kind_ = kind;
  silence_ = 0.0;
  wanted_.setZero();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted_[static_cast<Eigen::Index>(i)] = wanted[i];
  }
}

bool UserAcceleration::advance(double dt, double timeout, MessageNotices& notices) noexcept {
  if (id_ == 0) return false;
  if (!is_started_) tell(MessageChange::kStarted, notices);
  is_started_ = true;
  if (silence_ > timeout - 0.5 * dt) {
    end(MessageChange::kCompleted, notices);
    return true;
  }
  time_ += dt;
  silence_ += dt;
  return false;
}

void UserAcceleration::end(MessageChange why, MessageNotices& notices) noexcept {
  if (id_ == 0) return;
  tell(why, notices);
  id_ = 0;
}

}  // namespace jointrig
