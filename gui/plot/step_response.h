#pragma once

#include <cstdint>
#include <optional>

#include "gui/plot/series.h"

namespace jointrig::gui {

/// Response of a signal to a step of its reference, by the usual definitions:
///
///     y0      value when the reference begins to change
///     y_end   mean of the last twentieth of the samples
///     rise        time from 10 % to 90 % of the distance y0 → y_end
///     overshoot   excess beyond y_end relative to |y_end - y0|
///     settling    time from the step until it stays within 2 % of |y_end - y0| around y_end
///     error       reference at the end minus y_end
struct StepReading {
  double from = 0.0;       ///< y0, in the signal's unit
  double to = 0.0;         ///< y_end
  double rise = 0.0;       ///< [s]
  double overshoot = 0.0;  ///< a share; 0: none
  double settling = 0.0;   ///< [s]; NaN: not settled
  double error = 0.0;      ///< in the signal's unit
};

/// Step response in the samples [from, to). Absent if a sample is missing, if there is no step (the
/// distance is less than four times the final variation), or if the signal never arrives.
/// @param reference  null: the step is at `from`, and its goal is y_end
/// @param period  [s]
std::optional<StepReading> step_response(const SampleRing& signal, const SampleRing* reference,
                                         std::uint64_t from, std::uint64_t to, double period);

}  // namespace jointrig::gui
