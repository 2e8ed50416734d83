#include "app/bus/bus_commands.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/bus/bus_verbs.h"
#include "app/from_to.h"
#include "app/guarded.h"

namespace jointrig::app {
namespace {

constexpr const char* kBus =
    "slcan:/dev/ttyACM0@1000000, socketcan:can0, socketcand:host:29536/can0, "
    "cannelloni-udp:host:port:localport; or ROBOT/BUS, or ROBOT for all its buses";

constexpr const char* kExitCodes =
    "Exit code: 0 all is well, 1 something is not as it should be, 2 could not run.\n\n";

void add_scan(CLI::App& bus, int& code) {
  auto options = std::make_shared<ScanOptions>();
  CLI::App* scan = bus.add_subcommand(
      "scan", "List every node with its identity and state, and compare with robot.yaml");
  scan->add_option("bus", options->bus, kBus)->required();
  scan->footer(
      std::string(kExitCodes) +
      "Reads 1000h, 1018h, 1008h and 6041h of numbers 1 to 126 and listens for heartbeats,\n"
      "in about two seconds; writes nothing, starts and stops no node.\n\n"
      "  jointrig bus scan slcan:/dev/ttyACM0@500000\n"
      "  jointrig bus scan my_robot/left_arm");
  scan->callback([=, &code] { code = guarded("bus scan", [&] { return scan_verb(*options); }); });
}

void add_monitor(CLI::App& bus, int& code) {
  auto options = std::make_shared<MonitorOptions>();
  auto bit_rate = std::make_shared<std::int64_t>(0);
  CLI::App* monitor = bus.add_subcommand(
      "monitor", "Show live traffic in words, the load of the wire, counts by node");
  monitor->add_option("bus", options->bus, kBus)->required();
  monitor->add_option("--seconds", options->seconds, "End after so long (default: Ctrl+C)")
      ->check(from_to(0.01, 1e6));
  monitor->add_option("--candump", options->candump,
                      "Also write every frame to this file, as candump -L does");
  monitor->add_flag("--raw", options->raw, "Lines of candump in place of words");
  monitor->add_flag("--lines", options->lines,
                    "On a terminal too, every frame in place of a table");
  monitor
      ->add_option("--bit-rate", *bit_rate,
                   "Bit rate of the wire, where the address doesn't tell it (default 1000000)")
      ->check(CLI::Range(std::int64_t{10'000}, std::int64_t{8'000'000}));
  monitor->footer(
      "On a terminal a table that is drawn again four times a second, elsewhere a line a frame;\n"
      "totals at the end. Only listens. PDOs are read as the driver maps them; joints' names and\n"
      "units come from robot.yaml. The load counts each frame with its own stuff bits.\n\n"
      "  jointrig bus monitor my_robot\n"
      "  jointrig bus monitor socketcan:can0 --seconds 10 --candump first-day.log\n"
      "  jointrig bus monitor slcan:/dev/ttyACM0@1000000 --lines | grep EMCY");
  monitor->callback([=, &code] {
    if (*bit_rate != 0) options->bit_rate = *bit_rate;
    code = guarded("bus monitor", [&] { return monitor_verb(*options); });
  });
}

void add_sdo(CLI::App& bus, int& code) {
  auto options = std::make_shared<SdoOptions>();
  CLI::App* sdo = bus.add_subcommand("sdo", "Read and write a node's objects, by index or by name");
  sdo->add_option("bus", options->bus, kBus)->required();
  sdo->add_option("node", options->node, "1 to 127, or a joint's name where BUS is a robot")
      ->required();
  sdo->add_option("objects", options->objects,
                  "6064, 1018:1 or a name to read; the same with =VALUE to write");
  sdo->add_option("--eds", options->eds,
                  "The drive's data sheet (default: that of the project's joint board)");
  sdo->add_option("--type", options->type,
                  "Type of objects that the EDS lacks: bool, u8 to u64, i8 to i64, f32, f64, text, "
                  "bytes");
  sdo->add_flag("--all", options->all, "Read every object of the EDS");
  sdo->footer(
      std::string(kExitCodes) +
      "Each written value is read back. With --eds its limits and access rights are checked\n"
      "before anything is sent. The first failure ends it, with the reason in words.\n\n"
      "  jointrig bus sdo slcan:/dev/ttyACM0@1000000 5 1018:1 \"position actual value\"\n"
      "  jointrig bus sdo my_robot elbow statusword 605A=6\n"
      "  jointrig bus sdo socketcan:can0 5 --eds drive.eds --all > before.txt\n"
      "  jointrig bus sdo socketcan:can0 5 2100:3=-20 --type i16");
  sdo->callback([=, &code] { code = guarded("bus sdo", [&] { return sdo_verb(*options); }); });
}

void add_nmt(CLI::App& bus, int& code) {
  auto options = std::make_shared<NmtOptions>();
  CLI::App* nmt = bus.add_subcommand("nmt", "Start, stop or reset a node, or all of them");
  nmt->add_option("bus", options->bus, kBus)->required();
  nmt->add_option("order", options->order, "start, stop, preop, reset or reset-communication")
      ->required();
  nmt->add_option("node", options->node, "1 to 127, a joint's name, or all")->required();
  nmt->add_flag("--yes", options->yes, "Act even where a drive is in OPERATION ENABLED");
  nmt->footer(std::string(kExitCodes) +
              "Says what the order does to drives. Where one is powered, nothing is sent without\n"
              "--yes. Nodes with a heartbeat show the result.\n\n"
              "  jointrig bus nmt my_robot preop elbow\n"
              "  jointrig bus nmt slcan:/dev/ttyACM0@1000000 reset all");
  nmt->callback([=, &code] { code = guarded("bus nmt", [&] { return nmt_verb(*options); }); });
}

void add_profile(CLI::App& bus, int& code) {
  auto options = std::make_shared<ProfileOptions>();
  CLI::App* profile =
      bus.add_subcommand("profile", "Write the first version of a node's drive profile");
  profile->add_option("bus", options->bus, kBus)->required();
  profile->add_option("node", options->node, "1 to 127, or a joint's name where BUS is a robot")
      ->required();
  profile->footer(
      std::string(kExitCodes) +
      "Reads what the drive has and lacks, its units, option codes and PDOs, and writes a file "
      "for\n"
      "`drive: {profile: ...}` of robot.yaml to standard output. Writes nothing to the drive.\n"
      "docs/drives.md tells what to look at in it.\n\n"
      "  jointrig bus profile socketcan:can0 5 > my_drive.yaml");
  profile->callback(
      [=, &code] { code = guarded("bus profile", [&] { return profile_verb(*options); }); });
}

}  // namespace

void add_bus(CLI::App& program, int& code) {
  CLI::App* bus = program.add_subcommand(
      "bus", "Look at a CANopen bus and speak to its nodes: scan, monitor, sdo, nmt, profile");
  bus->require_subcommand(1);
  bus->footer(
      "A drive from the box to robot.yaml: docs/boards.md. `jointrig bus scan --help` and so on\n"
      "tell the rest.\n\n"
      "  jointrig bus scan slcan:/dev/ttyACM0@1000000\n"
      "  jointrig bus monitor my_robot/left_arm");
  add_scan(*bus, code);
  add_monitor(*bus, code);
  add_sdo(*bus, code);
  add_nmt(*bus, code);
  add_profile(*bus, code);
}

}  // namespace jointrig::app
