#pragma once

#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/panel/panel.h"
#include "gui/panel/tool_angles.h"

namespace jointrig::gui {

/// Frame in which a tool is jogged.
#define JOINTRIG_JOG_FRAMES(X) X(kBase, "base") X(kTool, "tool")
JOINTRIG_ENUM(JogFrame, JOINTRIG_JOG_FRAMES)

/// Actions on an arm, for ArmDesk::why_not().
///
///     enter, leave   mode cartesian of all its joints; POSITION of all of them
///     gain           stiffness and damping: CONTROL, as a joint's
///     weigh          terms and payload, which change the forces on an arm and can move it: ARMED
///     move           target and posture: ARMED, while the arm runs
///     guide          the cuff: ARMED, in modes that hold its joints
#define JOINTRIG_ARM_ACTS(X) \
  X(kEnter, "enter")         \
  X(kLeave, "leave")         \
  X(kGain, "gain")           \
  X(kWeigh, "weigh")         \
  X(kMove, "move")           \
  X(kGuide, "guide")
JOINTRIG_ENUM(ArmAct, JOINTRIG_ARM_ACTS)

/// A value with its maximum, for a bar.
struct ArmBar {
  double value = 0.0;
  double most = 0.0;
};

/// Cartesian control of the robot's arms: one is on the screen, all are listed. Axes are numbered 0
/// to 5: x y z, then about them. Each call sends what its comment says, and no call sends anything
/// else.
class ArmDesk {
 public:
  /// Largest damping ratio that the stack accepts.
  [[nodiscard]] static double most_damping_ratio() noexcept;
  explicit ArmDesk(MotorPanel& panel) : panel_(&panel) {}

  // The person's choice on the screen.

  ArmIndex arm = 0;
  JogFrame jog_frame = JogFrame::kBase;
  double step = 0.01;                                 ///< step of a jog [m]
  double turn_step = 5.0 * std::numbers::pi / 180.0;  ///< turn of a jog [rad]

  [[nodiscard]] const std::vector<ArmConfig>& arms() const noexcept {
    return panel_->config().arms;
  }
  [[nodiscard]] bool has_arms() const noexcept { return !arms().empty(); }
  /// Configuration of the arm on the screen; there must be one. The functions below are for the
  /// same arm.
  [[nodiscard]] const ArmConfig& config() const { return arms()[arm]; }
  [[nodiscard]] ArmSnapshot now() const;

  /// Reason why this can't be done now; empty: it can.
  [[nodiscard]] std::string why_not(ArmAct act) const;
  /// "runs", "arm_j3 is in position", "its targets fell silent: it holds".
  [[nodiscard]] std::string state() const;
  /// Limits that act on its motion or torque now, in words.
  [[nodiscard]] std::vector<std::string> acting() const;
  /// Error of an axis relative to error_max; force of its spring and damper relative to the
  /// spring's maximum.
  [[nodiscard]] ArmBar error(std::size_t axis) const;
  [[nodiscard]] ArmBar wrench(std::size_t axis) const;

  // Clicks and typed values.

  void enter();
  void leave();
  /// Moves the goal by a step along an axis, or turns it by a step about the axis.
  /// @param direction  -1 or 1
  void jog(std::size_t axis, int direction);
  /// Handles Enter in a field: one of as_numbers() of the goal. Returns the reason of a refusal;
  /// empty: it was sent. The same holds for the other type_ functions.
  std::string type_target(std::size_t axis, const std::string& text);
  /// Sets the goal to the tool's present pose.
  void target_here();

  /// Value under the hand, else the loop's value.
  [[nodiscard]] double stiffness(std::size_t axis) const;
  void drag_stiffness(std::size_t axis, double value);
  std::string type_stiffness(std::size_t axis, const std::string& text);
  [[nodiscard]] double damping_ratio() const;
  void drag_damping_ratio(double value);
  /// Sends the dragged value when the hand releases the slider.
  void release();

  void set_term(ArmTerm term, bool on);
  /// Sets the posture to the joints' present positions.
  void posture_here();
  /// 0: mass; 1 to 3: x y z of its centre in the tool frame.
  std::string type_payload(std::size_t place, const std::string& text);

 private:
  struct Ghost {
    ArmIndex arm = 0;
    std::size_t axis = 0;  ///< 6: the damping ratio
    double value = 0.0;
  };
  [[nodiscard]] const double* dragged(std::size_t axis) const;
  [[nodiscard]] JointSet joints() const;
  void post(const Request& request, ArmAct act);
  void send_target(const ToolPose& pose);
  void send_stiffness(std::size_t axis, double value);
  std::string refuse(std::string why);

  MotorPanel* panel_;
  std::optional<Ghost> ghost_;
};

/// "x", "y", "z", "rx", "ry", "rz".
std::string_view axis_name(std::size_t axis) noexcept;
/// Names of as_numbers(): "x", "y", "z", "roll", "pitch", "yaw".
std::string_view number_name(std::size_t place) noexcept;
/// True for the first three axes: lengths, forces, N/m.
constexpr bool is_linear(std::size_t axis) noexcept { return axis < 3; }

}  // namespace jointrig::gui
