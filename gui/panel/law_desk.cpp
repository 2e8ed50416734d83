#include "gui/panel/law_desk.h"

#include <fmt/core.h>

#include <charconv>

namespace jointrig::gui {
namespace {

std::string with_unit(double value, const std::string& unit) {
  return fmt::format("{:.5g}{}{}", value, unit.empty() ? "" : " ", unit);
}

}  // namespace

bool LawDesk::has_state(LawIndex law) const {
  return panel_->watch.has_snapshot() && law < panel_->snapshot().laws.size();
}

LawState LawDesk::state(LawIndex law) const {
  return has_state(law) ? panel_->snapshot().laws[law].state : LawState::kOff;
}

std::string LawDesk::state_text(LawIndex law) const {
  if (!has_state(law)) return "unknown";
  constexpr double kMicro = 1e6;
  const LawSnapshot& now = panel_->snapshot().laws[law];
  std::string text(to_string(now.state));
  if (now.state == LawState::kRuns) {
    text += fmt::format(", {:.0f} µs of {:.0f} µs", now.took_us, kMicro * laws()[law].budget);
  }
  if (now.state == LawState::kFailed) text += ": its joints hold; mend it and switch it on";
  return text;
}

std::string LawDesk::signal_text(LawIndex law, std::size_t signal) const {
  const std::size_t place = first_signal(laws(), law) + signal;
  if (!has_state(law) || place >= panel_->snapshot().law_signals.size()) return "–";
  return with_unit(panel_->snapshot().law_signals[place], laws()[law].signals[signal].unit);
}

std::string LawDesk::parameter_text(LawIndex law, std::size_t parameter) const {
  const LawParameter& known = laws()[law].parameters[parameter];
  return with_unit(
      has_state(law) ? panel_->snapshot().laws[law].parameters[parameter] : known.value,
      known.unit);
}

void LawDesk::toggle(LawIndex law) {
  if (!panel_->client.allowed(why_not())) return;
  panel_->client.ask(SwitchLaw{law, !is_switched_on(state(law))});
}

std::string LawDesk::why_not(LawIndex law, std::size_t parameter) const {
  const bool moves = laws()[law].parameters[parameter].is_target;
  return panel_->client.why_not(moves ? Access::kArmed : Access::kControl);
}

std::string LawDesk::type(LawIndex law, std::size_t parameter, const std::string& text) {
  const LawParameter& known = laws()[law].parameters[parameter];
  const auto refuse = [this](std::string why) {
    panel_->tell(why);
    return why;
  };
  if (std::string why = why_not(law, parameter); !why.empty()) return refuse(std::move(why));
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string rest(end, text.data() + text.size());
  rest.erase(0, rest.find_first_not_of(' ') == std::string::npos ? rest.size()
                                                                 : rest.find_first_not_of(' '));
  if (error != std::errc{} || (!rest.empty() && rest != known.unit)) {
    return refuse(fmt::format("{} takes a number{}{}, not \"{}\"", known.name,
                              known.unit.empty() ? "" : " in ", known.unit, text));
  }
  if (!(value >= known.low && value <= known.high)) {
    return refuse(fmt::format("{} of law {} stays within {:g} to {}", known.name, laws()[law].name,
                              known.low, with_unit(known.high, known.unit)));
  }
  panel_->client.ask(SetLawParameter{law, static_cast<std::uint8_t>(parameter), value});
  return {};
}

}  // namespace jointrig::gui
