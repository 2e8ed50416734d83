#pragma once

#include <array>
#include <string_view>

namespace jointrig {

/// Names of a tool's six numbers: along x y z, then about them.
inline constexpr std::array<std::string_view, 6> kToolAxisNames{"x", "y", "z", "rx", "ry", "rz"};
/// Names of the six numbers of a LoadInertia (load.h).
inline constexpr std::array<std::string_view, 6> kMomentNames{"xx", "yy", "zz", "xy", "xz", "yz"};

}  // namespace jointrig
