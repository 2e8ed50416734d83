#pragma once
/// Choices that the path of a tool and the way onto it share.

#include <cstddef>

namespace jointrig::tool_choices {

/// Step of the difference at an end of a stretch [s].
inline constexpr double kSlopeStep = 5e-4;
/// Share of the tool's bounds that is used: room for what they change within an interval of the
/// grid, at whose ends they are set.
inline constexpr double kShareOfBounds = 0.998;
/// Intervals of a piece of the lead-in when it is looked for.
inline constexpr std::size_t kLeadGrid = 4;

}  // namespace jointrig::tool_choices
