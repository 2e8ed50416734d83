#pragma once

#include <cstdint>

struct ImDrawData;

namespace jointrig::gui {

/// Of all that would be drawn: vertices, indices, textures, clips, size. Equal for equal pictures
/// as long as the textures keep their content; never 0.
std::uint64_t fingerprint(const ImDrawData& drawn) noexcept;

}  // namespace jointrig::gui
