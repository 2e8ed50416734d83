#pragma once
/// The layout that both ends of an SDO share (CiA 301, 7.2.4.3).

#include <algorithm>
#include <cstdint>
#include <span>

#include "hw/can/frame.h"
#include "hw/canopen/bytes.h"

namespace jointrig::canopen::sdo {

/// Bits 5..7 of the first byte: what is asked (client) or answered (server).
enum class Client : std::uint8_t {
  kDownloadSegment = 0,
  kStartDownload = 1,
  kStartUpload = 2,
  kUploadSegment = 3,
  kAbort = 4,
  kBlockUpload = 5,
  kBlockDownload = 6,
};
enum class Server : std::uint8_t {
  kUploadSegment = 0,
  kDownloadSegment = 1,
  kStartUpload = 2,
  kStartDownload = 3,
  kAbort = 4,
};

inline constexpr std::uint8_t kAbortByte = 0x80;
inline constexpr std::uint8_t kToggleBit = 0x10;
inline constexpr std::uint8_t kLastSegment = 0x01;
inline constexpr std::uint8_t kExpedited = 0x02;
inline constexpr std::uint8_t kSizeGiven = 0x01;
inline constexpr std::size_t kSegmentBytes = 7;

/// {command, index, sub-index, 4 bytes of data}.
[[nodiscard]] inline can::Frame frame(std::uint32_t id, std::uint8_t command, std::uint16_t index,
                                      std::uint8_t sub, std::uint32_t data) noexcept {
  std::uint8_t bytes[8] = {command, static_cast<std::uint8_t>(index),
                           static_cast<std::uint8_t>(index >> 8), sub};
  store_little_endian(std::span(bytes).subspan(4), data, 4);
  return can::data_frame(id, bytes);
}

/// {command, up to 7 bytes of data, zeros}; `command` gets the count of bytes left unused.
[[nodiscard]] inline can::Frame segment(std::uint32_t id, std::uint8_t command,
                                        std::span<const std::uint8_t> data) noexcept {
  std::uint8_t bytes[8] = {};
  bytes[0] = static_cast<std::uint8_t>(command | (kSegmentBytes - data.size()) << 1);
  std::ranges::copy(data, bytes + 1);
  return can::data_frame(id, bytes);
}

/// Bytes in an expedited message: 4 less those it says are unused, all 4 if it does not say.
[[nodiscard]] constexpr std::size_t expedited_size(std::uint8_t command) noexcept {
  return (command & kSizeGiven) != 0 ? 4U - (command >> 2 & 3U) : 4U;
}

/// Bytes in a segment.
[[nodiscard]] constexpr std::size_t segment_size(std::uint8_t command) noexcept {
  return kSegmentBytes - (command >> 1 & 7U);
}

}  // namespace jointrig::canopen::sdo
