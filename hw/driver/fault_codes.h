#pragma once
/// Between the error codes of a drive (603Fh, EMCY) and the faults of a joint.
///
/// Drives agree on the classes of CiA 301 and on few details, so a code is looked up whole first
/// and then by its class; one of no class is a drive_fault, whose value is the code. The project's
/// own boards use the maker's range (FF00h and up) for what the standard has no code for.

#include <cstdint>

#include "control/core/faults.h"

namespace jointrig::hw {

/// kNone for 0000h alone.
[[nodiscard]] FaultCode fault_of(std::uint16_t error_code) noexcept;

/// The code that a board of the project tells a fault by; fault_of() gives the fault back.
[[nodiscard]] std::uint16_t error_code_of(FaultCode fault) noexcept;

}  // namespace jointrig::hw
