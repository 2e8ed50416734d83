#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gui/panel/panel.h"

namespace jointrig::gui {

/// The robot's laws of one's own: their state, time, signals and parameters, as the laws declare
/// them; switching them and setting parameters. Needs CONTROL, a
/// target ARMED.
class LawDesk {
 public:
  explicit LawDesk(MotorPanel& panel) : panel_(&panel) {}

  [[nodiscard]] const std::vector<LawConfig>& laws() const { return panel_->config().laws; }
  /// True if the loop has told of its laws.
  [[nodiscard]] bool has_state(LawIndex law) const;
  [[nodiscard]] LawState state(LawIndex law) const;
  /// "runs, 12 µs of 100 µs"
  [[nodiscard]] std::string state_text(LawIndex law) const;
  /// The value with its unit.
  [[nodiscard]] std::string signal_text(LawIndex law, std::size_t signal) const;
  [[nodiscard]] std::string parameter_text(LawIndex law, std::size_t parameter) const;

  /// Reason why nothing can be set; empty: it can.
  [[nodiscard]] std::string why_not() const { return panel_->client.why_not(Access::kControl); }
  /// Switches it on, or off if it is on.
  void toggle(LawIndex law);
  /// Reason why this parameter can't be set; a target's change is a motion: it needs ARMED.
  [[nodiscard]] std::string why_not(LawIndex law, std::size_t parameter) const;
  /// @param text  a number, with its unit or without
  /// @return  why it can't be set; empty: it is asked for
  std::string type(LawIndex law, std::size_t parameter, const std::string& text);

 private:
  MotorPanel* panel_;
};

}  // namespace jointrig::gui
