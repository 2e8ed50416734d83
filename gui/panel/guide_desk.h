#pragma once

#include <array>
#include <string>

#include "control/core/arm_commands.h"
#include "gui/panel/arm_desk.h"
#include "gui/panel/hold_button.h"

namespace jointrig::gui {

/// Hand guiding and interaction control of the arm that ArmDesk has on the screen. Choices per axis
/// stay on the screen until apply(); each arm has its own.
class GuideDesk {
 public:
  /// s: time for which a frozen window keeps the cuff held.
  static constexpr double kGraspFor = 0.3;

  GuideDesk(MotorPanel& panel, const ArmDesk& arms) : panel_(&panel), arms_(&arms) {}

  /// Call each frame, after the panel's own: releases a cuff that was not held since the last
  /// frame.
  void begin_frame();

  // Zero-G.

  [[nodiscard]] std::string why_not_guide() const;
  /// Call in each frame in which the button is held.
  void hold();
  [[nodiscard]] bool held() const noexcept { return cuff_.held().has_value(); }
  /// "guided: a hand moves it", or what it waits for and why it stopped.
  [[nodiscard]] std::string state() const;
  [[nodiscard]] bool is_free(std::size_t axis) const;
  /// Sets the axes in which a hand moves the guided arm, along those of its base.
  void set_free(std::size_t axis, bool free);

  // Interaction control.

  struct Form {
    std::array<InteractionAxis, 6> axes{};
    Six force{};  ///< force asked for, or force limit
    ToolFrame frame = ToolFrame::kBase;
  };
  [[nodiscard]] Form& form() { return forms_[arms_->arm]; }
  [[nodiscard]] bool active() const { return arms_->now().interaction.active; }
  [[nodiscard]] std::string why_not_apply() const;
  /// Handles Enter in a field. Returns the reason of a refusal; empty: the form contains the value.
  std::string type_force(std::size_t axis, const std::string& text);
  /// Sends the form with the arm's present stiffness and the damping that belongs to it.
  void apply();
  void off();

 private:
  [[nodiscard]] std::string note() const;
  void send_cuff(ArmIndex arm, double seconds);

  MotorPanel* panel_;
  const ArmDesk* arms_;
  std::array<Form, kMaxArms> forms_{};
  HoldButton<ArmIndex> cuff_;
};

}  // namespace jointrig::gui
