#pragma once
/// A CAN bus as a model: nodes, arbitration, the time that frames take, error counters, and faults
/// made to order. It reads no clock: its owner hands in the time, so a run depends on its
/// calls and its seed alone.
///
/// As on a wire (ISO 11898-1):
/// - Each node sends its frames in the order of its queue. When the wire is free, the heads of all
///   queues contend; the least arbitration_key() wins, the others wait.
/// - A frame keeps the wire for duration(), intermission included, and is received when it ends.
/// - A frame that no other node is there to acknowledge is sent again and again, and its sender
///   becomes error passive.
/// - A destroyed frame is followed by an error frame and sent again. Sender's errors count 8,
///   receivers' 1; success takes 1 off. From 128 on a node is error passive (and waits eight more
///   bits after each frame of its own), from 256 sender's errors on bus-off.
/// - Two nodes that send different frames under one identifier destroy each other's, until the one
///   that would have been overwritten is error passive and gives way.
///
/// Bounded: queues and rules have a size set at the start, what does not fit is refused or counted.
/// After attach() nothing allocates and nothing throws. One thread.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hw/can/bit_time.h"
#include "hw/can/fault_rule.h"
#include "hw/can/fixed_ring.h"
#include "hw/can/frame.h"
#include "hw/can/link_status.h"
#include "hw/can/time.h"

namespace jointrig::can {

struct VirtualBusConfig {
  BitRates rates;
  bool fd = true;  ///< false: FD frames are refused
  /// How frames are stuffed: kExact as on a wire, kWorst for runs that compare to a computed load.
  Stuffing stuffing = Stuffing::kExact;
  std::uint64_t seed = 1;
  std::size_t tx_queue = 64;    ///< frames a node can have waiting
  std::size_t rx_queue = 1024;  ///< frames a node can leave unread
};

/// A frame that a node has received.
struct Delivery {
  Frame frame;
  TimeNs time = 0;  ///< when its last bit was there, plus what faults added
  NodeId sender = kAnyNode;
};

struct NodeCounters {
  std::uint64_t sent = 0;      ///< frames that went over the wire
  std::uint64_t received = 0;  ///< frames put into the receive queue
  std::uint64_t refused = 0;   ///< by send(): queue full, not online, bus-off, unsupported
  std::uint64_t retransmissions = 0;
  std::uint64_t overruns = 0;   ///< received, but the receive queue was full
  std::uint64_t discarded = 0;  ///< waiting frames thrown away by bus-off or by going offline
};

struct BusCounters {
  std::uint64_t frames = 0;        ///< that went over the wire
  std::uint64_t error_frames = 0;  ///< destroyed, not acknowledged or collided
  std::uint64_t collisions = 0;
  std::uint64_t fault_hits = 0;  ///< of all rules, one for each frame and rule
};

class VirtualBus {
 public:
  static constexpr std::size_t kMaxRules = 64;

  explicit VirtualBus(const VirtualBusConfig& config);

  /// A node more, online. Allocates; not noexcept.
  NodeId attach(std::string_view name);
  [[nodiscard]] int node_count() const noexcept { return static_cast<int>(nodes_.size()); }
  [[nodiscard]] const std::string& name(NodeId node) const noexcept { return at(node).name; }

  enum class SendResult : std::uint8_t { kQueued, kFull, kOffline, kBusOff, kUnsupported };
  /// Puts a frame behind those that wait in the node; it contends from `now` on. Frames sent by
  /// several nodes at one `now` contend with each other if they are all queued before advance().
  SendResult send(NodeId node, const Frame& frame, TimeNs now) noexcept;

  /// Lets everything happen up to `now`. Time never goes back: an earlier `now` changes nothing.
  void advance(TimeNs now) noexcept;

  /// When advance() is next worth a call; kNever if nothing is under way.
  [[nodiscard]] TimeNs next_event() const noexcept;

  /// Frames received up to the last advance(), oldest first. Returns how many.
  std::size_t receive(NodeId node, std::span<Delivery> into) noexcept;

  /// Power and plug. Offline: neither sends, receives nor acknowledges; its queues are emptied, its
  /// error counters cleared.
  void set_online(NodeId node, bool online, TimeNs now) noexcept;
  /// Receives, but neither sends nor acknowledges: a passive log.
  void set_listen_only(NodeId node, bool listen_only) noexcept;
  /// The wire to one node, cut: it notices by missing acknowledgements, and what it had waiting
  /// goes out when the wire is mended.
  void set_cut(NodeId node, bool cut, TimeNs now) noexcept;
  void force_bus_off(NodeId node, TimeNs now) noexcept;
  /// Leaves bus-off after 128 times 11 bits, as the standard wants it.
  void recover(NodeId node, TimeNs now) noexcept;

  struct NodeState {
    bool online = true;
    bool cut = false;
    BusState bus = BusState::kErrorActive;
    int tx_errors = 0;
    int rx_errors = 0;
    std::size_t waiting = 0;  ///< frames to send
  };
  [[nodiscard]] NodeState state(NodeId node) const noexcept;

  /// A rule more. False when there are kMaxRules, or a value makes no sense.
  bool add_fault(const FaultRule& rule) noexcept;
  void clear_faults() noexcept { rule_count_ = 0; }

  [[nodiscard]] const NodeCounters& counters(NodeId node) const noexcept {
    return at(node).counters;
  }
  [[nodiscard]] const BusCounters& counters() const noexcept { return counters_; }
  [[nodiscard]] const VirtualBusConfig& config() const noexcept { return config_; }

  /// Time for which the wire was taken, up to the last advance(). The load of a window is the
  /// difference of two of these by its length.
  [[nodiscard]] TimeNs busy() const noexcept;

 private:
  struct Waiting {
    Frame frame;
    TimeNs since = 0;
  };
  struct Queued {
    Delivery delivery;
    std::uint64_t order = 0;
  };
  struct HeldBack {
    Delivery delivery;
    TimeNs until = 0;
  };
  struct Node {
    Node(std::string_view its_name, const VirtualBusConfig& config);

    std::string name;
    FixedRing<Waiting> to_send;
    std::vector<Queued> inbox;  ///< a heap, earliest first
    std::optional<HeldBack> held;
    NodeState state;
    bool listen_only = false;
    bool overwritten = false;  ///< in the frame under way, by another one of its identifier
    TimeNs not_before = 0;     ///< suspended transmission, recovery from bus-off
    NodeCounters counters;
  };
  struct Rule {
    FaultRule rule;
    std::uint64_t matches = 0;
    std::uint32_t hits = 0;
    bool hit_now = false;
  };
  enum class Outcome : std::uint8_t { kGood, kDestroyed, kNotAcknowledged, kCollision };
  struct InFlight {
    NodeId sender = kAnyNode;
    Frame frame;
    TimeNs start = 0;
    TimeNs end = 0;
    Outcome outcome = Outcome::kGood;
    bool broken_off = false;  ///< its sender left
  };

  [[nodiscard]] const Node& at(NodeId node) const noexcept {
    return nodes_[static_cast<std::size_t>(node)];
  }
  [[nodiscard]] Node& at(NodeId node) noexcept { return nodes_[static_cast<std::size_t>(node)]; }

  static constexpr int kPassiveFrom = 128;
  static constexpr int kSuspendBits = 8;  ///< an error passive node waits after a frame of its own

  [[nodiscard]] static bool on_wire(const Node& node) noexcept;
  [[nodiscard]] static std::uint32_t key_of_head(const Node& node) noexcept;
  [[nodiscard]] static bool sends_the_same(const Node& node, const InFlight& done) noexcept;
  void break_off_frame_of(NodeId node) noexcept;
  [[nodiscard]] TimeNs ready_time(const Node& node) const noexcept;
  [[nodiscard]] TimeNs next_start() const noexcept;
  [[nodiscard]] TimeNs next_release() const noexcept;
  void start_frame(TimeNs start) noexcept;
  [[nodiscard]] NodeId arbitrate(TimeNs start, Outcome& outcome) noexcept;
  [[nodiscard]] NodeId settle_collision(NodeId a, NodeId b, Outcome& outcome) noexcept;
  [[nodiscard]] bool somebody_acknowledges(NodeId sender) const noexcept;
  void finish_frame() noexcept;
  void succeed(const InFlight& done) noexcept;
  void fail(const InFlight& done) noexcept;
  void take_sent_frame(Node& node, TimeNs now) noexcept;
  void count_send_error(Node& node, TimeNs now, bool up_to_passive_only) noexcept;
  void enter_bus_off(Node& node) noexcept;
  void update_bus_state(Node& node) noexcept;
  void deliver(const InFlight& done, NodeId receiver) noexcept;
  void put(Node& node, const Delivery& delivery) noexcept;
  void release_held(TimeNs now) noexcept;

  [[nodiscard]] bool hits(Rule& rule, const Frame& frame, NodeId sender, TimeNs time) noexcept;
  [[nodiscard]] bool is_corrupted(const Frame& frame, NodeId sender, TimeNs time) noexcept;
  [[nodiscard]] double random_fraction() noexcept;
  [[nodiscard]] TimeNs bits(int count) const noexcept;

  VirtualBusConfig config_;
  std::vector<Node> nodes_;
  std::array<Rule, kMaxRules> rules_;
  std::size_t rule_count_ = 0;
  std::optional<InFlight> in_flight_;
  TimeNs now_ = 0;
  TimeNs free_at_ = 0;
  TimeNs busy_ = 0;
  std::uint64_t order_ = 0;
  std::uint64_t random_;
  BusCounters counters_;
};

}  // namespace jointrig::can
