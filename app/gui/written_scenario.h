#pragma once
/// Choices for all scenarios that the panel writes: recorded sessions and sequences.

namespace jointrig::app {

inline constexpr double kLeastTimeout = 60.0;  ///< [s], the default timeout of a scenario
/// Share of v_max for the move to the first recorded pose.
inline constexpr double kApproach = 0.3;

}  // namespace jointrig::app
