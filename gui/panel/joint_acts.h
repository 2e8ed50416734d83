#pragma once

#include <optional>
#include <string>

#include "gui/panel/panel_client.h"

namespace jointrig::gui {

/// Actions on joints, for why_not().
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

/// Buttons and menus of joints: motors on and off, modes, home, poses, calibration; reasons why one
/// can't be pressed, forecasts of its effect, and the question before idle releases a loaded joint.
///
/// One thread: the window's.
class JointActs {
 public:
  static constexpr double kHeavyFrom = 0.1;  ///< share of tau_max from which idle asks first
  static constexpr double kAsksFor = 8.0;    ///< s for which a question stands: to read it
  /// s before which a yes is the second half of a double click: above the usual 0.4 s
  static constexpr double kDoubleClick = 0.5;

  /// Both references outlive this object.
  JointActs(const RobotWatch& watch, PanelClient& client) : watch_(&watch), client_(&client) {}

  /// Reason why this can't be done now; empty: it can.
  [[nodiscard]] std::string why_not(PanelAct act, JointIndex joint) const;
  [[nodiscard]] std::string why_not_mode(ModeRequest request, JointIndex joint) const;
  /// The members of `joints` for which the action is possible.
  [[nodiscard]] JointSet able(PanelAct act, const JointSet& joints) const;
  /// Forecast of a group button: "38 joints run; 2 in fault, 1 not calibrated stay as they are".
  [[nodiscard]] std::string forecast(PanelAct act, const JointSet& joints) const;

  /// Fate of these joints when their motors go off: "; falls: a, b; held by brakes: c". Empty if
  /// the robot's file knows of no brake, or nothing bears weight.
  [[nodiscard]] std::string what_falls(const JointSet& joints) const;

  // Each sends at most the named command, or shows a notice.

  void act(PanelAct act, const JointSet& joints);  ///< run, idle, force-idle, home, calibrate
  /// All joints of an arm enter and leave cartesian together.
  void set_mode(JointIndex joint, ModeRequest request);
  void set_interaction(const JointSet& joints, InteractionMode interaction);
  /// @param joints  joints that may move; the pose's others stay
  void go_to(const PoseConfig& pose, const JointSet& joints);
  /// Moves for an autopilot: goals with their speeds or, timed, durations. Only while ARMED, whose
  /// countdown restarts.
  /// @returns the number of the command; 0: not sent
  std::uint64_t pilot(const RobotClient::Each<Move::Value>& goals, bool timed);

  /// Sets one joint to idle; under load it asks first, unless that is skipped (never on a real
  /// robot). The question blocks nothing: the same request once more is a yes, and silence a no.
  void idle(JointIndex joint, bool skip_question);
  struct Question {
    JointIndex joint = kNoJoint;
    std::string text;
  };
  [[nodiscard]] const std::optional<Question>& question() const noexcept { return question_; }
  void answer(bool yes);
  /// Time for which the question still stands [s].
  [[nodiscard]] double question_left() const;
  /// Call each frame: a question that has lapsed, or that the robot has answered, goes.
  void begin_frame();

 private:
  [[nodiscard]] const RobotConfig& config() const noexcept { return watch_->config(); }
  [[nodiscard]] std::string why_not_alone(PanelAct act, JointIndex joint) const;
  [[nodiscard]] JointSet with_its_arm(ModeRequest request, JointIndex joint) const;
  void send_home(const JointSet& joints);

  const RobotWatch* watch_;
  PanelClient* client_;
  std::optional<Question> question_;
  double asked_at_ = 0.0;
};

/// Speed of a move without a speed, before the loop's factor [rad/s or m/s].
double move_speed(const RobotConfig& config, JointIndex joint);

}  // namespace jointrig::gui
