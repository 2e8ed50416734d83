#pragma once

#include <string_view>

namespace jointrig::app {

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace jointrig::app
