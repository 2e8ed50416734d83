#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/safety/admission.h"
#include "gui/panel/panel.h"

namespace jointrig::gui {

/// A parameter that differs from its value at the start.
struct ChangedParameter {
  JointIndex joint = 0;
  JointParameter parameter = JointParameter::kKp;
  double opened = 0.0;
  double now = 0.0;
};

/// The person's wish for robot.yaml; the program carries it out.
#define JOINTRIG_PARAMETER_WISHES(X) X(kNone, "none") X(kCompare, "compare") X(kWrite, "write")
JOINTRIG_ENUM(ParameterWish, JOINTRIG_PARAMETER_WISHES)

/// Gains and limits of the joints while the loop runs: sliders, typed values, list of changes,
/// undo, and writing to robot.yaml after its difference is shown.
///
/// The panel's configuration follows when the loop has accepted a value (MotorPanel::see).
class ParameterDesk {
 public:
  explicit ParameterDesk(MotorPanel& panel) : panel_(&panel) {}

  /// Least and greatest value that the loop accepts now.
  [[nodiscard]] Interval range(JointIndex joint, JointParameter parameter) const;
  [[nodiscard]] double now(JointIndex joint, JointParameter parameter) const;
  [[nodiscard]] double opened(JointIndex joint, JointParameter parameter) const;
  [[nodiscard]] std::string shown(JointIndex joint, JointParameter parameter, double value) const;
  [[nodiscard]] std::string why_not() const;

  /// Moves a slider; nothing is sent before release().
  void drag(JointIndex joint, JointParameter parameter, double value);
  void release();
  /// Value under the hand, else now().
  [[nodiscard]] double ghost(JointIndex joint, JointParameter parameter) const;
  /// Handles Enter in a field. Returns the reason of a refusal; empty: it was sent.
  std::string type(JointIndex joint, JointParameter parameter, const std::string& text);
  void set(JointIndex joint, JointParameter parameter, double value);

  [[nodiscard]] std::vector<ChangedParameter> changed() const;
  /// Undoes the newest change; the next call undoes the one before.
  void undo();
  [[nodiscard]] bool can_undo() const noexcept { return !panel_->parameters.history().empty(); }
  /// Restores all values of the start.
  void undo_all();

  // The file.

  ParameterWish wish = ParameterWish::kNone;
  std::string file;        ///< robot.yaml; empty: the robot has none
  std::string difference;  ///< difference to write; empty: nothing to show
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

/// "N·m/rad", or "N/m" for a slide.
std::string_view unit_of(JointParameter parameter, bool slide) noexcept;

}  // namespace jointrig::gui
