#pragma once
/// The PDOs that a device sends.

#include <cstdint>
#include <deque>
#include <optional>

#include "hw/canopen/frame_queue.h"
#include "hw/canopen/pdo_record.h"

namespace jointrig::canopen {

/// Type 0: at the SYNC after an event. 1..240: at every n-th SYNC. 254, 255: at an event (no
/// closer than the inhibit time, 18xxh:3), and when the event timer (18xxh:5) has run out since
/// the one before; once on entering operational.
///
/// An event is a change of a mapped object that the description marks as one: a statusword is, a
/// position is not, for it changes all the time. And what the device itself calls one
/// (Object::tell): a temperature that has moved by a degree.
class TpdoEngine {
 public:
  explicit TpdoEngine(ObjectDictionary& objects);

  /// On entering operational.
  void start() noexcept;
  void stop() noexcept { running_ = false; }
  void reload() noexcept;

  /// @param counter  of the SYNC, if it had one
  void on_sync(std::optional<std::uint8_t> counter, std::int64_t now, FrameQueue& out) noexcept;
  void poll(std::int64_t now, FrameQueue& out) noexcept;

 private:
  struct Tpdo {
    Tpdo(ObjectDictionary& objects, std::uint16_t number)
        : record(objects, PdoRecord::Direction::kSent, number) {}
    PdoRecord record;
    std::uint32_t version = 0;  // of the record, when what follows was set up
    unsigned syncs = 0;         // since the last one sent
    bool waits_for_start = false;
    bool was_sent = false;
    std::int64_t sent = 0;
    std::uint32_t events_sent = 0;
  };

  static void set_up(Tpdo& tpdo) noexcept;
  [[nodiscard]] static std::uint32_t events_of(const Tpdo& tpdo) noexcept;
  [[nodiscard]] static bool has_event(const Tpdo& tpdo) noexcept;
  [[nodiscard]] static bool due_on_sync(Tpdo& tpdo, std::optional<std::uint8_t> counter) noexcept;
  static void send(Tpdo& tpdo, std::int64_t now, FrameQueue& out) noexcept;

  std::deque<Tpdo> tpdos_;
  bool running_ = false;
};

}  // namespace jointrig::canopen
