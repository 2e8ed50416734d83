#pragma once

#include <optional>
#include <string>

#include "gui/panel/panel_client.h"

namespace jointrig::gui {

/// What can be asked of joints, for why_not().
#define JOINTRIG_PANEL_ACTS(X)                 \
  X(kRun, "run")                               \
  X(kIdle, "idle")                             \
  X(kForceIdle, "force-idle")                  \
  X(kHome, "home")                             \
  X(kCalibrate, "calibrate")                   \
  X(kSetInteraction, "change the interaction") \
  X(kSetImpedance, "change the impedance")     \
  X(kReference, "move")
JOINTRIG_ENUM(PanelAct, JOINTRIG_PANEL_ACTS)

/// Buttons and menus of joints: motors on and off, modes, home, poses, calibration; why one can't
/// be pressed, what it will do, and the question before a joint is let fall.
///
/// One thread: the window's.
class JointActs {
 public:
  static constexpr double kHeavyFrom = 0.1;  ///< of tau_max: idle asks before it lets go

  /// Both outlive it.
  JointActs(const RobotWatch& watch, PanelClient& client) : watch_(&watch), client_(&client) {}

  /// Why this can't be asked now; empty: it can.
  [[nodiscard]] std::string why_not(PanelAct act, JointIndex joint) const;
  [[nodiscard]] std::string why_not_mode(ModeRequest request, JointIndex joint) const;
  /// Those of `joints` that can be asked it.
  [[nodiscard]] JointSet able(PanelAct act, const JointSet& joints) const;
  /// What a group button will do: "38 joints run; 2 in fault, 1 not calibrated stay as they are".
  [[nodiscard]] std::string forecast(PanelAct act, const JointSet& joints) const;

  // Each sends at most what it says, or gives notice.

  void act(PanelAct act, const JointSet& joints);  ///< run, idle, force-idle, home, calibrate
  /// Cartesian is entered and left by all joints of an arm at once.
  void set_mode(JointIndex joint, ModeRequest request);
  void set_interaction(const JointSet& joints, InteractionMode interaction);
  /// @param joints  that may move; the pose's others stay
  void go_to(const PoseConfig& pose, const JointSet& joints);
  /// Moves as an autopilot asks: goals with their speeds or, timed, durations. Only while ARMED,
  /// which lasts on.
  /// @returns the number of the command; 0: it wasn't sent
  std::uint64_t pilot(const RobotClient::Each<Move::Value>& goals, bool timed);

  /// Idle of one joint; under load it asks first, unless that is skipped (never on a real robot).
  void idle(JointIndex joint, bool skip_question);
  struct Question {
    JointIndex joint = kNoJoint;
    std::string text;
  };
  [[nodiscard]] const std::optional<Question>& question() const noexcept { return question_; }
  void answer(bool yes);

 private:
  [[nodiscard]] const RobotConfig& config() const noexcept { return watch_->config(); }
  [[nodiscard]] std::string why_not_alone(PanelAct act, JointIndex joint) const;
  [[nodiscard]] JointSet with_its_arm(ModeRequest request, JointIndex joint) const;
  void send_home(const JointSet& joints);

  const RobotWatch* watch_;
  PanelClient* client_;
  std::optional<Question> question_;
};

/// With which a joint goes to a goal that says none, before the loop's factor [rad/s or m/s].
double move_speed(const RobotConfig& config, JointIndex joint);

}  // namespace jointrig::gui
