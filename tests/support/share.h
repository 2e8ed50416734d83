#pragma once
/// The share of long cases that is run at each change: JOINTRIG_SHARE=K/N (docs/ci.md).

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace jointrig::testing {

[[nodiscard]] inline bool has_shares() { return std::getenv("JOINTRIG_SHARE") != nullptr; }

/// True for every case without JOINTRIG_SHARE; else each is in just one of N shares, by its name.
[[nodiscard]] inline bool in_share(std::string_view name) {
  const char* share = std::getenv("JOINTRIG_SHARE");
  if (share == nullptr) return true;
  const std::string text = share;
  const std::size_t slash = text.find('/');
  std::uint32_t hash = 2166136261U;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619U;
  return hash % std::stoul(text.substr(slash + 1)) == std::stoul(text.substr(0, slash));
}

}  // namespace jointrig::testing
