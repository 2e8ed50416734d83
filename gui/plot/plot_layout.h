#pragma once
/// Named sets of plots, which people keep for a kind of work.

#include <string>
#include <string_view>
#include <vector>

#include "gui/plot/plot_set.h"

namespace jointrig::gui {

/// Used in place of a joint's name: the joint that is selected when the set is shown.
inline constexpr std::string_view kSelectedJoint = "selected";

/// Suffix of a signal whose values use the axis at the right.
inline constexpr std::string_view kOnTheRight = " (right)";

struct PlotLayout {
  std::string name;
  double span = 10.0;                           ///< of time [s]
  std::vector<std::vector<std::string>> plots;  ///< names of signals, from top to bottom

  bool operator==(const PlotLayout&) const = default;
};

/// Shows the layout in place of the present plots.
/// @returns names of signals that this robot lacks
std::vector<std::string> show_layout(const PlotLayout& layout, const History& history,
                                     JointIndex selected, PlotSet& plots);

/// The present plots as a layout. Signals of the selected joint are stored as `selected`'s.
PlotLayout layout_of(const PlotSet& plots, const History& history, JointIndex selected,
                     std::string name);

}  // namespace jointrig::gui
