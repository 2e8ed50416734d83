#pragma once
/// Heartbeats: one's own (1017h), and those of others (1016h).

#include <array>
#include <cstdint>
#include <limits>

#include "hw/canopen/frame_queue.h"
#include "hw/canopen/nmt.h"

namespace jointrig::canopen {

inline constexpr std::int64_t kMillisecond = 1'000'000;  // [ns]

class HeartbeatProducer {
 public:
  explicit HeartbeatProducer(std::uint8_t node) noexcept : node_(node) {}

  /// @param period  [ms]; 0: none
  void set_period(std::uint16_t period, std::int64_t now) noexcept {
    period_ = period * kMillisecond;
    next_ = now + period_;
  }

  /// Sends one if it is due. Periods in which nobody called are not made up for.
  void poll(NmtState state, std::int64_t now, FrameQueue& out) noexcept;
  /// When the next one is due [ns]; never without a period.
  [[nodiscard]] std::int64_t next() const noexcept {
    return period_ > 0 ? next_ : std::numeric_limits<std::int64_t>::max();
  }

 private:
  std::uint8_t node_;
  std::int64_t period_ = 0;
  std::int64_t next_ = 0;
};

struct HeartbeatEvent {
  enum class Kind : std::uint8_t {
    kBootUp,   ///< the node has just started
    kFirst,    ///< heard for the first time since the watch began (or since it booted)
    kChanged,  ///< another state than in the heartbeat before
    kLost,     ///< silent for longer than it may be
    kBack,     ///< heard again after that
  };
  Kind kind = Kind::kFirst;
  std::uint8_t node = 0;
  NmtState state = NmtState::kInitialising;  ///< as last heard
  std::int64_t time = 0;                     ///< [ns]
};

/// State of one node.
struct NodeHealth {
  std::int64_t allowed_silence = 0;  ///< [ns]; 0: not watched for silence
  std::int64_t heard = 0;            ///< [ns] its last heartbeat or boot-up
  std::uint64_t heartbeats = 0;      ///< boot-ups not among them
  std::uint64_t boot_ups = 0;
  NmtState state = NmtState::kInitialising;
  bool alive = false;  ///< a heartbeat was heard, and none is missing since
  bool lost = false;
};

/// Listens to all nodes; tells what happened through a bounded ring of events. Silence counts from
/// the first heartbeat on, as CiA 301 has it: a node that was never heard is not lost.
class HeartbeatConsumer {
 public:
  using Events = Ring<HeartbeatEvent, 64>;

  /// @param node  1..127; others are left alone
  /// @param allowed_silence  [ms]; 0 ends the watch
  void watch(std::uint8_t node, std::uint16_t allowed_silence) noexcept;
  /// Everything heard is forgotten, every watch ended.
  void reset() noexcept {
    nodes_ = {};
    earliest_ = kNoDeadline;
  }

  /// @return false if the frame is no heartbeat
  bool receive(const can::Frame& frame, std::int64_t now) noexcept;
  void poll(std::int64_t now) noexcept;

  [[nodiscard]] const NodeHealth& node(std::uint8_t node) const noexcept {
    return nodes_[node & kMaxNode];
  }
  [[nodiscard]] Events& events() noexcept { return events_; }

 private:
  void tell(HeartbeatEvent::Kind kind, std::uint8_t node, std::int64_t now) noexcept;

  static constexpr std::int64_t kNoDeadline = std::numeric_limits<std::int64_t>::max();

  std::array<NodeHealth, kMaxNode + 1> nodes_{};
  /// No silence ends before it. poll() comes with each frame, and looks at 127 nodes only then.
  std::int64_t earliest_ = kNoDeadline;
  Events events_;
};

}  // namespace jointrig::canopen
