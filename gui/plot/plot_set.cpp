#include "gui/plot/plot_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace jointrig::gui {
namespace {

int free_colour(const Plot& plot) {
  for (int colour = 0;; ++colour) {
    const bool taken = std::any_of(plot.lines.begin(), plot.lines.end(),
                                   [colour](const PlotLine& l) { return l.colour == colour; });
    if (!taken) return colour;
  }
}

std::uint64_t index_at(const History& history, double time) {
  return static_cast<std::uint64_t>(std::llround(std::max(0.0, history.index_of(time))));
}

}  // namespace

double value_at(const History& history, std::size_t signal, double time) {
  const SampleRing& series = history.series(signal);
  const std::uint64_t i = index_at(history, time);
  const bool kept = time >= 0.0 && i >= series.begin() && i < series.end();
  return kept ? series.at(i) : std::numeric_limits<double>::quiet_NaN();
}

std::string axis_unit(const Plot& plot, const History& history, bool right) {
  std::vector<std::string_view> units;
  for (const PlotLine& line : plot.lines) {
    const std::string_view unit = history.unit(line.signal);
    const bool is_new = std::find(units.begin(), units.end(), unit) == units.end();
    if (!line.hidden && line.right == right && is_new) units.push_back(unit);
  }
  return fmt::format("{}", fmt::join(units, ", "));
}

bool Plot::has_right() const noexcept {
  return std::any_of(lines.begin(), lines.end(),
                     [](const PlotLine& line) { return line.right && !line.hidden; });
}

void PlotSet::show_joint(const History& history, JointIndex joint) {
  plots.clear();
  const auto plot_of = [&](std::initializer_list<JointTrace> traces) {
    plots.emplace_back();
    for (const JointTrace trace : traces) add(plots.size() - 1, history.signal(joint, trace));
  };
  plot_of({JointTrace::kPosition, JointTrace::kReference});
  plot_of({JointTrace::kError});
  plot_of({JointTrace::kVelocity, JointTrace::kVelocityReference});
  plot_of({JointTrace::kTorque, JointTrace::kTorqueSent});
}

void PlotSet::update(const History& history) {
  const auto shown = kept.shown_window();
  time.update(shown ? std::min(history.oldest(), shown->time.low) : history.oldest(),
              history.newest());
  faults_.update(history, plotted(history), kept);
  if (const std::optional<Span> caught = trigger.update(history)) {
    kept.keep(history, plotted_with(history, trigger.settings.signal), *caught, *trigger.at(),
              "trigger " + history.name(trigger.settings.signal));
    kept.show(std::nullopt);
    time.put(*caught);
  } else if (trigger.armed() && trigger.free_running() && !time.follows()) {
    time.follow(true);
    time.set_span(trigger.settings.span);
  }
}

std::vector<std::size_t> PlotSet::plotted(const History& history) const {
  std::vector<JointIndex> joints;
  std::vector<std::size_t> signals;
  for (const Plot& plot : plots) {
    for (const PlotLine& line : plot.lines) {
      const JointIndex joint = history.joint_of(line.signal);
      if (joint == kNoJoint) {
        signals.push_back(line.signal);
      } else {
        joints.push_back(joint);
      }
    }
  }
  return signals_of_joints(history, joints, std::move(signals));
}

std::vector<std::size_t> PlotSet::plotted_with(const History& history, std::size_t signal) const {
  std::vector<std::size_t> signals = plotted(history);
  const JointIndex joint = history.joint_of(signal);
  if (joint != kNoJoint) return signals_of_joints(history, {joint}, std::move(signals));
  signals.push_back(signal);
  return signals_of_joints(history, {}, std::move(signals));
}

void PlotSet::freeze_or_follow(const History& history) {
  if (!time.follows()) return follow();
  time.follow(false);
  const Span shown = time.shown();
  kept.keep(history, plotted(history), shown, std::max(shown.low, history.oldest()), "frozen");
}

void PlotSet::follow() {
  kept.show(std::nullopt);
  time.follow(true);
}

void PlotSet::show_kept(std::optional<std::size_t> window) {
  kept.show(window);
  if (const auto shown = kept.shown_window()) {
    time.put(shown->time);
  } else {
    time.follow(true);
  }
}

double PlotSet::over_shift() const noexcept {
  const KeptWindow* const over = kept.over_window();
  if (over == nullptr) return 0.0;
  if (const auto shown = kept.shown_window()) return shown->zero - over->zero;
  const std::optional<double> caught = trigger.at();
  const Span sight = time.shown();
  if (caught && *caught >= sight.low && *caught <= sight.high) return *caught - over->zero;
  return sight.low - over->time.low;
}

PlotLine* PlotSet::find(std::size_t plot, std::size_t signal) {
  if (plot >= plots.size()) return nullptr;
  for (PlotLine& line : plots[plot].lines) {
    if (line.signal == signal) return &line;
  }
  return nullptr;
}

void PlotSet::add(std::size_t plot, std::size_t signal, bool right) {
  if (plot >= plots.size() || find(plot, signal) != nullptr) return;
  plots[plot].lines.push_back({signal, free_colour(plots[plot]), LineStyle::kThin, false, right});
}

void PlotSet::to_other_axis(std::size_t plot, std::size_t signal) {
  PlotLine* const line = find(plot, signal);
  if (line == nullptr) return;
  line->right = !line->right;
  plots[plot].values.reset();  // the chosen range was for other lines
  plots[plot].right_values.reset();
}

void PlotSet::remove(std::size_t plot, std::size_t signal) {
  if (plot >= plots.size()) return;
  std::erase_if(plots[plot].lines, [signal](const PlotLine& l) { return l.signal == signal; });
}

void PlotSet::toggle(std::size_t plot, std::size_t signal) {
  if (PlotLine* line = find(plot, signal)) line->hidden = !line->hidden;
}

void PlotSet::set_look(std::size_t plot, std::size_t signal, int colour, LineStyle style) {
  PlotLine* const line = find(plot, signal);
  if (line == nullptr) return;
  line->colour = colour;
  line->style = style;
}

void PlotSet::solo(std::size_t plot, std::size_t signal) {
  if (find(plot, signal) == nullptr) return;
  std::vector<PlotLine>& lines = plots[plot].lines;
  const bool is_alone = std::all_of(lines.begin(), lines.end(), [signal](const PlotLine& l) {
    return l.hidden == (l.signal != signal);
  });
  for (PlotLine& line : lines) line.hidden = !is_alone && line.signal != signal;
}

void PlotSet::add_plot() {
  if (plots.size() < kMostPlots) plots.emplace_back();
}

Span PlotSet::values_of(const Plot& plot, const History& history, bool right) const {
  const std::optional<Span>& chosen = right ? plot.right_values : plot.values;
  if (chosen) return *chosen;
  Extremes all;
  double step = 0.0;  // of the coarsest
  const Span shown = time.shown();
  const KeptWindow* const over = kept.over_window();
  const double shift = over_shift();
  for (const PlotLine& line : plot.lines) {
    if (line.hidden || line.right != right) continue;
    if (over != nullptr && over->series.count(line.signal) != 0) {
      all.add(over->series.at(line.signal)
                  .extremes(index_at(history, shown.low - shift),
                            index_at(history, shown.high - shift) + 1));
    }
    step = std::max(step, history.resolution(line.signal));
    all.add(history.series(line.signal)
                .extremes(index_at(history, shown.low), index_at(history, shown.high) + 1));
  }
  return fitted(all.low, all.high, kLeastSteps * step);
}

void PlotSet::show_cursors() {
  const Span shown = time.shown();
  cursors = {true, shown.low + shown.size() / 3.0, shown.low + 2.0 * shown.size() / 3.0};
}

std::optional<StepReading> read_step(const History& history, std::size_t signal,
                                     const Cursors& cursors) {
  const std::uint64_t from = index_at(history, std::min(cursors.a, cursors.b));
  const std::uint64_t to = index_at(history, std::max(cursors.a, cursors.b)) + 1;
  const SampleRing& series = history.series(signal);
  if (const std::optional<std::size_t> reference = history.reference_of(signal)) {
    const auto found =
        step_response(series, &history.series(*reference), from, to, history.period());
    if (found) return found;
  }
  return step_response(series, nullptr, from, to, history.period());
}

CursorReading read_cursors(const History& history, std::size_t signal, const Cursors& cursors) {
  const double from = std::min(cursors.a, cursors.b);
  const double to = std::max(cursors.a, cursors.b);
  return {value_at(history, signal, cursors.a), value_at(history, signal, cursors.b),
          statistics(history.series(signal), index_at(history, from), index_at(history, to) + 1)};
}

std::string cursor_table_text(const PlotSet& plots, const History& history) {
  const Cursors& cursors = plots.cursors;
  std::string text =
      fmt::format("signal\tunit\tA: {:.6f} s\tB: {:.6f} s\tB - A\tmin\tmax\tmean\trms\tstd\n",
                  cursors.a, cursors.b);
  for (const Plot& plot : plots.plots) {
    for (const PlotLine& line : plot.lines) {
      const CursorReading r = read_cursors(history, line.signal, cursors);
      text += history.name(line.signal) + "\t" + std::string(history.unit(line.signal));
      for (const double value : {r.at_a, r.at_b, r.at_b - r.at_a, r.between.low, r.between.high,
                                 r.between.mean, r.between.rms, r.between.deviation}) {
        text += fmt::format("\t{:.9g}", value);
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace jointrig::gui
