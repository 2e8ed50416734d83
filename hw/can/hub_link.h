#pragma once

#include "hw/can/fault_rule.h"
#include "hw/can/transport.h"
#include "hw/can/virtual_bus.h"

namespace jointrig::can {

/// One client of a BusHub: a transport seen from the bus's side. Its receive() gives what the
/// client sends to the bus, its send() hands the client the bus's frames.
class HubLink {
 public:
  virtual ~HubLink() = default;
  HubLink(const HubLink&) = delete;
  HubLink& operator=(const HubLink&) = delete;

  virtual Transport& transport() noexcept = 0;

  /// How often the client has opened its channel; each time its node starts afresh.
  [[nodiscard]] virtual unsigned openings() const noexcept = 0;
  /// Its channel is open: the node is online.
  [[nodiscard]] virtual bool on_bus() const noexcept = 0;
  [[nodiscard]] virtual bool listen_only() const noexcept { return false; }

  /// Whether the bus took the frame that receive() gave last.
  virtual void answer(const Frame& frame, bool taken) noexcept {
    (void)frame;
    (void)taken;
  }
  /// The node's state is another one than before.
  virtual void tell(const VirtualBus::NodeState& state) noexcept { (void)state; }

 protected:
  HubLink() = default;
};

}  // namespace jointrig::can
