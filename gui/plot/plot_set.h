#pragma once
/// State of the plot panel: plots, their signals, cursors and measurements.

#include <optional>
#include <string>
#include <vector>

#include "control/core/enumeration.h"
#include "gui/plot/axes.h"
#include "gui/plot/history.h"
#include "gui/plot/kept_windows.h"
#include "gui/plot/step_response.h"
#include "gui/plot/trigger.h"

namespace jointrig::gui {

#define JOINTRIG_LINE_STYLES(X) \
  X(kThin, "thin")              \
  X(kThick, "thick")            \
  X(kDashed, "dashed")
JOINTRIG_ENUM(LineStyle, JOINTRIG_LINE_STYLES)

struct PlotLine {
  std::size_t signal = 0;
  int colour = 0;  ///< index into the view's line colours; stays when other lines are removed
  LineStyle style = LineStyle::kThin;
  bool hidden = false;
  bool right = false;  ///< its values use the axis at the right
};

struct Plot {
  std::vector<PlotLine> lines;
  std::optional<Span> values;  ///< absent: fitted to the visible values
  std::optional<Span> right_values;

  /// True if a line uses the axis at the right.
  [[nodiscard]] bool has_right() const noexcept;
};

/// Two points in time [s of the history].
struct Cursors {
  bool on = false;
  double a = 0.0;
  double b = 0.0;
  [[nodiscard]] double dt() const noexcept { return b - a; }
};

class PlotSet {
 public:
  static constexpr std::size_t kMostPlots = 8;
  static constexpr double kLeastSteps = 20.0;  ///< a choice: a step of the sensor is seen as one

  TimeAxis time;
  Cursors cursors;
  std::vector<Plot> plots;
  Trigger trigger;
  bool reads_steps = false;  ///< step responses between the cursors are shown
  KeptWindows kept;          ///< of the trigger, of faults, frozen ones

  /// Call each frame: the time axis follows, or shows the trigger's capture; captures and windows
  /// around faults are kept.
  void update(const History& history);
  /// Holds the view and keeps it, or follows the newest sample.
  void freeze_or_follow(const History& history);
  /// Follows the newest sample; no kept window is shown.
  void follow();
  /// Shows a kept window in place of the record; none: follows.
  void show_kept(std::optional<std::size_t> window);
  /// Time to be added to the window that is laid over, so that both zeros coincide [s]. Over the
  /// record: on the trigger's last catch if that is in sight, else both begin at the left.
  [[nodiscard]] double over_shift() const noexcept;
  /// The signals of all joints in the plots, and the loop's that are there.
  [[nodiscard]] std::vector<std::size_t> plotted(const History& history) const;

  /// Measured and reference of a joint in a plot of their own, error below, torque below that.
  void show_joint(const History& history, JointIndex joint);
  /// Adds a signal to this plot, at most once in any plot.
  void add(std::size_t plot, std::size_t signal, bool right = false);
  /// Moves a signal between the left and the right axis.
  void to_other_axis(std::size_t plot, std::size_t signal);
  void remove(std::size_t plot, std::size_t signal);
  /// Hides all other lines of its plot; the second call shows all.
  void solo(std::size_t plot, std::size_t signal);
  void toggle(std::size_t plot, std::size_t signal);
  /// Sets a line's style; no effect without such a line.
  void set_look(std::size_t plot, std::size_t signal, int colour, LineStyle style);
  void add_plot();

  /// Span of a plot's value axis: as chosen, or fitted to its lines in the visible time.
  /// Fitted it spans kLeastSteps of its sensor's resolution at least.
  [[nodiscard]] Span values_of(const Plot& plot, const History& history, bool right = false) const;
  /// Places the cursors at a third and two thirds of the visible time.
  void show_cursors();

 private:
  PlotLine* find(std::size_t plot, std::size_t signal);

  [[nodiscard]] std::vector<std::size_t> plotted_with(const History& history,
                                                      std::size_t signal) const;

  FaultWindows faults_;
};

/// Units of the lines on an axis, each once: "°, N·m".
std::string axis_unit(const Plot& plot, const History& history, bool right);
/// Value of a signal at a time of the history; NaN without a sample.
double value_at(const History& history, std::size_t signal, double time);

/// Values of a signal at the two cursors and between them.
struct CursorReading {
  double at_a = 0.0;  ///< NaN without a sample
  double at_b = 0.0;
  Statistics between;
};
/// The step response between the cursors, relative to the signal's reference if it has one there.
std::optional<StepReading> read_step(const History& history, std::size_t signal,
                                     const Cursors& cursors);
CursorReading read_cursors(const History& history, std::size_t signal, const Cursors& cursors);

/// Cursor values of every line, as a table for a spreadsheet with tabs between the columns.
std::string cursor_table_text(const PlotSet& plots, const History& history);

}  // namespace jointrig::gui
