#pragma once
/// Text about a fault beyond its sentence (control/core/faults.h): numbers with units, age, usual
/// causes.

#include <string>
#include <string_view>

#include "control/core/faults.h"

namespace jointrig::gui {

/// Usual causes, most likely first; one line.
std::string_view likely_causes(FaultCode code) noexcept;

/// "the motor is too hot: 92.1 °C, limit 90.0 °C". Angles and speeds in degrees.
std::string fault_text(const Fault& fault, bool slide);

/// "4 s ago", "3 min ago"; whole seconds, so that a line on the screen doesn't flicker.
std::string ago_text(double seconds);

}  // namespace jointrig::gui
