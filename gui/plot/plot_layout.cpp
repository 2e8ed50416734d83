#include "gui/plot/plot_layout.h"

namespace jointrig::gui {
namespace {

std::string own_name(const History& history, const std::string& name, JointIndex selected) {
  const std::string prefix = std::string(kSelectedJoint) + ".";
  if (!name.starts_with(prefix)) return name;
  return history.joint_name(selected) + "." + name.substr(prefix.size());
}

}  // namespace

std::vector<std::string> show_layout(const PlotLayout& layout, const History& history,
                                     JointIndex selected, PlotSet& plots) {
  std::vector<std::string> missing;
  plots.plots.clear();
  for (const std::vector<std::string>& names : layout.plots) {
    if (plots.plots.size() == PlotSet::kMostPlots) break;
    plots.plots.emplace_back();
    for (std::string written : names) {
      const bool right = written.ends_with(kOnTheRight);
      if (right) written.resize(written.size() - kOnTheRight.size());
      const std::string name = own_name(history, written, selected);
      if (const std::optional<std::size_t> signal = history.signal_named(name)) {
        plots.add(plots.plots.size() - 1, *signal, right);
      } else {
        missing.push_back(name);
      }
    }
  }
  plots.time.follow(true);
  plots.time.set_span(layout.span);
  return missing;
}

PlotLayout layout_of(const PlotSet& plots, const History& history, JointIndex selected,
                     std::string name) {
  PlotLayout layout{std::move(name), plots.time.shown().size(), {}};
  for (const Plot& plot : plots.plots) {
    std::vector<std::string>& names = layout.plots.emplace_back();
    for (const PlotLine& line : plot.lines) {
      std::string signal = history.name(line.signal);
      if (history.joint_of(line.signal) == selected && selected != kNoJoint) {
        signal = std::string(kSelectedJoint) + signal.substr(history.joint_name(selected).size());
      }
      if (line.right) signal += kOnTheRight;
      names.push_back(std::move(signal));
    }
  }
  return layout;
}

}  // namespace jointrig::gui
