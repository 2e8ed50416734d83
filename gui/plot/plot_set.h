#pragma once
/// Which signals are plotted where, and what is measured on them: the state of the plot panel.

#include <optional>
#include <string>
#include <vector>

#include "control/core/enumeration.h"
#include "gui/plot/axes.h"
#include "gui/plot/history.h"
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
  int colour = 0;  ///< index into the view's line colours; kept when others go
  LineStyle style = LineStyle::kThin;
  bool hidden = false;
  bool right = false;  ///< its values are on the axis at the right
};

struct Plot {
  std::vector<PlotLine> lines;
  std::optional<Span> values;  ///< absent: fitted to what is seen
  std::optional<Span> right_values;

  /// The axis at the right has something to tell.
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

  TimeAxis time;
  Cursors cursors;
  std::vector<Plot> plots;
  Trigger trigger;
  bool reads_steps = false;  ///< step responses between the cursors are shown

  /// Each frame: the time axis follows, or shows what the trigger caught.
  void update(const History& history);

  /// Measured and reference of a joint in a plot of their own, error below, torque below that.
  void show_joint(const History& history, JointIndex joint);
  /// Into this plot; in none twice.
  void add(std::size_t plot, std::size_t signal, bool right = false);
  /// From the axis at the left to the one at the right, or back.
  void to_other_axis(std::size_t plot, std::size_t signal);
  void remove(std::size_t plot, std::size_t signal);
  /// Hides all others of its plot; once more: shows all.
  void solo(std::size_t plot, std::size_t signal);
  void toggle(std::size_t plot, std::size_t signal);
  /// Another look; nothing where there is no such line.
  void set_look(std::size_t plot, std::size_t signal, int colour, LineStyle style);
  void add_plot();
  void remove_plot(std::size_t plot);

  /// What a plot's value axis spans: what was chosen, or what its lines have in the time shown.
  [[nodiscard]] Span values_of(const Plot& plot, const History& history, bool right = false) const;
  /// Puts the cursors at a third and two thirds of what is shown.
  void show_cursors();

 private:
  PlotLine* find(std::size_t plot, std::size_t signal);
};

/// A signal at the two cursors and between them.
struct CursorReading {
  double at_a = 0.0;  ///< NaN where nothing is kept
  double at_b = 0.0;
  Statistics between;
};
/// Of the step between the cursors, against the signal's reference where it has one there.
std::optional<StepReading> read_step(const History& history, std::size_t signal,
                                     const Cursors& cursors);
CursorReading read_cursors(const History& history, std::size_t signal, const Cursors& cursors);

/// What the cursors read of every line, as a table for a spreadsheet: tabs between the columns.
std::string cursor_table_text(const PlotSet& plots, const History& history);

}  // namespace jointrig::gui
