#pragma once
/// Runs a protocol machine on a bus, in this thread: sends the machine's frames and passes it the
/// received ones, until it is done.

#include <array>
#include <memory>
#include <string>

#include "app/bus/bus_choice.h"
#include "hw/can/clock.h"
#include "hw/can/transport.h"
#include "hw/canopen/frame_queue.h"

namespace jointrig::app {

/// Opens its address. Throws can::OpenError naming the bus.
[[nodiscard]] std::unique_ptr<can::Transport> open_bus(const ChosenBus& bus);

/// Throws std::runtime_error with the reason if the link broke, or no node takes its frames.
void require_sound(const can::Transport& link);

void send_all(can::Transport& link, canopen::FrameQueue& frames);

inline constexpr can::TimeNs kBusTick = can::kMillisecond;

/// Polls the bus for at most a tick; `hear` gets each frame with its time.
template <typename Hear>
void listen(can::Transport& link, can::TimeNs deadline, Hear&& hear) {
  std::array<can::ReceivedFrame, 64> received;
  const std::size_t count = link.receive(received, deadline);
  for (std::size_t i = 0; i < count; ++i) hear(received[i]);
}

/// @param machine  out(), receive(frame, now), poll(now), done()
template <typename Machine>
void run_on(can::Transport& link, Machine& machine) {
  while (!machine.done()) {
    send_all(link, machine.out());
    listen(link, can::monotonic_now() + kBusTick, [&](const can::ReceivedFrame& received) {
      machine.receive(received.frame, can::monotonic_now());
      send_all(link, machine.out());
    });
    machine.poll(can::monotonic_now());
    require_sound(link);
  }
  send_all(link, machine.out());
}

}  // namespace jointrig::app
