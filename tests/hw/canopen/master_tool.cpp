/// A master as a program: SDO client, NMT, heartbeat and EMCY consumer, for slaves of others.
///
///   canopen_master_tool ADDRESS NODE
///
/// One command a line on standard input, one line of answer:
///   read INDEX SUB             "value 01 02"     or "failed node 5, ...: ..."
///   write INDEX SUB BYTES      "written"         or "failed ..."
///   nmt COMMAND                "ordered"         the command's code in hex, 01 to 82
///   watch MS                   "watching"        of the node's heartbeat
///   sync MS N                  "synced"          N SYNCs, so far apart
///   wait MS                    "events boot-up,ordered first,ordered changed:operational ..."
///   next                       the same of the next event alone, waited for
///   patience MS                "patient"         with each of three tries of an SDO transfer; 20 s
///                              unless told
///   errors                     "errors 7320 0000"   EMCYs so far
/// Indices and bytes in hex.

#include <fmt/core.h>
#include <poll.h>

#include <array>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "hw/can/clock.h"
#include "hw/can/transport_address.h"
#include "hw/canopen/emergency.h"
#include "hw/canopen/nmt_master.h"
#include "hw/canopen/sdo_client.h"
#include "hw/canopen/sync.h"

namespace jointrig::canopen {
namespace {

using can::monotonic_now;

class Master {
 public:
  Master(can::Transport& bus, std::uint8_t node)
      : bus_(bus), node_(node), sdo_(node, {.time_out = kPatience}) {}

  std::string obey(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb >> std::hex;
    if (verb == "read" || verb == "write") return transfer(words, verb == "read");
    if (verb == "nmt") {
      unsigned command = 0;
      words >> command;
      nmt_.order(static_cast<NmtCommand>(command), node_, out_);
      pump(0);
      return "ordered";
    }
    int ms = 0;
    words >> std::dec >> ms;
    if (verb == "watch") {
      nmt_.watch(node_, static_cast<std::uint16_t>(ms));
      return "watching";
    }
    if (verb == "sync") {
      int count = 0;
      words >> count;
      for (int i = 0; i < count; ++i) {
        out_.push(sync_.next());
        pump(ms);
      }
      return "synced";
    }
    if (verb == "wait") {
      pump(ms);
      return events();
    }
    if (verb == "next") return next_event();
    if (verb == "patience") {
      sdo_ = SdoClient(node_, {.time_out = ms * kMillisecond});
      return "patient";
    }
    if (verb == "errors") return errors();
    return "unknown";
  }

 private:
  static constexpr std::int64_t kPatience = 20'000 * kMillisecond;

  std::string transfer(std::istringstream& words, bool is_read) {
    unsigned index = 0;
    unsigned sub = 0;
    words >> index >> sub;
    const auto object = static_cast<std::uint16_t>(index);
    const auto part = static_cast<std::uint8_t>(sub);
    std::vector<std::uint8_t> value;
    for (unsigned byte = 0; words >> byte;) value.push_back(static_cast<std::uint8_t>(byte));
    if (is_read) {
      sdo_.upload(object, part, monotonic_now(), out_);
    } else {
      sdo_.download(object, part, value, monotonic_now(), out_);
    }
    while (sdo_.state() == SdoClient::State::kBusy) pump(1);
    if (sdo_.state() == SdoClient::State::kFailed) return "failed " + sdo_.failure_text();
    if (!is_read) return "written";
    std::string text = "value";
    for (const std::uint8_t byte : sdo_.value()) {
      text += fmt::format(" {:02x}", byte);
    }
    return text;
  }

  std::string events() {
    std::string text = "events";
    while (const auto event = nmt_.next_event()) text += text_of(*event);
    return text;
  }

  std::string next_event() {
    for (const std::int64_t end = monotonic_now() + kPatience; monotonic_now() < end; pump(1)) {
      if (const auto event = nmt_.next_event()) return "events" + text_of(*event);
    }
    return "events";
  }

  template <typename Event>
  static std::string text_of(const Event& event) {
    constexpr const char* kNames[] = {"boot-up", "first", "changed", "lost", "back"};
    return std::string(" ") + kNames[static_cast<int>(event.what.kind)] + ":" +
           std::string(to_string(event.what.state)) + (event.ordered ? ",ordered" : "");
  }

  std::string errors() const {
    std::string text = "errors";
    for (std::size_t age = emergencies_.kept(); age > 0; --age) {
      text += fmt::format(" {:04x}", emergencies_.recent(age - 1).emergency.code);
    }
    return text;
  }

  /// Sends and listens for so long, or until a transfer has ended.
  void pump(int ms) {
    const std::int64_t end = monotonic_now() + ms * kMillisecond;
    const bool was_busy = sdo_.state() == SdoClient::State::kBusy;
    std::array<can::ReceivedFrame, 64> received;
    do {
      while (const auto frame = out_.pop()) bus_.send(std::span(&*frame, 1));
      const std::size_t count =
          bus_.receive(received, std::min(end, monotonic_now() + kMillisecond));
      for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t now = monotonic_now();
        nmt_.receive(received[i].frame, now);
        emergencies_.receive(received[i].frame, now);
        sdo_.receive(received[i].frame, now, out_);
      }
      nmt_.poll(monotonic_now());
      sdo_.poll(monotonic_now(), out_);
      if (was_busy && sdo_.state() != SdoClient::State::kBusy) end_of_transfer();
    } while (monotonic_now() < end);
  }

  void end_of_transfer() {
    while (const auto frame = out_.pop()) bus_.send(std::span(&*frame, 1));
  }

  can::Transport& bus_;
  std::uint8_t node_;
  SdoClient sdo_;
  NmtMaster nmt_;
  EmergencyLog emergencies_;
  SyncProducer sync_;
  FrameQueue out_;
};

}  // namespace
}  // namespace jointrig::canopen

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    const auto bus = jointrig::can::open_transport(argv[1]);
    jointrig::canopen::Master master(*bus, static_cast<std::uint8_t>(std::stoul(argv[2])));
    std::cout << "up" << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
      std::cout << master.obey(line) << std::endl;
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
