#pragma once

#include <array>
#include <string_view>

namespace jointrig {

/// Names of a tool's six numbers: along x y z, then about them.
inline constexpr std::array<std::string_view, 6> kToolAxisNames{"x", "y", "z", "rx", "ry", "rz"};

}  // namespace jointrig
