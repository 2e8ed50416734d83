#include "hw/can/socketcand_transport.h"

#include "hw/can/clock.h"
#include "hw/can/greeting.h"

namespace jointrig::can {
namespace {
constexpr TimeNs kPatience = 2 * kSecond;
}

SocketcandTransport::SocketcandTransport(const Endpoint& server, const std::string& bus)
    : StreamTransport("socketcand:" + to_string(server) + "/" + bus, Medium::kSocket) {
  UniqueFd connection = connect_tcp(server, kPatience);
  Greeting greeting(connection.get(), to_string(server), monotonic_now() + kPatience);
  greeting.expect("< hi >");
  greeting.say("< open " + bus + " >");
  greeting.expect("< ok >");
  greeting.say("< rawmode >");
  greeting.expect("< ok >");
  opened(std::move(connection));
}

StreamTransport::Taken SocketcandTransport::take(std::string_view unread) noexcept {
  const SocketcandMessages::Item item = SocketcandMessages::next(unread);
  Taken taken{item.consumed, false, {}};
  if (item.kind == SocketcandMessages::Kind::kGarbage) ++counters_ref().rx_garbage;
  if (item.kind != SocketcandMessages::Kind::kMessage) return taken;
  if (const auto frame = parse_socketcand_frame(item.words)) {
    taken.is_frame = true;
    taken.frame = *frame;
    return taken;
  }
  std::string_view words = item.words;
  const std::string_view first = take_word(words);
  if (first == "error") {
    ++counters_ref().bus_errors;
  } else if (first != "ok" && first != "echo") {
    ++counters_ref().rx_garbage;
  }
  return taken;
}

}  // namespace jointrig::can
