#pragma once
/// Frames as candump writes them, "605#4041600000000000", so that tests read as a log does.

#include <string>
#include <vector>

#include "hw/can/frame.h"
#include "hw/canopen/frame_queue.h"

namespace jointrig::canopen {

inline std::string to_text(const can::Frame& frame) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  for (int shift = frame.extended ? 28 : 8; shift >= 0; shift -= 4) {
    text += kDigits[frame.id >> shift & 0xF];
  }
  text += '#';
  for (const std::uint8_t byte : frame.bytes()) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xF];
  }
  return text;
}

/// "605#40..." with 3 digits of identifier, or 8 of an extended one. For tests: no checks.
inline can::Frame from_text(const std::string& text) {
  const auto hash = text.find('#');
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = hash + 1; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  }
  can::Frame frame = can::data_frame(
      static_cast<std::uint32_t>(std::stoul(text.substr(0, hash), nullptr, 16)), bytes);
  return frame;
}

/// Takes all that wait.
inline std::vector<std::string> taken_from(FrameQueue& queue) {
  std::vector<std::string> texts;
  while (const auto frame = queue.pop()) texts.push_back(to_text(*frame));
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace jointrig::canopen
