#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/core/protection.h"
#include "gui/panel/arm_desk.h"
#include "gui/panel/autopilot.h"
#include "gui/panel/hold_button.h"

namespace jointrig::gui {

/// What protects a robot, held off for as long as a person holds a button: on the joints of the arm
/// that ArmDesk has on the screen. Each message lasts kSuppressionTime in the stack, so a window
/// that froze or died takes its wish with it.
///
/// Only while ARMED; on a real robot gravity compensation goes off only after the button was held
/// for HoldGuard::kHoldFor. STOP, OFF and the end of ARMED end it until the button is pressed anew.
class SuppressDesk final : public Autopilot {
 public:
  SuppressDesk(MotorPanel& panel, const ArmDesk& arms);

  /// Each frame, after the panel's own: a button that nobody has held since the last one is free.
  void begin_frame();

  [[nodiscard]] std::string why_not(Suppressible what) const;
  /// What comes of it, before it is done.
  [[nodiscard]] std::string forecast(Suppressible what) const;
  /// To be called in each frame in which the button is held.
  void hold(Suppressible what);
  [[nodiscard]] std::optional<Suppressible> held() const noexcept {
    const std::optional<Held> held = button_.held();
    return held ? std::optional(held->what) : std::nullopt;
  }
  /// 0..1 of the time for which the button has to be held first; 1 where it needs none.
  [[nodiscard]] double progress(Suppressible what) const;

  // Whoever suppresses it, on whichever joint of the robot.

  [[nodiscard]] bool active(Suppressible what) const;
  /// "gravity compensation by panel, 0.15 s left"; empty: it acts.
  [[nodiscard]] std::string state(Suppressible what) const;
  /// Of all that is suppressed, for the top bar; empty: nothing is.
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
  HoldButton<Held> button_;  ///< says it twice as often as the stack has to hear it
};

/// "gravity compensation", "cuff".
std::string words_of(Suppressible what);

}  // namespace jointrig::gui
