#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/core/protection.h"
#include "gui/panel/arm_desk.h"
#include "gui/panel/autopilot.h"
#include "gui/panel/hold_button.h"

namespace jointrig::gui {

/// Suppresses protections while a person holds a button, for the joints of the arm that ArmDesk
/// shows. Each message lasts kSuppressionTime in the stack, so the suppression ends if the window
/// freezes or crashes.
///
/// Only while ARMED; on a real robot gravity compensation is suppressed only after the button was
/// held for HoldGuard::kHoldFor. STOP, OFF and the end of ARMED end it until the button is pressed
/// anew.
class SuppressDesk final : public Autopilot {
 public:
  SuppressDesk(MotorPanel& panel, const ArmDesk& arms);

  /// Call each frame, after the panel's own: releases a button that was not held since the last
  /// frame.
  void begin_frame();

  [[nodiscard]] std::string why_not(Suppressible what) const;
  /// Forecast of the effect.
  [[nodiscard]] std::string forecast(Suppressible what) const;
  /// Call in each frame in which the button is held.
  void hold(Suppressible what);
  [[nodiscard]] std::optional<Suppressible> held() const noexcept {
    const std::optional<Held> held = button_.held();
    return held ? std::optional(held->what) : std::nullopt;
  }
  /// 0..1 of the time for which the button must be held first; 1 if it needs none.
  [[nodiscard]] double progress(Suppressible what) const;

  // True if any client suppresses it on any joint of the robot.

  [[nodiscard]] bool active(Suppressible what) const;
  /// "gravity compensation by panel, 0.15 s left"; empty: it acts.
  [[nodiscard]] std::string state(Suppressible what) const;
  /// Text on all suppressed functions, for the top bar; empty: none.
  [[nodiscard]] std::string alarm() const;

  void end(const std::string& why) override;

 private:
  struct Held {
    Suppressible what = Suppressible::kCuff;
    ArmIndex arm = kNoArm;
    bool operator==(const Held&) const = default;
  };
  [[nodiscard]] bool wants_patience(Suppressible what) const;
  void say(const Held& held);

  MotorPanel* panel_;
  const ArmDesk* arms_;
  HoldButton<Held> button_;  ///< repeats the message twice as often as the stack needs it
};

/// "gravity compensation", "cuff".
std::string words_of(Suppressible what);

}  // namespace jointrig::gui
