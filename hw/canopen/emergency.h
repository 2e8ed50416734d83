#pragma once
/// EMCY: an error in a device, sent once when it begins and once when no error is left
/// (CiA 301, 7.2.7).

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "hw/canopen/frame_queue.h"
#include "hw/canopen/object_dictionary.h"

namespace jointrig::canopen {

inline constexpr std::uint32_t kEmergencyBase = 0x080;

/// The codes that the protocol itself raises.
namespace emergency_code {
inline constexpr std::uint16_t kNone = 0x0000;
inline constexpr std::uint16_t kHeartbeatLost = 0x8130;
inline constexpr std::uint16_t kPdoTooShort = 0x8210;
inline constexpr std::uint16_t kPdoTooLong = 0x8220;
inline constexpr std::uint16_t kSyncLength = 0x8240;
inline constexpr std::uint16_t kPdoTimeOut = 0x8250;
}  // namespace emergency_code

/// "following error"; a code that is not listed comes as its class ("temperature"), one of no
/// class as "an unlisted error".
[[nodiscard]] std::string_view emergency_in_words(std::uint16_t code) noexcept;

/// The bit of 1001h that goes with a code, bit 0 (generic) with every one.
[[nodiscard]] std::uint8_t error_register_of(std::uint16_t code) noexcept;

struct Emergency {
  std::uint16_t code = 0;
  std::uint8_t error_register = 0;  ///< 1001h
  std::array<std::uint8_t, 5> vendor{};
  friend bool operator==(const Emergency&, const Emergency&) = default;
};

/// Nothing unless the frame is an EMCY of 8 bytes (identifier 081h..0FFh).
[[nodiscard]] std::optional<Emergency> emergency_of(const can::Frame& frame) noexcept;
[[nodiscard]] can::Frame emergency_frame(std::uint32_t id, const Emergency& emergency) noexcept;

/// Keeps 1001h (present errors), 1003h (past errors, newest first) and sends EMCYs no
/// faster than 1015h. Objects that the device does not have are done without.
class EmergencyProducer {
 public:
  explicit EmergencyProducer(ObjectDictionary& objects);

  /// @param detail  tells errors of one code apart (which PDO, which node); first vendor byte
  /// @return false if it was there already: it is told once
  bool raise(std::uint16_t code, std::uint8_t detail = 0) noexcept;
  /// The error is gone. With the last one gone 0000h is sent.
  void clear(std::uint16_t code, std::uint8_t detail = 0) noexcept;
  /// For an error that the device keeps until it is reset, as a drive does its faults: it stays
  /// active although its cause goes. Told as raise() does, unless an error of that code is active.
  void latch(std::uint16_t code) noexcept;
  /// The device was reset: latched errors end.
  void release_latched() noexcept;
  [[nodiscard]] bool is_active(std::uint16_t code, std::uint8_t detail = 0) const noexcept;

  /// Sends what waits, if the node's state lets it.
  void poll(bool allowed, std::int64_t now, FrameQueue& out) noexcept;
  /// After a reset: no errors, nothing waiting, no history.
  void reset() noexcept;
  /// EMCYs that found the queue full, errors that found the list full.
  [[nodiscard]] std::uint64_t dropped() const noexcept { return waiting_.dropped() + untracked_; }

  // Called when 1003h:0 is written.
  [[nodiscard]] AbortCode check_history(const Entry& entry, std::uint64_t bits) const noexcept;
  void history_cleared(const Entry& /*entry*/) noexcept { forget(); }

 private:
  struct Active {
    std::uint16_t code = 0;
    std::uint8_t detail = 0;
    bool latched = false;
    friend bool operator==(const Active&, const Active&) = default;
  };
  static constexpr std::size_t kMaxActive = 16;
  static constexpr std::size_t kHistory = 8;

  [[nodiscard]] std::span<Active> active() noexcept {
    return std::span(active_).first(active_count_);
  }
  [[nodiscard]] std::span<const Active> active() const noexcept {
    return std::span(active_).first(active_count_);
  }
  void add(const Active& error) noexcept;
  template <class Predicate>
  void remove_if(Predicate is_gone) noexcept;
  void tell(std::uint16_t code, std::uint8_t detail) noexcept;
  void remember(std::uint16_t code, std::uint8_t detail) noexcept;
  void forget() noexcept;
  void update_register() noexcept;

  ObjectDictionary& objects_;
  Entry* register_ = nullptr;                   // 1001h
  std::array<Entry*, kHistory + 1> history_{};  // 1003h
  Entry* id_ = nullptr;                         // 1014h
  Entry* inhibit_ = nullptr;                    // 1015h [100 us]

  std::array<Active, kMaxActive> active_{};
  std::size_t active_count_ = 0;
  std::uint64_t untracked_ = 0;
  Ring<Emergency, 32> waiting_;
  std::int64_t not_before_ = 0;  // [ns]
};

struct ReceivedEmergency {
  std::int64_t time = 0;  ///< [ns]
  Emergency emergency;
};

/// Emergencies of one node: the newest 64, how many in all, how many in a second.
class EmergencyLog {
 public:
  static constexpr std::size_t kKept = 64;

  /// @return false if the frame is no EMCY
  bool receive(const can::Frame& frame, std::int64_t now) noexcept;

  /// @param age  0: the newest
  [[nodiscard]] const ReceivedEmergency& recent(std::size_t age) const noexcept {
    return kept_[(total_ - 1 - age) % kKept];
  }
  [[nodiscard]] std::size_t kept() const noexcept {
    return total_ < kKept ? static_cast<std::size_t>(total_) : kKept;
  }
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  /// The newest code; 0 after "all errors gone" and before the first.
  [[nodiscard]] std::uint16_t present() const noexcept {
    return total_ == 0 ? 0 : recent(0).emergency.code;
  }
  /// EMCYs in the second before, or so far in this one if there were more.
  [[nodiscard]] std::uint32_t per_second(std::int64_t now) const noexcept;

 private:
  static constexpr std::int64_t kSecond = 1'000'000'000;

  std::array<ReceivedEmergency, kKept> kept_{};
  std::uint64_t total_ = 0;
  std::int64_t second_ = 0;  // number of the second that `in_second_` counts
  std::uint32_t in_second_ = 0;
  std::uint32_t in_second_before_ = 0;
};

}  // namespace jointrig::canopen
