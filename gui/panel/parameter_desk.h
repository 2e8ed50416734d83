#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/safety/admission.h"
#include "gui/panel/panel.h"

namespace jointrig::gui {

/// A parameter that is not as the robot was opened with.
struct ChangedParameter {
  JointIndex joint = 0;
  JointParameter parameter = JointParameter::kKp;
  double opened = 0.0;
  double now = 0.0;
};

/// What the person wants done with robot.yaml; the program does it.
#define JOINTRIG_PARAMETER_WISHES(X) X(kNone, "none") X(kCompare, "compare") X(kWrite, "write")
JOINTRIG_ENUM(ParameterWish, JOINTRIG_PARAMETER_WISHES)

/// Gains and limits of the joints while the loop runs: sliders, typed values, what was changed,
/// undo, and back into robot.yaml with the difference shown first.
///
/// The panel's configuration follows once the loop has taken a value (MotorPanel::see).
class ParameterDesk {
 public:
  explicit ParameterDesk(MotorPanel& panel) : panel_(&panel) {}

  /// Least and greatest value that the loop takes, as things are now.
  [[nodiscard]] Interval range(JointIndex joint, JointParameter parameter) const;
  [[nodiscard]] double now(JointIndex joint, JointParameter parameter) const;
  [[nodiscard]] double opened(JointIndex joint, JointParameter parameter) const;
  [[nodiscard]] std::string shown(JointIndex joint, JointParameter parameter, double value) const;
  [[nodiscard]] std::string why_not() const;

  /// A slider follows the hand; nothing is sent before release().
  void drag(JointIndex joint, JointParameter parameter, double value);
  void release();
  /// Under the hand, else now().
  [[nodiscard]] double ghost(JointIndex joint, JointParameter parameter) const;
  /// Enter in a field. Returns why it was refused; empty: it was sent.
  std::string type(JointIndex joint, JointParameter parameter, const std::string& text);
  void set(JointIndex joint, JointParameter parameter, double value);

  [[nodiscard]] std::vector<ChangedParameter> changed() const;
  /// Back to the value before the newest change; the one before that the next time.
  void undo();
  [[nodiscard]] bool can_undo() const noexcept { return !panel_->parameters.history().empty(); }
  /// All of them as the robot was opened.
  void undo_all();

  // The file.

  ParameterWish wish = ParameterWish::kNone;
  std::string file;        ///< robot.yaml; empty: the robot has none
  std::string difference;  ///< that would be written; empty: nothing to show
  [[nodiscard]] std::string why_not_compare() const;

 private:
  struct Ghost {
    JointIndex joint = 0;
    JointParameter parameter = JointParameter::kKp;
    double value = 0.0;
  };
  MotorPanel* panel_;
  std::optional<Ghost> ghost_;
};

/// "N·m/rad", or of a slide "N/m".
std::string_view unit_of(JointParameter parameter, bool slide) noexcept;

}  // namespace jointrig::gui
