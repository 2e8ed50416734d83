#pragma once
/// Finds the nodes of a CANopen bus: listens, and reads a few objects of every number by SDO.
/// It writes nothing and changes no node's state.
///
/// Plain logic: frames and the time [ns] go in, frames come out. At most `in_flight` requests are
/// open at a time, one per node, so that a bus in operation keeps its cycle: SYNC and PDOs win the
/// arbitration against SDOs.

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/canopen/nmt.h"
#include "hw/canopen/sdo_client.h"

namespace jointrig::app {

struct NodeScanOptions {
  std::uint8_t first = 1;
  std::uint8_t last = 126;  ///< 127 is the host's own
  int in_flight = 8;
  std::int64_t patience = 100'000'000;         ///< [ns] for the first answer of a node
  std::int64_t second_patience = 500'000'000;  ///< [ns] for a node that was heard, or answered late
  std::int64_t listen = 1'200'000'000;         ///< [ns] at least: heartbeats may be a second apart
};

struct FoundNode {
  std::uint8_t node = 0;
  bool answers = false;  ///< SDO; a node that is stopped does not
  bool doubled = false;  ///< more answers than requests: several nodes with this number
  std::optional<std::uint32_t> device_type, vendor, product, revision, serial;
  std::string name;
  std::optional<canopen::NmtState> nmt;  ///< from its heartbeat
  std::optional<std::uint16_t> statusword;

  [[nodiscard]] bool is_drive() const noexcept {
    return device_type && (*device_type & 0xFFFF) == 402;
  }
};

class NodeScan {
 public:
  explicit NodeScan(const NodeScanOptions& options = {});

  void start(std::int64_t now) noexcept;
  void receive(const can::Frame& frame, std::int64_t now);
  void poll(std::int64_t now);
  [[nodiscard]] canopen::FrameQueue& out() noexcept { return out_; }
  [[nodiscard]] bool done() const noexcept { return done_; }

  /// By number: all nodes that answered or were heard.
  [[nodiscard]] std::vector<FoundNode> found() const;

 private:
  struct Probe {
    std::uint8_t node = 0;
    std::size_t object = 0;  // of kObjects
    canopen::SdoClient sdo;
  };
  struct Seen {
    FoundNode node;
    bool heard = false;
    bool asked_again = false;
    bool foreign_questions = false;  // another client reads or writes there, too
    std::uint64_t questions = 0;
    std::uint64_t answers = 0;
  };

  void begin_probes(std::int64_t now);
  /// @return false when no request to its node is left
  bool follow(Probe& probe, std::int64_t now);
  bool ask(Probe& probe, std::int64_t now);
  void keep(const Probe& probe);
  void ask_again(std::uint8_t node);
  void hear(const can::Frame& frame);
  void send(canopen::FrameQueue& from, std::uint8_t node);

  NodeScanOptions options_;
  std::deque<std::uint8_t> waiting_;
  std::vector<Probe> probes_;
  std::array<Seen, canopen::kMaxNode + 1> seen_{};
  canopen::FrameQueue out_;
  std::int64_t end_ = 0;
  bool done_ = false;
};

}  // namespace jointrig::app
