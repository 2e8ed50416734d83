#pragma once

#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/panel/panel.h"
#include "gui/panel/tool_angles.h"

namespace jointrig::gui {

/// Along whose axes a jogged tool goes.
#define JOINTRIG_JOG_FRAMES(X) X(kBase, "base") X(kTool, "tool")
JOINTRIG_ENUM(JogFrame, JOINTRIG_JOG_FRAMES)

/// What can be asked of an arm, for ArmDesk::why_not().
///
///     enter, leave   mode cartesian of all its joints; POSITION of all of them
///     gain           stiffness and damping: CONTROL, as a joint's
///     weigh          terms and payload, which move an arm by what they hold or don't hold: ARMED
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

/// A value beside the most it can be, for a bar.
struct ArmBar {
  double value = 0.0;
  double most = 0.0;
};

/// Cartesian control of the robot's arms: one is on the screen, all are listed. Axes are numbered
/// 0 to 5: x y z, then about them. Nothing is sent but what a call says.
class ArmDesk {
 public:
  /// That the stack takes.
  [[nodiscard]] static double most_damping_ratio() noexcept;
  explicit ArmDesk(MotorPanel& panel) : panel_(&panel) {}

  // What is on the screen: the person's choice.

  ArmIndex arm = 0;
  JogFrame jog_frame = JogFrame::kBase;
  double step = 0.01;                                 ///< of a jog [m]
  double turn_step = 5.0 * std::numbers::pi / 180.0;  ///< likewise [rad]

  [[nodiscard]] const std::vector<ArmConfig>& arms() const noexcept {
    return panel_->config().arms;
  }
  [[nodiscard]] bool has_arms() const noexcept { return !arms().empty(); }
  /// Of the arm on the screen; there must be one. Likewise in what follows.
  [[nodiscard]] const ArmConfig& config() const { return arms()[arm]; }
  [[nodiscard]] ArmSnapshot now() const;

  /// Why this can't be asked now; empty: it can.
  [[nodiscard]] std::string why_not(ArmAct act) const;
  /// "runs", "arm_j3 is in position", "its targets fell silent: it holds".
  [[nodiscard]] std::string state() const;
  /// What shapes its motion or torque now, in words.
  [[nodiscard]] std::vector<std::string> acting() const;
  /// Of an axis: error over error_max; what spring and damper give over what the spring can.
  [[nodiscard]] ArmBar error(std::size_t axis) const;
  [[nodiscard]] ArmBar wrench(std::size_t axis) const;

  // What a click means.

  void enter();
  void leave();
  /// The goal goes a step along an axis, or turns by one about it.
  /// @param direction  -1 or 1
  void jog(std::size_t axis, int direction);
  /// Enter in a field: one of as_numbers() of the goal. Returns why it was refused; empty: it was
  /// sent. Likewise of the others.
  std::string type_target(std::size_t axis, const std::string& text);
  /// The goal is where the tool is.
  void target_here();

  /// Under the hand, else as the loop has it.
  [[nodiscard]] double stiffness(std::size_t axis) const;
  void drag_stiffness(std::size_t axis, double value);
  std::string type_stiffness(std::size_t axis, const std::string& text);
  [[nodiscard]] double damping_ratio() const;
  void drag_damping_ratio(double value);
  /// The hand has let go: what was dragged is sent.
  void release();

  void set_term(ArmTerm term, bool on);
  /// The posture is where the joints are.
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
/// Of as_numbers(): "x", "y", "z", "roll", "pitch", "yaw".
std::string_view number_name(std::size_t place) noexcept;
/// The first three axes are lengths, forces, N/m.
constexpr bool is_linear(std::size_t axis) noexcept { return axis < 3; }

}  // namespace jointrig::gui
