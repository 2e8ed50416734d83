#pragma once

#include <cstdint>

struct ImDrawData;

namespace jointrig::gui {

/// Fingerprint of all drawing data: vertices, indices, textures, clips, size. Equal for equal
/// pictures if the textures keep their content; never 0.
std::uint64_t fingerprint(const ImDrawData& drawn) noexcept;

}  // namespace jointrig::gui
