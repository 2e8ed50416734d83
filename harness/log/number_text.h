#pragma once
/// A number of a command out of its range, as a part of a sentence.

#include <cstddef>
#include <string>

#include "control/core/command.h"

namespace jointrig::harness {

/// For a number of the command itself, which belongs to no joint.
/// @param place  from 0 (control/core/command_field.h)
std::string number_out_of_range(CommandKind kind, std::size_t place, double value, double limit);

}  // namespace jointrig::harness
