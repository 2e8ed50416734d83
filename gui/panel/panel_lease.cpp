#include "gui/panel/panel_lease.h"

#include <utility>

namespace jointrig::gui {

std::string PanelLease::begin_frame(bool commands) {
  if (served_ == nullptr) return {};
  now_ = served_->now();
  const bool had_it = std::exchange(held_, now_.is_ours);
  if (!commands || now_.is_ours) return {};
  if (!now_.lost.empty()) return now_.lost;
  if (!had_it) return take(false);  // a robot that was opened while the panel commanded
  return now_.holder.empty() ? "the robot was stopped from outside: the panel observes"
                             : now_.holder + " took the robot over: the panel observes";
}

std::string PanelLease::take(bool by_force) {
  if (served_ == nullptr) return {};
  std::string why = served_->take(by_force);
  now_ = served_->now();
  held_ = now_.is_ours;
  if (why.empty() || now_.holder.empty() || !now_.lost.empty()) return why;
  return why_locked();
}

void PanelLease::release() {
  if (served_ == nullptr || !now_.is_ours) return;
  served_->release();
  now_ = served_->now();
  held_ = false;
}

void PanelLease::stopped() {
  if (served_ != nullptr) served_->stopped();
}

std::string PanelLease::take_for_off() {
  if (served_ == nullptr) return {};
  std::string why = served_->take_for_off();
  now_ = served_->now();
  held_ = now_.is_ours;
  return why;
}

std::string PanelLease::why_locked() const {
  return now_.holder + " holds the robot: take it over first; STOP and OFF work";
}

}  // namespace jointrig::gui
