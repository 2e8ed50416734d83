#include "app/bus/sdo_talk.h"

#include "app/bus/bus_link.h"

namespace jointrig::app {

SdoTalk::SdoTalk(can::Transport& link, std::uint8_t node, canopen::SdoClientOptions options)
    : link_(link), sdo_(node, options) {}

std::optional<std::vector<std::uint8_t>> SdoTalk::read(canopen::EntryAddress object) {
  sdo_.upload(object.index, object.sub, can::monotonic_now(), out_);
  if (!finish()) return std::nullopt;
  return std::vector<std::uint8_t>(sdo_.value().begin(), sdo_.value().end());
}

bool SdoTalk::write(canopen::EntryAddress object, std::span<const std::uint8_t> value) {
  sdo_.download(object.index, object.sub, value, can::monotonic_now(), out_);
  return finish();
}

bool SdoTalk::finish() {
  while (sdo_.state() == canopen::SdoClient::State::kBusy) {
    send_all(link_, out_);
    listen(link_, can::monotonic_now() + kBusTick, [&](const can::ReceivedFrame& received) {
      sdo_.receive(received.frame, can::monotonic_now(), out_);
    });
    sdo_.poll(can::monotonic_now(), out_);
    require_sound(link_);
  }
  send_all(link_, out_);
  return sdo_.state() == canopen::SdoClient::State::kDone;
}

}  // namespace jointrig::app
