#pragma once

#include <array>
#include <string>

#include "control/core/arm_commands.h"
#include "gui/panel/arm_desk.h"
#include "gui/panel/hold_button.h"

namespace jointrig::gui {

/// Hand guiding and interaction control of the arm that ArmDesk has on the screen. What is chosen
/// per axis stays on the screen until apply(); each arm has its own.
class GuideDesk {
 public:
  static constexpr double kGraspFor = 0.3;  ///< s: what a window that froze leaves the cuff held

  GuideDesk(MotorPanel& panel, const ArmDesk& arms) : panel_(&panel), arms_(&arms) {}

  /// Each frame, after the panel's own: a cuff that nobody has held since the last one is let go.
  void begin_frame();

  // Zero-G.

  [[nodiscard]] std::string why_not_guide() const;
  /// To be called in each frame in which the button is held.
  void hold();
  [[nodiscard]] bool held() const noexcept { return cuff_.held().has_value(); }
  /// "guiding", "stopped: let go of the cuff", ...
  [[nodiscard]] std::string state() const;
  [[nodiscard]] bool is_free(std::size_t axis) const;
  /// Which axes a hand moves while the arm is guided, along those of its base.
  void set_free(std::size_t axis, bool free);

  // Interaction control.

  struct Form {
    std::array<InteractionAxis, 6> axes{};
    Six force{};  ///< asked for, or the limit [N, N·m]
    ToolFrame frame = ToolFrame::kBase;
  };
  [[nodiscard]] Form& form() { return forms_[arms_->arm]; }
  [[nodiscard]] bool active() const { return arms_->now().interaction.active; }
  [[nodiscard]] std::string why_not_apply() const;
  /// Enter in a field. Returns why it was refused; empty: it stands in the form.
  std::string type_force(std::size_t axis, const std::string& text);
  /// Sends the form: the stiffness is the arm's as it is now, damping goes with it.
  void apply();
  void off();

 private:
  void send_cuff(ArmIndex arm, double seconds);

  MotorPanel* panel_;
  const ArmDesk* arms_;
  std::array<Form, kMaxArms> forms_{};
  HoldButton<ArmIndex> cuff_;
};

}  // namespace jointrig::gui
