#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "app/bus/bus_link.h"
#include "app/bus/bus_verbs.h"
#include "app/bus/drive_probe.h"
#include "app/bus/sdo_talk.h"

namespace jointrig::app {

int profile_verb(const ProfileOptions& options) {
  // A drive that takes its time is waited for: how long it takes is part of its profile.
  constexpr canopen::SdoClientOptions kPatient{
      .time_out = 2000 * can::kMillisecond, .tries = 2, .longest = 1024};
  const std::vector<ChosenBus> buses = choose_buses(options.bus);
  const ChosenNode node = choose_node(buses, options.node);
  const std::unique_ptr<can::Transport> link = open_bus(*node.bus);
  SdoTalk talk(*link, node.node, kPatient);
  can::TimeNs slowest = 0;
  const ReadObject read = [&](std::uint16_t index, std::uint8_t sub) {
    const can::TimeNs before = can::monotonic_now();
    auto value = talk.read({index, sub});
    if (!value && !talk.was_refused()) throw std::runtime_error(talk.failure());
    slowest = std::max(slowest, can::monotonic_now() - before);
    return value;
  };
  const ProbedDrive drive = probe_drive(node.node, read);
  const std::string text = profile_text(drive, 1e-9 * static_cast<double>(slowest));
  const bool is_written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  if (!is_written) throw std::runtime_error("the profile could not be written to standard output");
  return 0;
}

}  // namespace jointrig::app
