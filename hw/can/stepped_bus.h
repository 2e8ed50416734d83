#pragma once
/// A virtual bus with everything that is on it in one thread and in a time of its own: for tests
/// and for runs that must come out the same each time. Time goes from event to event, and only
/// while somebody waits: run_until(), or receive() of a SteppedTransport.

#include <cstdint>
#include <string>
#include <utility>

#include "hw/can/bus_participant.h"
#include "hw/can/transport.h"
#include "hw/can/virtual_bus.h"

namespace jointrig::can {

class SteppedBus {
 public:
  explicit SteppedBus(const VirtualBusConfig& config) : bus_(config) {}

  [[nodiscard]] VirtualBus& bus() noexcept { return bus_; }
  [[nodiscard]] TimeNs now() const noexcept { return now_; }

  void add(BusParticipant participant) { participants_.add(std::move(participant), now_); }

  /// On to the next event, at most to `limit`. A limit that is past: nothing happens.
  void step(TimeNs limit);
  void run_until(TimeNs time);

 private:
  VirtualBus bus_;
  TimeNs now_ = 0;
  BusParticipants participants_;
};

/// A link to a node of a stepped bus. Its clock is that bus's: receive() lets the bus run until
/// there is a frame or it is `deadline` there. `bus` has to outlive it.
class SteppedTransport final : public Transport {
 public:
  SteppedTransport(SteppedBus& bus, const std::string& name);

  std::size_t send(std::span<const Frame> frames) noexcept override;
  std::size_t receive(std::span<ReceivedFrame> into, TimeNs deadline) noexcept override;
  [[nodiscard]] int poll_fd() const noexcept override { return -1; }
  [[nodiscard]] LinkStatus status() const noexcept override;
  [[nodiscard]] LinkCounters counters() const noexcept override { return counters_; }
  [[nodiscard]] Capabilities capabilities() const noexcept override;
  void flush() noexcept override;
  void close() noexcept override { leave(LinkError::kClosed); }
  [[nodiscard]] const std::string& name() const noexcept override { return name_; }

  [[nodiscard]] NodeId node() const noexcept { return node_; }
  /// The adapter vanishes: as if somebody had pulled its plug.
  void unplug() noexcept { leave(LinkError::kDeviceGone); }
  /// It comes back, and the link is open again.
  void plug() noexcept;

 private:
  void leave(LinkError error) noexcept;

  SteppedBus& bus_;
  std::string name_;
  NodeId node_;
  LinkError error_ = LinkError::kNone;
  LinkCounters counters_;
};

}  // namespace jointrig::can
