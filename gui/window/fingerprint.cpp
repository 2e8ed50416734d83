#include "gui/window/fingerprint.h"

#include <imgui.h>

#include <bit>
#include <cstddef>
#include <cstring>

namespace jointrig::gui {
namespace {

/// Four lanes of a multiplicative hash: a megabyte of vertices takes about 0.1 ms.
class Hash {
 public:
  void add(const void* data, std::size_t size) noexcept {
    const auto* at = static_cast<const unsigned char*>(data);
    std::size_t lane = 0;
    for (; size >= sizeof(std::uint64_t); size -= sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, sizeof word);
      mix(lane, word);
      lane = (lane + 1) % 4;
      at += sizeof word;
    }
    std::uint64_t rest = size;
    std::memcpy(&rest, at, size);
    mix(lane, rest ^ 0x9E3779B97F4A7C15U);
  }
  template <typename T>
  void add(const T& value) noexcept {
    add(&value, sizeof value);
  }
  [[nodiscard]] std::uint64_t value() const noexcept {
    std::uint64_t all = 0;
    for (const std::uint64_t lane : lanes_) all = (std::rotl(all, 17) ^ lane) * kPrime;
    return all == 0 ? 1 : all;
  }

 private:
  static constexpr std::uint64_t kPrime = 0x100000001B3U;  // of FNV-1a
  void mix(std::size_t lane, std::uint64_t word) noexcept {
    lanes_[lane] = std::rotl((lanes_[lane] ^ word) * kPrime, 29);
  }
  std::uint64_t lanes_[4]{1, 2, 3, 4};
};

}  // namespace

std::uint64_t fingerprint(const ImDrawData& drawn) noexcept {
  Hash hash;
  hash.add(drawn.DisplayPos);
  hash.add(drawn.DisplaySize);
  hash.add(drawn.FramebufferScale);
  for (int i = 0; i < drawn.CmdListsCount; ++i) {
    const ImDrawList& list = *drawn.CmdLists[i];
    hash.add(list.VtxBuffer.Data, static_cast<std::size_t>(list.VtxBuffer.size_in_bytes()));
    hash.add(list.IdxBuffer.Data, static_cast<std::size_t>(list.IdxBuffer.size_in_bytes()));
    for (const ImDrawCmd& command : list.CmdBuffer) {
      hash.add(command.ClipRect);
      hash.add(command.TextureId);
      hash.add(command.VtxOffset);
      hash.add(command.IdxOffset);
      hash.add(command.ElemCount);
    }
  }
  return hash.value();
}

}  // namespace jointrig::gui
