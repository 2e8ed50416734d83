#pragma once
/// A drive of another maker: it lacks objects, can't map some, or keeps its mapping. An IdealDrive
/// behind a gate that answers for it where it differs, frame by frame, so that what the driver
/// knows of it is what robot.yaml says.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "hw/canopen/abort_code.h"
#include "hw/canopen/bytes.h"
#include "tests/hw/canopen/ideal_drive.h"

namespace jointrig::hw {

struct Unlikeness {
  std::vector<std::uint16_t> lacks = {};       ///< objects that are not there
  std::vector<std::uint16_t> unmappable = {};  ///< there, but in no PDO
  bool keeps_mapping = false;                  ///< 1400h to 1AFFh are read-only
  bool maps_once = false;                      ///< an object can be in one place of its PDO alone
};

class UnlikeDrive {
 public:
  UnlikeDrive(std::uint8_t node, Unlikeness unlikeness)
      : node_number_(node), unlike_(std::move(unlikeness)), drive_(node) {
    // Objects by the maker of the project's board.
    for (const std::uint16_t own : {0x2010, 0x2011, 0x2020, 0x2030, 0x2040, 0x2041}) {
      unlike_.lacks.push_back(own);
    }
  }

  [[nodiscard]] canopen::IdealDrive& inside() noexcept { return drive_; }

  /// As its maker left it, or its own tool: past the gate.
  void set(std::uint16_t index, std::uint8_t sub, std::size_t bytes, std::uint32_t value) {
    std::array<std::uint8_t, 8> data{static_cast<std::uint8_t>(0x23U | (4 - bytes) << 2U)};
    canopen::store_little_endian(std::span(data).subspan(1), index, 2);
    data[3] = sub;
    canopen::store_little_endian(std::span(data).subspan(4), value, bytes);
    can::Frame frame;
    frame.id = 0x600U + node_number_;
    frame.size = 8;
    std::copy(data.begin(), data.end(), frame.data.begin());
    drive_.node().receive(frame, 0);
    while (const auto said = drive_.node().out().pop()) {
      if (said->id != 0x580U + node_number_) answers_.push_back(*said);
    }
  }

  /// Called after a reset, at which a drive takes up its maker's values again.
  std::function<void()> after_reset = [] {};

  void receive(const can::Frame& frame, std::int64_t now) {
    if (const auto refusal = refusal_of(frame); refusal != canopen::AbortCode::kNone) {
      can::Frame answer;
      answer.id = 0x580U + node_number_;
      answer.size = 8;
      answer.data[0] = 0x80;
      std::copy_n(frame.data.begin() + 1, 3, answer.data.begin() + 1);
      canopen::store_little_endian(std::span(answer.data).subspan(4),
                                   static_cast<std::uint32_t>(refusal), 4);
      answers_.push_back(answer);
      return;
    }
    drive_.node().receive(frame, now);
    const bool is_reset = frame.id == 0 && (frame.data[0] == 0x81 || frame.data[0] == 0x82);
    if (is_reset) after_reset();
  }

  [[nodiscard]] std::optional<can::Frame> next_frame() {
    if (answers_.empty()) return drive_.node().out().pop();
    const can::Frame frame = answers_.front();
    answers_.erase(answers_.begin());
    return frame;
  }

 private:
  static bool is_in(const std::vector<std::uint16_t>& list, std::uint32_t index) {
    return std::find(list.begin(), list.end(), index) != list.end();
  }

  canopen::AbortCode refusal_of(const can::Frame& frame) {
    if (frame.id != 0x600U + node_number_) return canopen::AbortCode::kNone;
    const unsigned command = frame.data[0] >> 5U;
    const bool is_write = command == 1;
    if (!is_write && command != 2) return canopen::AbortCode::kNone;
    const auto index = static_cast<std::uint32_t>(
        canopen::load_little_endian(std::span(frame.data).subspan(1), 2));
    if (is_in(unlike_.lacks, index)) return canopen::AbortCode::kNoObject;
    const bool is_of_pdos = index >= 0x1400 && index < 0x1C00;
    if (!is_write || !is_of_pdos) return canopen::AbortCode::kNone;
    if (unlike_.keeps_mapping) return canopen::AbortCode::kReadOnly;
    return mapping_refusal(index, frame);
  }

  canopen::AbortCode mapping_refusal(std::uint32_t index, const can::Frame& frame) {
    const bool is_mapping = (index & 0x200U) != 0;
    if (!is_mapping) return canopen::AbortCode::kNone;
    const auto word = static_cast<std::uint32_t>(
        canopen::load_little_endian(std::span(frame.data).subspan(4), 4));
    if (frame.data[3] == 0) {
      mapped_.clear();
      return canopen::AbortCode::kNone;
    }
    const std::uint32_t object = word >> 16U;
    const bool is_twice = unlike_.maps_once && is_in(mapped_, object);
    mapped_.push_back(static_cast<std::uint16_t>(object));
    const bool is_refused =
        is_twice || is_in(unlike_.lacks, object) || is_in(unlike_.unmappable, object);
    return is_refused ? canopen::AbortCode::kNotMappable : canopen::AbortCode::kNone;
  }

  std::uint8_t node_number_;
  Unlikeness unlike_;
  canopen::IdealDrive drive_;
  std::vector<can::Frame> answers_;
  std::vector<std::uint16_t> mapped_;  ///< since the count was set to 0
};

}  // namespace jointrig::hw
