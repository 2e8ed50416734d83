#pragma once
/// The motor panel without a window: its state, its guards, its commands.
///
///     each frame    see(snapshot), see(event)..., begin_frame(input)      then draw, then act
///     drawing       reads it and calls the functions of clicks
///
/// A command is sent only by a call for a person's action, or by begin_frame for a slider that a
/// person has set to live. A command that isn't allowed is not sent: why_not() gives the view the
/// reason beforehand, and notice() shows it to the person afterwards.
///
///     watch       the known state of the robot          acts        buttons and menus of joints
///     client      ARMED, sending, notices           sliders     references by hand
///     jog         motion while a key is held        parameters  gains and limits
///     stop_latch  what became of the last STOP
///     body        answers of a robot on feet
///     plans       course of the panel's own plans
///
/// One thread: the window's.

#include <functional>
#include <string>
#include <vector>

#include "gui/panel/autopilot.h"
#include "gui/panel/body_answers.h"
#include "gui/panel/joint_acts.h"
#include "gui/panel/joint_filter.h"
#include "gui/panel/joint_jog.h"
#include "gui/panel/panel_client.h"
#include "gui/panel/parameter_changes.h"
#include "gui/panel/plan_answers.h"
#include "gui/panel/reference_sliders.h"
#include "gui/panel/robot_watch.h"
#include "gui/panel/stop_latch.h"

namespace jointrig::gui {

class MotorPanel {
 public:
  using Describe = std::function<std::string(const Event&)>;  ///< converts an event to a sentence

  /// @param client  connected to the robot; outlives the panel
  MotorPanel(PanelRobot robot, RobotClient& client, Describe describe);
  MotorPanel(const MotorPanel&) = delete;
  MotorPanel& operator=(const MotorPanel&) = delete;

  // Call each frame, in this order.

  void see(const Snapshot& snapshot) { watch.see(snapshot); }
  void see(const Event& event);
  void begin_frame(const FrameInput& input);

  RobotWatch watch;
  PanelClient client;
  StopLatch stop_latch;
  JointActs acts;
  ReferenceSliders sliders;
  JointJog jog;
  ParameterChanges parameters;
  BodyAnswers body;
  PlanAnswers plans;

  // The person's choice on the screen.

  int part = -1;  ///< index into config().parts; -1: all joints
  std::string filter;
  JointIndex selected = 0;
  Palette palette = Palette::kIcubDark;

  [[nodiscard]] std::vector<JointIndex> shown() const {
    return shown_joints(config(), part, filter, snapshot());
  }
  /// Joints of the group buttons: those of the shown part, including joints hidden by the filter.
  [[nodiscard]] JointSet group() const;

  // Functions that end motion from any source.

  /// Sets the access; below ARMED streams and autopilots end. On a served robot more than OBSERVE
  /// needs the lease: it is taken, or a notice tells who holds it. OBSERVE gives it back, and the
  /// robot holds.
  void set_access(Access access);
  /// Takes the lease of a served robot from who holds it: the robot holds, and the panel is in
  /// CONTROL.
  void take_over();
  void stop_all();  ///< every joint brakes and holds; never asks
  void off_all();   ///< every motor off; never asks
  /// Adds an autopilot, which STOP, OFF and the end of ARMED then end. It outlives the panel.
  void add(Autopilot& autopilot) { autopilots_.push_back(&autopilot); }

  // The panel's parts that every desk uses.

  [[nodiscard]] const PanelRobot& robot() const noexcept { return watch.robot(); }
  [[nodiscard]] const RobotConfig& config() const noexcept { return watch.config(); }
  [[nodiscard]] const Snapshot& snapshot() const noexcept { return watch.snapshot(); }
  [[nodiscard]] const FrameInput& frame() const noexcept { return watch.frame(); }
  [[nodiscard]] Access access() const noexcept { return client.access(); }
  void tell(std::string text) { client.tell(std::move(text)); }
  [[nodiscard]] std::string notice() const { return client.notice(); }
  /// A state that a person has to end, or wait for: told as long as it lasts; empty: none.
  [[nodiscard]] std::string lasting_notice() const;

 private:
  void lower_access(Access access);
  void observe(const std::string& why);
  void end_autopilots(const std::string& why);

  Describe describe_;
  std::vector<Autopilot*> autopilots_;
};

}  // namespace jointrig::gui
