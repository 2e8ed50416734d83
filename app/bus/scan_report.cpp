#include "app/bus/scan_report.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/bus/frame_words.h"
#include "hw/driver/drive_setup.h"

namespace jointrig::app {
namespace {

using Number = std::optional<std::uint32_t>;

std::string hex(Number number) { return number ? fmt::format("{:X}h", *number) : "-"; }

std::string device_of(const FoundNode& node) {
  if (!node.answers) return "no SDO";
  if (node.is_drive()) return "drive";
  return "type " + hex(node.device_type);
}

std::string nmt_of(const FoundNode& node) {
  return node.nmt ? std::string(to_string(*node.nmt)) : std::string("no beat");
}

std::string state_of(const FoundNode& node) {
  return node.statusword ? statusword_in_words(*node.statusword) : std::string("-");
}

bool is_host(const FoundNode& node) { return node.node == hw::kHostNode; }

std::string at(const ChosenBus& bus, int node) {
  return fmt::format("bus {}, node {}", bus.name, node);
}

void compare(const ChosenBus& bus, const ExpectedDrive& wanted, const FoundNode& node,
             std::vector<std::string>& problems) {
  const std::string who = at(bus, node.node) + " (" + wanted.joint + ")";
  if (!node.answers) {
    problems.push_back(who +
                       " is heard, and answers no SDO: stopped? `jointrig bus nmt` with "
                       "preop wakes it");
    return;
  }
  if (!node.is_drive()) {
    problems.push_back(who + " is no CiA 402 drive: 1000h is " + hex(node.device_type));
  }
  const auto check = [&](const char* what, Number expected, Number found) {
    if (!expected || found == expected) return;
    problems.push_back(who + " is another device: " + what + " " + hex(found) +
                       ", robot.yaml says " + hex(expected));
  };
  check("vendor", wanted.identity.vendor, node.vendor);
  check("product", wanted.identity.product, node.product);
  check("revision", wanted.identity.revision, node.revision);
  check("serial", wanted.identity.serial, node.serial);
}

void add_missing(const ChosenBus& bus, const ExpectedDrive& wanted,
                 const std::vector<FoundNode>& found, std::vector<std::string>& problems) {
  std::string text = at(bus, wanted.node) + " (" + wanted.joint +
                     ") is missing: look at its power, its number and the bit rate";
  for (const FoundNode& node : found) {
    const bool is_it = wanted.identity.serial && node.serial == wanted.identity.serial &&
                       (!wanted.identity.product || node.product == wanted.identity.product);
    if (is_it) text += fmt::format("; its serial number is at node {}", node.node);
  }
  problems.push_back(text);
}

}  // namespace

std::string scan_table(const ChosenBus& bus, const std::vector<FoundNode>& found) {
  std::string text;
  const auto add = [&text](const auto&... cells) {
    text +=
        fmt::format("{:>4}  {:<20} {:<8} {:>9} {:>9} {:>9} {:>9}  {:<15} {:<22} {}\n", cells...);
  };
  add("node", "joint", "device", "vendor", "product", "revision", "serial", "network", "drive",
      "name");
  for (const FoundNode& node : found) {
    add(node.node, bus.label_of(node.node), is_host(node) ? "-" : device_of(node), hex(node.vendor),
        hex(node.product), hex(node.revision), hex(node.serial), nmt_of(node), state_of(node),
        node.name);
  }
  return text;
}

std::vector<std::string> scan_problems(const ChosenBus& bus, const std::vector<FoundNode>& found) {
  std::vector<std::string> problems;
  for (const FoundNode& node : found) {
    if (!node.doubled) continue;
    problems.push_back(at(bus, node.node) +
                       ": more answers than questions, so several nodes have this number: connect "
                       "them one at a time and give each its own");
  }
  if (!bus.of_robot) return problems;
  for (const ExpectedDrive& wanted : bus.drives) {
    const auto node = std::find_if(found.begin(), found.end(),
                                   [&](const FoundNode& each) { return each.node == wanted.node; });
    if (node == found.end()) {
      add_missing(bus, wanted, found, problems);
    } else {
      compare(bus, wanted, *node, problems);
    }
  }
  for (const FoundNode& node : found) {
    if (is_host(node) || !bus.joint_at(node.node).empty()) continue;
    problems.push_back(at(bus, node.node) +
                       " is foreign: robot.yaml has no joint there; take it off the bus or write "
                       "it down");
  }
  return problems;
}

}  // namespace jointrig::app
