#pragma once
/// Assigns the traces of a result to figures.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/runner/result.h"

namespace jointrig::harness::report {

/// One pair of axes: quantities of one kind and unit.
struct Panel {
  std::string title;
  std::string unit;
  std::vector<std::size_t> traces;  ///< into Result::traces.signals
};

/// Panels one below the other, on one time axis.
struct Figure {
  std::string title;
  std::string joint;  ///< "" if it belongs to no joint
  std::vector<Panel> panels;
};

struct FigurePlan {
  std::vector<Figure> open;  ///< shown at once, most important first
  std::vector<Figure>
      folded;  ///< folded: joints without a command that stood still, and the rest of many
  std::optional<Figure> failure;  ///< figure for the failing moment
};

/// Largest number of figures that are not folded.
inline constexpr std::size_t kMostOpenFigures = 8;

/// One figure per joint, with position, torque and its other traces, and one for all traces without
/// a joint. Order: joints that the failure names, the world, joints that a step, assertion or
/// metric names, joints that moved. Words and flags as numbers (mode, fault) are left out.
FigurePlan plan_figures(const Result& result);

/// Role of a trace in its panel: measured, reference, command or other.
std::string_view role_of(const Trace& trace);

/// True if `word` occurs in the text, not as part of a longer name.
bool names(std::string_view text, std::string_view word);

}  // namespace jointrig::harness::report
