#include "app/bus/bus_link.h"

#include <stdexcept>

#include "hw/can/transport_address.h"

namespace jointrig::app {

std::unique_ptr<can::Transport> open_bus(const ChosenBus& bus) {
  try {
    return can::open_transport(bus.address);
  } catch (const can::OpenError& error) {
    if (bus.name == bus.address) throw;
    throw can::OpenError(error.reason(), "bus " + bus.name + ": " + error.what());
  }
}

void require_sound(const can::Transport& link) {
  const can::LinkStatus status = link.status();
  if (status.open && status.bus != can::BusState::kBusOff) return;
  throw std::runtime_error(can::describe(status, link.name()));
}

void send_all(can::Transport& link, canopen::FrameQueue& frames) {
  while (const auto frame = frames.pop()) link.send(std::span(&*frame, 1));
}

}  // namespace jointrig::app
