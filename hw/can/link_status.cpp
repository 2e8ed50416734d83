#include "hw/can/link_status.h"

#include <fmt/core.h>

#include <system_error>

namespace jointrig::can {
namespace {

std::string_view advice(LinkError error) noexcept {
  switch (error) {
    case LinkError::kNone:
    case LinkError::kClosed:
      return "";
    case LinkError::kDeviceGone:
      return "; plug it in again, then reopen the bus";
    case LinkError::kPeerClosed:
      return "; see whether its program still runs, then reopen the bus";
    case LinkError::kPeerUnreachable:
      return "; start it, or correct host and port";
    case LinkError::kProtocol:
      return "; see whether the port belongs to a program that speaks this protocol";
    case LinkError::kSystem:
      return "; reopen the bus";
  }
  return "";
}

}  // namespace

std::string_view to_string(BusState state) noexcept {
  switch (state) {
    case BusState::kErrorActive:
      return "error active";
    case BusState::kErrorWarning:
      return "error warning";
    case BusState::kErrorPassive:
      return "error passive";
    case BusState::kBusOff:
      return "bus-off";
  }
  return "?";
}

std::string_view to_string(LinkError error) noexcept {
  switch (error) {
    case LinkError::kNone:
      return "no error";
    case LinkError::kClosed:
      return "closed";
    case LinkError::kDeviceGone:
      return "the adapter is gone";
    case LinkError::kPeerClosed:
      return "the other side closed the connection";
    case LinkError::kPeerUnreachable:
      return "nobody answers at the other side";
    case LinkError::kProtocol:
      return "the other side does not speak the expected protocol";
    case LinkError::kSystem:
      return "the operating system reports an error";
  }
  return "?";
}

std::string describe(const LinkStatus& status, std::string_view name) {
  std::string text(name);
  text += ": ";
  if (status.error != LinkError::kNone) {
    text += to_string(status.error);
    if (status.system_error != 0) {
      text += " (" + std::generic_category().message(status.system_error) + ")";
    }
    return text.append(advice(status.error));
  }
  text.append(status.open ? "open, " : "not open, ").append(to_string(status.bus));
  if (status.rx_errors != 0 || status.tx_errors != 0) {
    text += fmt::format(", error counters {} sending, {} receiving", status.tx_errors,
                        status.rx_errors);
  }
  if (status.bus == BusState::kBusOff) {
    text += "; look for a short circuit, a missing terminator or a wrong bit rate, then reopen";
  }
  return text;
}

}  // namespace jointrig::can
