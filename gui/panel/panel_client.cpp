#include "gui/panel/panel_client.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace jointrig::gui {

void PanelClient::see(const Event& event, const std::string& text) {
  if (!is_own(event)) return;
  if (event.kind == EventKind::kAccepted) taken_ = {event.number, event.time_ns};
  if (event.kind == EventKind::kRejected) {
    refused_ = {event.number, event.time_ns};
    tell(text);
  }
}

std::string PanelClient::why_not(Access least) const {
  if (access() >= least) return {};
  if (lease.is_locked()) return lease.why_locked();
  return least == Access::kArmed ? "not ARMED: nothing that moves a joint is sent"
                                 : "OBSERVE only: take CONTROL first";
}

bool PanelClient::allowed(const std::string& why_not) {
  if (!why_not.empty()) tell(why_not);
  if (!why_not.empty()) return false;
  // From now to the next frame another program may take the robot over.
  if (lease.may_command()) return true;
  tell("the panel doesn't hold the robot any more: nothing was sent");
  return false;
}

std::uint64_t PanelClient::sent(std::uint64_t number) {
  const bool may_cross = access() != Access::kObserve && !lease.is_guarded();
  if (number != 0 && may_cross && !lease.may_command()) {
    JointSet all;
    for (std::size_t i = 0; i < watch_->config().joints.size(); ++i) all.set(i);
    stop(all);
  }
  return told(number);
}

std::uint64_t PanelClient::stop(const JointSet& joints) { return told(client_->stop(joints)); }

void PanelClient::brake(const JointSet& joints) {
  if (lease.may_command()) stop(joints);
}

std::uint64_t PanelClient::told(std::uint64_t number) {
  if (number == 0) tell("the loop accepts no commands: its inbox is full; is it running?");
  return number;
}

void PanelClient::ask(const Request& request) {
  note_motion();
  sent(client_->post(request));
}

void PanelClient::ask_speed_override(double factor) {
  if (!allowed(why_not(Access::kControl))) return;
  sent(client_->set_speed_override(std::clamp(factor, kLeastSpeedOverride, 1.0)));
}

std::string PanelClient::name_of(std::uint16_t sender) const {
  const SenderName given = client_->name_of(sender);
  const std::string_view name = given;
  return name.empty() ? fmt::format("sender {}", sender) : std::string(name);
}

void PanelClient::tell(std::string text) {
  notice_ = std::move(text);
  notice_at_ = watch_->frame().now;
}

std::string PanelClient::notice() const {
  return watch_->frame().now - notice_at_ < kNoticeFor ? notice_ : std::string();
}

}  // namespace jointrig::gui
