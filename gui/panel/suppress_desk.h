#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/core/protection.h"
#include "gui/panel/arm_desk.h"
#include "gui/panel/autopilot.h"

namespace jointrig {

/// What protects a robot, held off for as long as a person holds a button: on the joints of the arm
/// that ArmDesk has on the screen. Each message lasts kSuppressionTime in the stack, so a window
/// that froze or died takes its wish with it.
///
/// Only while ARMED; on a real robot gravity compensation goes off only after the button was held
/// for HoldGuard::kHoldFor. STOP, OFF and the end of ARMED end it until the button is pressed anew.
class SuppressDesk final : public Autopilot {
 public:
  static constexpr double kSayEvery = 0.1;  ///< s: twice as often as the stack has to hear it

  SuppressDesk(MotorPanel& panel, const ArmDesk& arms);

  /// Each frame, after the panel's own: a button that nobody has held since the last one is free.
  void begin_frame();

  [[nodiscard]] std::string why_not(Suppressible what) const;
  /// What comes of it, before it is done.
  [[nodiscard]] std::string forecast(Suppressible what) const;
  /// To be called in each frame in which the button is held.
  void hold(Suppressible what);
  [[nodiscard]] std::optional<Suppressible> held() const noexcept {
    return held_ ? std::optional(held_->what) : std::nullopt;
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
  struct Hold {
    Suppressible what = Suppressible::kCuff;
    ArmIndex arm = kNoArm;
    HoldGuard patience;
    bool begun = false;  ///< it was held for long enough
    bool spent = false;  ///< ended, though the button is down
    double said_at = 0.0;
  };
  [[nodiscard]] bool wants_patience(Suppressible what) const;
  void say(Hold& hold);

  MotorPanel* panel_;
  const ArmDesk* arms_;
  std::optional<Hold> held_;
  bool hold_goes_on_ = false;
};

/// "gravity compensation", "cuff".
std::string words_of(Suppressible what);

}  // namespace jointrig
