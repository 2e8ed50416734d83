#include "gui/panel/panel_client.h"

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
  return least == Access::kArmed ? "not ARMED: nothing that moves a joint is sent"
                                 : "OBSERVE only: take CONTROL first";
}

bool PanelClient::allowed(const std::string& why_not) {
  if (!why_not.empty()) tell(why_not);
  return why_not.empty();
}

std::uint64_t PanelClient::sent(std::uint64_t number) {
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
  return name.empty() ? "sender " + std::to_string(sender) : std::string(name);
}

void PanelClient::tell(std::string text) {
  notice_ = std::move(text);
  notice_at_ = watch_->frame().now;
}

std::string PanelClient::notice() const {
  return watch_->frame().now - notice_at_ < kNoticeFor ? notice_ : std::string();
}

}  // namespace jointrig::gui
