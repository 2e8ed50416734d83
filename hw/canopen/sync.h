#pragma once
/// SYNC: the beat of a bus (CiA 301, 7.2.5). No data, or one counter byte 1..overflow.

#include <cstdint>
#include <optional>

#include "hw/canopen/frame_queue.h"

namespace jointrig::canopen {

inline constexpr std::uint32_t kSyncId = 0x080;

class SyncProducer {
 public:
  /// @param overflow  0: no counter; else 2..240, as 1019h
  explicit SyncProducer(std::uint8_t overflow = 0, std::uint32_t id = kSyncId) noexcept
      : id_(id), overflow_(overflow) {}

  /// The next one, for a caller that keeps the time itself.
  [[nodiscard]] can::Frame next() noexcept;

  /// @param period  [ns]; 0 stops. The first is due at once.
  void start(std::int64_t period, std::int64_t now) noexcept;
  /// Sends one if it is due. Missed ones are skipped and counted, never sent after one another:
  /// two in a row would make every board take two steps.
  bool poll(std::int64_t now, FrameQueue& out) noexcept;
  [[nodiscard]] std::uint64_t skipped() const noexcept { return skipped_; }

 private:
  std::uint32_t id_;
  std::uint8_t overflow_;
  std::uint8_t counter_ = 0;
  std::int64_t period_ = 0;
  std::int64_t next_ = 0;
  std::uint64_t skipped_ = 0;
};

/// Does a SYNC have the length that 1019h wants: one byte with a counter, none without?
[[nodiscard]] constexpr bool sync_length_fits(const can::Frame& frame,
                                              std::uint8_t overflow) noexcept {
  return frame.size == (overflow == 0 ? 0 : 1);
}

}  // namespace jointrig::canopen
