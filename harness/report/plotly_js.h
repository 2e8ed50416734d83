#pragma once

#include <string_view>

namespace jointrig::harness {

/// plotly.js, minified, with its licence header (MIT, Plotly Inc.).
std::string_view plotly_js() noexcept;

}  // namespace jointrig::harness
