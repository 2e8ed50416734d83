#pragma once
/// A whole CANopen slave: dictionary, NMT, SDO, SYNC, PDO, heartbeat and EMCY around the objects of
/// a description. The application gives the objects their effect.

#include <cstdint>
#include <string_view>

#include "hw/canopen/emergency.h"
#include "hw/canopen/heartbeat.h"
#include "hw/canopen/nmt.h"
#include "hw/canopen/object_dictionary.h"
#include "hw/canopen/rpdo.h"
#include "hw/canopen/sdo_server.h"
#include "hw/canopen/tpdo.h"

namespace jointrig::canopen {

/// Called by the node from within receive() and poll(); times in ns.
class SlaveApplication {
 public:
  virtual ~SlaveApplication() = default;

  /// Put measured values into their objects: TPDOs are sampled next.
  virtual void sample(std::int64_t /*now*/) noexcept {}
  /// Objects were written (RPDOs at their SYNC or at once, or an SDO): act on them.
  virtual void act(std::int64_t /*now*/) noexcept {}
  /// Every SYNC in pre-operational and operational, after act().
  virtual void on_sync(std::int64_t /*now*/) noexcept {}
  /// A reset by NMT; objects have their initial values again (1000h..1FFFh, or all of them).
  virtual void on_reset(bool /*whole_device*/) noexcept {}
  virtual void on_state(NmtState /*from*/, NmtState /*to*/) noexcept {}
  /// The master fell silent; `code` is the EMCY's: 8130h heartbeat, 8250h RPDO.
  virtual void on_connection_lost(std::uint16_t /*code*/) noexcept {}
};

class SlaveNode {
 public:
  /// @param application  outlives the node
  /// @throws std::invalid_argument as ObjectDictionary, and if 1000h, 1001h, 1018h:1 are missing
  SlaveNode(const DeviceDescription& description, std::uint8_t node, SlaveApplication& application);
  SlaveNode(const SlaveNode&) = delete;
  SlaveNode& operator=(const SlaveNode&) = delete;

  /// Boot-up message, then pre-operational.
  void power_on(std::int64_t now) noexcept;
  /// The same after a loss of power: its objects have their initial values again.
  void restart(std::int64_t now) noexcept { reset(true, now); }
  /// @return false if the frame is none that this node listens to
  bool receive(const can::Frame& frame, std::int64_t now) noexcept;
  /// Call it at least as often as the shortest timer in use ends.
  void poll(std::int64_t now) noexcept;

  /// Frames to be sent, in order.
  [[nodiscard]] FrameQueue& out() noexcept { return out_; }
  [[nodiscard]] ObjectDictionary& objects() noexcept { return objects_; }
  [[nodiscard]] EmergencyProducer& emergencies() noexcept { return emergencies_; }
  /// When its next heartbeat is due [ns]; INT64_MAX: never.
  [[nodiscard]] std::int64_t next_heartbeat() const noexcept { return heartbeat_.next(); }
  [[nodiscard]] NmtState state() const noexcept { return state_; }
  [[nodiscard]] const RpdoEngine::Counters& rpdo_counters() const noexcept {
    return rpdos_.counters();
  }

  // Called by the dictionary.
  [[nodiscard]] AbortCode check(const Entry& entry, std::uint64_t bits) const noexcept;
  void stored(const Entry& entry) noexcept;

 private:
  void own(std::uint16_t index, std::uint8_t first, std::uint8_t last);
  void obey(NmtCommand command, std::int64_t now) noexcept;
  void reset(bool whole_device, std::int64_t now) noexcept;
  void enter(NmtState state) noexcept;
  void receive_sync(const can::Frame& frame, std::int64_t now) noexcept;
  void receive_sdo(const can::Frame& frame, std::int64_t now) noexcept;
  bool receive_pdo(const can::Frame& frame, std::int64_t now) noexcept;
  void watch_masters() noexcept;
  void follow_heartbeats() noexcept;
  void heartbeat_lost(std::uint8_t node) noexcept;
  [[nodiscard]] AbortCode check_consumer(const Entry& entry, std::uint64_t bits) const noexcept;
  [[nodiscard]] std::uint64_t value_of(std::uint16_t index, std::uint8_t sub) const noexcept;

  ObjectDictionary objects_;
  SlaveApplication& application_;
  FrameQueue out_;
  EmergencyProducer emergencies_;
  SdoServer sdo_;
  RpdoEngine rpdos_;
  TpdoEngine tpdos_;
  HeartbeatProducer heartbeat_;
  HeartbeatConsumer masters_;
  NmtState state_ = NmtState::kInitialising;
  std::int64_t now_ = 0;
};

}  // namespace jointrig::canopen
