#include <cstdio>

#include "app/bus/bus_link.h"
#include "app/bus/bus_verbs.h"
#include "app/bus/node_scan.h"
#include "app/bus/scan_report.h"

namespace jointrig::app {
namespace {

/// @return number of problems
std::size_t scan(const ChosenBus& bus) {
  const std::unique_ptr<can::Transport> link = open_bus(bus);
  NodeScan machine;
  machine.start(can::monotonic_now());
  run_on(*link, machine);
  const std::vector<FoundNode> found = machine.found();
  std::printf("bus %s, %s: %zu node%s\n", bus.name.c_str(), bus.address.c_str(), found.size(),
              found.size() == 1 ? "" : "s");
  if (found.empty()) {
    std::printf(
        "  nobody answers: look at the power of the drives, the two terminators and the "
        "bit rate, which all nodes share\n");
  } else {
    std::fputs(scan_table(bus, found).c_str(), stdout);
  }
  const std::vector<std::string> problems = scan_problems(bus, found);
  for (const std::string& problem : problems) std::printf("! %s\n", problem.c_str());
  if (bus.of_robot && problems.empty()) {
    std::printf("all %zu drives of robot.yaml are there, and nobody else\n", bus.drives.size());
  }
  return found.empty() ? 1 : problems.size();
}

}  // namespace

int scan_verb(const ScanOptions& options) {
  std::size_t problems = 0;
  for (const ChosenBus& bus : choose_buses(options.bus)) problems += scan(bus);
  return problems == 0 ? 0 : 1;
}

}  // namespace jointrig::app
