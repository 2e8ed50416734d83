#pragma once
/// The PDOs that a device receives.

#include <cstdint>
#include <deque>

#include "hw/canopen/emergency.h"
#include "hw/canopen/frame_queue.h"
#include "hw/canopen/pdo_record.h"

namespace jointrig::canopen {

/// Types 0..240: what came before SYNC k acts at SYNC k; of several in one cycle all act, in the
/// order they came, so the last one's controlword stands. Types 254, 255: at once.
///
/// Shorter than mapped: dropped, EMCY 8210h. Longer: the mapped part is used, EMCY 8220h. Silent
/// for longer than 14xxh:5: EMCY 8250h. Each is told once until the PDO is right again.
class RpdoEngine {
 public:
  struct Counters {
    std::uint64_t used = 0;
    std::uint64_t too_short = 0;
    std::uint64_t too_long = 0;
    std::uint64_t outside_window = 0;  ///< later after SYNC than 1007h allows
    std::uint64_t replaced = 0;        ///< by a newer one of the same PDO before its SYNC
    std::uint64_t refused = 0;         ///< objects whose value was not taken
    std::uint64_t timed_out = 0;
  };

  RpdoEngine(ObjectDictionary& objects, EmergencyProducer& emergencies);

  /// On entering and leaving operational.
  void start() noexcept;
  void stop() noexcept { start(); }
  void reload() noexcept;

  [[nodiscard]] bool listens_to(std::uint32_t id) const noexcept;
  /// @return true if objects were written at once
  bool receive(const can::Frame& frame, std::int64_t now) noexcept;
  /// @return true if objects were written
  bool on_sync(std::int64_t now) noexcept;
  /// Watches the deadlines.
  /// @return true if one has just passed
  bool poll(std::int64_t now) noexcept;

  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }

 private:
  struct Rpdo {
    Rpdo(ObjectDictionary& objects, std::uint16_t number)
        : record(objects, PdoRecord::Direction::kReceived, number) {}
    PdoRecord record;
    std::array<std::uint8_t, kPdoBytes> pending{};
    std::uint64_t pending_order = 0;  // 0: nothing pending
    std::int64_t heard = 0;
    bool watched = false;  // heard since the start, and not late since
  };

  void take(Rpdo& rpdo, const can::Frame& frame, std::int64_t now) noexcept;
  void apply(const Rpdo& rpdo) noexcept;
  [[nodiscard]] bool judge_length(Rpdo& rpdo, const can::Frame& frame) noexcept;
  [[nodiscard]] bool outside_window(std::int64_t now) const noexcept;

  ObjectDictionary& objects_;
  EmergencyProducer& emergencies_;
  Entry* window_ = nullptr;  // 1007h [us]
  std::deque<Rpdo> rpdos_;
  std::uint64_t order_ = 0;
  std::int64_t last_sync_ = 0;
  bool synced_ = false;
  Counters counters_;
};

}  // namespace jointrig::canopen
