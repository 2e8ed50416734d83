#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace jointrig::app {

/// FNV-1a (Fowler, Noll, Vo), 64 bits.
inline std::uint64_t hash_of(std::string_view text) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

/// Sixteen digits.
inline std::string hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

}  // namespace jointrig::app
