#pragma once
/// Sets of plots with a name, as people keep them for a kind of work.

#include <string>
#include <string_view>
#include <vector>

#include "gui/plot/plot_set.h"

namespace jointrig::gui {

/// In place of a joint's name: the joint that is selected when the set is shown.
inline constexpr std::string_view kSelectedJoint = "selected";

/// Behind the name of a signal whose values are on the axis at the right.
inline constexpr std::string_view kOnTheRight = " (right)";

struct PlotLayout {
  std::string name;
  double span = 10.0;                           ///< of time [s]
  std::vector<std::vector<std::string>> plots;  ///< names of signals, from top to bottom

  bool operator==(const PlotLayout&) const = default;
};

/// Shows it in place of what was there.
/// @returns names of signals that this robot hasn't got
std::vector<std::string> show_layout(const PlotLayout& layout, const History& history,
                                     JointIndex selected, PlotSet& plots);

/// What is shown, to be kept. Signals of the joint that is selected are kept as `selected`'s.
PlotLayout layout_of(const PlotSet& plots, const History& history, JointIndex selected,
                     std::string name);

}  // namespace jointrig::gui
