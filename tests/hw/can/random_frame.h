#pragma once
/// Valid frames of every kind, from a seed.

#include <random>

#include "hw/can/frame.h"

namespace jointrig::can {

enum class FrameKinds { kClassic, kClassicData, kAll };

/// Bytes are drawn from few values too, so that long runs of equal bits are common.
inline Frame random_frame(std::mt19937& random, FrameKinds kinds = FrameKinds::kAll) {
  const auto pick = [&](std::uint32_t below) {
    return std::uniform_int_distribution<std::uint32_t>(0, below - 1)(random);
  };
  const auto runs = [&](std::uint32_t any) {
    constexpr std::array<std::uint32_t, 6> kRuns{0U, ~0U, 0x0F0F0F0F, 0x83E0F83E, 0x7C1F07C1, 0x1F};
    return pick(3) == 0 ? any : kRuns[pick(kRuns.size())];
  };
  Frame frame;
  frame.extended = pick(2) == 1;
  frame.id = runs(random()) & (frame.extended ? kMaxExtendedId : kMaxStandardId);
  frame.fd = kinds == FrameKinds::kAll && pick(2) == 1;
  frame.size = kFdSizes[pick(frame.fd ? 16 : 9)];
  if (frame.fd) {
    frame.bit_rate_switch = pick(2) == 1;
    frame.error_state = pick(2) == 1;
  } else {
    frame.remote = kinds != FrameKinds::kClassicData && pick(4) == 0;
  }
  if (!frame.remote) {
    for (std::size_t i = 0; i < frame.size; ++i) {
      frame.data[i] = static_cast<std::uint8_t>(runs(random()));
    }
  }
  return frame;
}

}  // namespace jointrig::can
