#pragma once

#include <array>
#include <string_view>

namespace jointrig {

/// The six numbers of a tool, as they are named: along x y z, then about them.
inline constexpr std::array<std::string_view, 6> kToolAxisNames{"x", "y", "z", "rx", "ry", "rz"};

}  // namespace jointrig
