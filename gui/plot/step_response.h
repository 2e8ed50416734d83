#pragma once

#include <cstdint>
#include <optional>

#include "gui/plot/series.h"

namespace jointrig::gui {

/// What a signal does after a step of its reference, as textbooks read it:
///
///     y0      where it was when the reference left its place
///     y_end   mean of the last twentieth of what is looked at
///     rise        time from 10 % to 90 % of the way y0 → y_end
///     overshoot   how far beyond y_end, of |y_end - y0|
///     settling    time from the step until it stays within 2 % of |y_end - y0| around y_end
///     error       reference at the end minus y_end
struct StepReading {
  double from = 0.0;       ///< y0, in the signal's unit
  double to = 0.0;         ///< y_end
  double rise = 0.0;       ///< [s]
  double overshoot = 0.0;  ///< a fraction; 0: none
  double settling = 0.0;   ///< [s]; NaN: it hasn't settled
  double error = 0.0;      ///< in the signal's unit
};

/// Of the samples [from, to). Absent where one is missing, where nothing steps (the way is less
/// than four times what the signal wavers by in the end), or where it never gets there.
/// @param reference  null: the step is at `from`, and its goal is y_end
/// @param period     [s]
std::optional<StepReading> step_response(const SampleRing& signal, const SampleRing* reference,
                                         std::uint64_t from, std::uint64_t to, double period);

}  // namespace jointrig::gui
