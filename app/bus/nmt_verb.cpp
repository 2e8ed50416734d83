#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "app/bus/bus_link.h"
#include "app/bus/bus_verbs.h"
#include "app/bus/frame_words.h"
#include "app/bus/network_order.h"
#include "app/bus/scan_report.h"

namespace jointrig::app {
namespace {

constexpr can::TimeNs kWatch = 1'500 * can::kMillisecond;  // heartbeats may be a second apart
constexpr can::TimeNs kSettle = 50 * can::kMillisecond;    // for heartbeats already in transit

struct Ordered {
  const ChosenBus* bus;
  std::uint8_t node;  // kAllNodes: every one on the bus
};

std::string who(const ChosenBus& bus, std::uint8_t node) {
  const std::string joint = bus.joint_at(node);
  return fmt::format("node {}{}", node, (joint.empty() ? "" : " (" + joint + ")"));
}

std::vector<FoundNode> look(can::Transport& link, std::uint8_t node) {
  NodeScanOptions options;
  if (node != canopen::kAllNodes) options.first = options.last = node;
  NodeScan scan(options);
  scan.start(can::monotonic_now());
  run_on(link, scan);
  std::vector<FoundNode> found = scan.found();
  std::erase_if(found, [&](const FoundNode& each) {
    return (node != canopen::kAllNodes && each.node != node) || each.node == hw::kHostNode;
  });
  return found;
}

/// States from the heartbeats after the order, by node.
std::map<std::uint8_t, std::vector<canopen::NmtState>> watch(can::Transport& link) {
  std::map<std::uint8_t, std::vector<canopen::NmtState>> heard;
  const can::TimeNs from = can::monotonic_now() + kSettle;
  const can::TimeNs end = can::monotonic_now() + kWatch;
  while (can::monotonic_now() < end) {
    listen(link, end, [&](const can::ReceivedFrame& received) {
      const auto state = canopen::heartbeat_state_of(received.frame);
      if (!state) return;
      const bool boot_up = *state == canopen::NmtState::kInitialising;
      if (!boot_up && received.time < from) return;
      heard[role_of(received.frame).node].push_back(*state);
    });
    require_sound(link);
  }
  return heard;
}

/// @return false if a node didn't follow
bool report(const ChosenBus& bus, canopen::NmtCommand order, const std::vector<FoundNode>& before,
            const std::map<std::uint8_t, std::vector<canopen::NmtState>>& heard) {
  bool fine = true;
  for (const FoundNode& node : before) {
    const auto states = heard.find(node.node);
    const Followed result =
        followed(order, states == heard.end() ? std::vector<canopen::NmtState>{} : states->second);
    const bool failed = result.verdict == Followed::Verdict::kNo;
    fine = fine && !failed;
    const std::string was = node.nmt ? std::string(to_string(*node.nmt)) + " -> " : std::string();
    std::printf("%s%s: %s%s\n", failed ? "! " : "", who(bus, node.node).c_str(), was.c_str(),
                result.words.c_str());
  }
  return fine;
}

/// @return exit code
int order_on(const Ordered& target, canopen::NmtCommand order, bool yes) {
  const std::unique_ptr<can::Transport> link = open_bus(*target.bus);
  const std::vector<FoundNode> before = look(*link, target.node);
  const std::vector<FoundNode> on = powered(before);
  for (const FoundNode& node : on) {
    std::printf("%s is %s\n", who(*target.bus, node.node).c_str(),
                statusword_in_words(*node.statusword).c_str());
  }
  if (!on.empty() && !yes) {
    std::printf("! not ordered: a drive is powered. Add --yes to do it all the same.\n");
    return 1;
  }
  canopen::FrameQueue frames;
  frames.push(canopen::frame_of({order, target.node}));
  send_all(*link, frames);
  if (before.empty()) {
    std::printf("! ordered; no node was heard before, so perhaps no node received it\n");
    return 1;
  }
  return report(*target.bus, order, before, watch(*link)) ? 0 : 1;
}

}  // namespace

int nmt_verb(const NmtOptions& options) {
  const canopen::NmtCommand order = parse_order(options.order);
  const std::vector<ChosenBus> buses = choose_buses(options.bus);
  std::vector<Ordered> targets;
  if (options.node == "all") {
    for (const ChosenBus& bus : buses) targets.push_back({&bus, canopen::kAllNodes});
  } else {
    const ChosenNode node = choose_node(buses, options.node);
    targets.push_back({node.bus, node.node});
  }
  std::printf("%s\n", std::string(effect_on_drives(order)).c_str());
  int code = 0;
  for (const Ordered& target : targets) {
    code = std::max(code, order_on(target, order, options.yes));
  }
  return code;
}

}  // namespace jointrig::app
