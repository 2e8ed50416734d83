#pragma once
/// Which traces of a result are drawn where.

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
  std::string joint;  ///< "" for what belongs to none
  std::vector<Panel> panels;
};

struct FigurePlan {
  std::vector<Figure> open;       ///< in the page at once, what matters most first
  std::vector<Figure> folded;     ///< joints that were asked nothing and stood still, and the many
  std::optional<Figure> failure;  ///< what the failing moment is looked at with
};

/// Figures that are not folded away.
inline constexpr std::size_t kMostOpenFigures = 8;

/// One figure a joint, with position, torque and what else there is of it, and one for everything
/// that belongs to no joint. First come the joints that the failure names, then the world, then the
/// joints that a step, assertion or metric names, then those that moved. Words and flags by number
/// (mode, fault) are no curves and left out.
FigurePlan plan_figures(const Result& result);

/// Part that a trace plays in its panel: measured, reference, command or other.
std::string_view role_of(const Trace& trace);

/// True where `word` stands in the text, not as a piece of a longer name.
bool names(std::string_view text, std::string_view word);

}  // namespace jointrig::harness::report
