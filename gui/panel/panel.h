#pragma once
/// The motor panel without a window: what it knows, what it may do, what it sends.
///
///     each frame    see(snapshot), see(event)..., begin_frame(input)      then draw, then act
///     drawing       reads it and calls what a click means
///
/// A command leaves only in a call that stands for something a person did, or from begin_frame for
/// a slider that a person has latched to live. What isn't allowed is not sent: why_not() tells the
/// view beforehand, and notice() tells the person afterwards.
///
///     watch       the robot as it is known          acts        buttons and menus of joints
///     client      ARMED, sending, notices           sliders     references by hand
///     jog         motion while a key is held        parameters  gains and limits
///
/// One thread: the window's.

#include <functional>
#include <string>
#include <vector>

#include "gui/panel/autopilot.h"
#include "gui/panel/joint_acts.h"
#include "gui/panel/joint_filter.h"
#include "gui/panel/joint_jog.h"
#include "gui/panel/panel_client.h"
#include "gui/panel/parameter_changes.h"
#include "gui/panel/reference_sliders.h"
#include "gui/panel/robot_watch.h"

namespace jointrig::gui {

class MotorPanel {
 public:
  using Describe = std::function<std::string(const Event&)>;  ///< an event as a sentence

  /// @param client  connected to the robot; outlives the panel
  MotorPanel(PanelRobot robot, RobotClient& client, Describe describe);
  MotorPanel(const MotorPanel&) = delete;
  MotorPanel& operator=(const MotorPanel&) = delete;

  // Each frame, in this order.

  void see(const Snapshot& snapshot) { watch.see(snapshot); }
  void see(const Event& event);
  void begin_frame(const FrameInput& input);

  RobotWatch watch;
  PanelClient client;
  JointActs acts;
  ReferenceSliders sliders;
  JointJog jog;
  ParameterChanges parameters;

  // What is on the screen: the person's choice.

  int part = -1;  ///< index into config().parts; -1: all joints
  std::string filter;
  JointIndex selected = 0;
  Palette palette = Palette::kIcubDark;

  [[nodiscard]] std::vector<JointIndex> shown() const {
    return shown_joints(config(), part, filter, snapshot());
  }
  /// Joints that the group buttons are for: those of the part shown, whatever the filter hides.
  [[nodiscard]] JointSet group() const;

  // What ends motion, wherever it comes from.

  /// Below ARMED streams and autopilots end.
  void set_access(Access access);
  void stop_all();  ///< every joint brakes and holds; never asks
  void off_all();   ///< every motor off; never asks
  /// STOP, OFF and the end of ARMED end it from now on. It outlives the panel.
  void add(Autopilot& autopilot) { autopilots_.push_back(&autopilot); }

  // Of its parts, what everything asks for.

  [[nodiscard]] const PanelRobot& robot() const noexcept { return watch.robot(); }
  [[nodiscard]] const RobotConfig& config() const noexcept { return watch.config(); }
  [[nodiscard]] const Snapshot& snapshot() const noexcept { return watch.snapshot(); }
  [[nodiscard]] const FrameInput& frame() const noexcept { return watch.frame(); }
  [[nodiscard]] Access access() const noexcept { return client.access(); }
  void tell(std::string text) { client.tell(std::move(text)); }
  [[nodiscard]] std::string notice() const { return client.notice(); }

 private:
  void end_autopilots(const std::string& why);

  Describe describe_;
  std::vector<Autopilot*> autopilots_;
};

}  // namespace jointrig::gui
