#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "control/core/changed_parameter.h"
#include "control/safety/admission.h"
#include "gui/panel/gain_scale.h"
#include "gui/panel/panel.h"

namespace jointrig::gui {

/// The person's wish for robot.yaml; the program carries it out.
#define JOINTRIG_PARAMETER_WISHES(X) X(kNone, "none") X(kCompare, "compare") X(kWrite, "write")
JOINTRIG_ENUM(ParameterWish, JOINTRIG_PARAMETER_WISHES)

/// Gains and limits of the joints while the loop runs: sliders, typed values, list of changes,
/// undo, and writing to robot.yaml after its difference is shown. Each parameter has three values:
///
///     now      runs in the loop
///     in_file  what robot.yaml gives, as it was opened or last written here
///     opened   with which the robot was opened
///
/// The difference of the first two is written, so that an undo after a write is written as well.
///
/// The panel's configuration follows when the loop has accepted a value (MotorPanel::see).
class ParameterDesk {
 public:
  explicit ParameterDesk(MotorPanel& panel) : panel_(&panel) {}

  /// Least and greatest value that the loop accepts now.
  [[nodiscard]] Interval range(JointIndex joint, JointParameter parameter) const;
  [[nodiscard]] double now(JointIndex joint, JointParameter parameter) const;
  [[nodiscard]] double opened(JointIndex joint, JointParameter parameter) const;
  [[nodiscard]] double in_file(JointIndex joint, JointParameter parameter) const;
  /// Slider of a gain around the value with which it was opened; of a limit up to that.
  [[nodiscard]] GainScale scale(JointIndex joint, JointParameter parameter) const;
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

  /// Since the robot was opened.
  [[nodiscard]] std::vector<ChangedParameter> changed() const;
  /// Relative to the file: what would be written.
  [[nodiscard]] std::vector<ChangedParameter> unwritten() const;
  /// The file has these values now.
  void written(const std::vector<ChangedParameter>& changes);
  /// Undoes the newest change; the next call undoes the one before.
  void undo();
  [[nodiscard]] bool can_undo() const noexcept { return !panel_->parameters.history().empty(); }
  /// Restores all values of the start.
  void undo_all();

  // Margin.

  /// Largest value of a gain that is stable with margin, for a joint with this configuration; any
  /// time up to some ms. Set by the program; none: no margin is known.
  using MarginOf = std::function<double(JointIndex, const JointConfig&, JointParameter, double)>;
  MarginOf margin_of;
  /// Call each frame: one margin is worked out in it, if any is missing.
  void begin_frame() { may_work_ = true; }
  /// Infinity: none is known (yet).
  [[nodiscard]] double margin(JointIndex joint, JointParameter parameter);

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
  /// Margins of one joint with its present gains.
  struct Margins {
    JointIndex joint = kNoJoint;
    JointGains gains;
    std::array<std::optional<double>, kAllJointParameter.size()> of;
  };
  using Before = double (ParameterDesk::*)(JointIndex, JointParameter) const;
  [[nodiscard]] std::vector<ChangedParameter> since(Before before) const;

  MotorPanel* panel_;
  std::optional<Ghost> ghost_;
  std::map<std::pair<JointIndex, JointParameter>, double> written_;
  Margins margins_;
  bool may_work_ = false;
};

/// "N·m/rad", or "N/m" for a slide.
std::string_view unit_of(JointParameter parameter, bool slide) noexcept;

}  // namespace jointrig::gui
