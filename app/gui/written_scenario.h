#pragma once
/// Choices that all scenarios written by the panel share: recorded sessions and sequences.

namespace jointrig::app {

inline constexpr double kLeastTimeout = 60.0;  ///< [s], that of a scenario which names none
inline constexpr double kApproach = 0.3;       ///< of v_max: the way to the first recorded pose

}  // namespace jointrig::app
