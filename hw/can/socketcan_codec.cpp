#include "hw/can/socketcan_codec.h"

#include <cstring>

namespace jointrig::can {
namespace {

// linux/can/error.h
constexpr std::uint32_t kTimeout = 0x001;
constexpr std::uint32_t kController = 0x004;  // details in data[1]
constexpr std::uint32_t kProtocol = 0x008;
constexpr std::uint32_t kNoAcknowledge = 0x020;
constexpr std::uint32_t kBusOff = 0x040;
constexpr std::uint32_t kBusError = 0x080;
constexpr std::uint32_t kRestarted = 0x100;
constexpr std::uint32_t kCounters = 0x200;  // tx in data[6], rx in data[7]
constexpr std::uint8_t kRxOverflow = 0x01;
constexpr std::uint8_t kWarning = 0x04 | 0x08;
constexpr std::uint8_t kPassive = 0x10 | 0x20;
constexpr std::uint8_t kActive = 0x40;

void set_state(BusReport& report, BusState state) noexcept {
  report.bus_state_known = true;
  report.bus = state;
}

BusReport parse_report(std::uint32_t classes, const std::uint8_t* data) noexcept {
  BusReport report;
  if ((classes & kController) != 0) {
    report.overrun = (data[1] & kRxOverflow) != 0;
    if ((data[1] & kActive) != 0) set_state(report, BusState::kErrorActive);
    if ((data[1] & kWarning) != 0) set_state(report, BusState::kErrorWarning);
    if ((data[1] & kPassive) != 0) set_state(report, BusState::kErrorPassive);
  }
  if ((classes & kRestarted) != 0) set_state(report, BusState::kErrorActive);
  if ((classes & kBusOff) != 0) set_state(report, BusState::kBusOff);
  report.error_on_bus = (classes & (kTimeout | kProtocol | kNoAcknowledge | kBusError)) != 0;
  if ((classes & kCounters) != 0) {
    report.counters_known = true;
    report.tx_errors = data[6];
    report.rx_errors = data[7];
  }
  return report;
}

}  // namespace

std::uint32_t linux_id(const Frame& frame) noexcept {
  return frame.id | (frame.extended ? kLinuxExtendedFlag : 0) |
         (frame.remote ? kLinuxRemoteFlag : 0);
}

bool set_linux_id(std::uint32_t can_id, Frame& frame) noexcept {
  if ((can_id & kLinuxErrorFlag) != 0) return false;
  frame.extended = (can_id & kLinuxExtendedFlag) != 0;
  frame.remote = (can_id & kLinuxRemoteFlag) != 0;
  frame.id = can_id & kMaxExtendedId;
  return frame.extended || frame.id <= kMaxStandardId;
}

std::size_t encode_socketcan(const Frame& frame, std::span<std::uint8_t> out) noexcept {
  const std::size_t size = frame.fd ? kLinuxFdFrameBytes : kLinuxFrameBytes;
  if (!valid(frame) || out.size() < size) return 0;
  std::memset(out.data(), 0, size);
  const std::uint32_t id = linux_id(frame);
  std::memcpy(out.data(), &id, sizeof id);
  out[4] = frame.size;
  if (frame.fd) {
    out[5] =
        static_cast<std::uint8_t>((frame.bit_rate_switch ? kLinuxFdBitRateSwitch : 0) |
                                  (frame.error_state ? kLinuxFdErrorState : 0) | kLinuxFdFormat);
  }
  std::memcpy(out.data() + 8, frame.data.data(), frame.bytes().size());
  return size;
}

SocketCanItem parse_socketcan(std::span<const std::uint8_t> bytes) noexcept {
  SocketCanItem item;
  if (bytes.size() != kLinuxFrameBytes && bytes.size() != kLinuxFdFrameBytes) return item;
  std::uint32_t id = 0;
  std::memcpy(&id, bytes.data(), sizeof id);
  if ((id & kLinuxErrorFlag) != 0) {
    item.kind = SocketCanItem::Kind::kReport;
    item.report = parse_report(id & kMaxExtendedId, bytes.data() + 8);
    return item;
  }
  Frame& frame = item.frame;
  if (!set_linux_id(id, frame)) return item;
  frame.size = bytes[4];
  if (bytes.size() == kLinuxFdFrameBytes) {
    frame.fd = true;
    frame.bit_rate_switch = (bytes[5] & kLinuxFdBitRateSwitch) != 0;
    frame.error_state = (bytes[5] & kLinuxFdErrorState) != 0;
  }
  if (!valid(frame)) return item;
  std::memcpy(frame.data.data(), bytes.data() + 8, frame.bytes().size());
  item.kind = SocketCanItem::Kind::kFrame;
  return item;
}

}  // namespace jointrig::can
