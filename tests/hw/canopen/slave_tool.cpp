/// A joint board without physics as a program, for masters of others to try.
///
///   canopen_slave_tool --eds FILE            writes its data sheet and ends
///   canopen_slave_tool --read FILE           prints the entries of a data sheet, one a line:
///                                            index sub type access mapped default
///   canopen_slave_tool ADDRESS NODE [hidden] serves at a bus (see hw/can/transport_address.h);
///                                            hidden: it does not show that homing has not started
///
/// Lines on its standard input: "fault 7320" raises a fault, "cause on", "cause off" hold it there
/// or let it go, "inputs 40000" is what its digital inputs (60FDh) show, "quit" ends. Prints "up"
/// when it can be spoken to.

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>

#include "hw/can/clock.h"
#include "hw/can/transport_address.h"
#include "hw/canopen/eds_reader.h"
#include "hw/canopen/eds_writer.h"
#include "tests/hw/canopen/ideal_drive.h"

namespace {

using jointrig::can::monotonic_now;
using jointrig::canopen::IdealDrive;

/// @return false when it is to end
bool obey(const std::string& line, IdealDrive& drive) {
  if (line.rfind("fault ", 0) == 0) {
    drive.raise_fault(static_cast<std::uint16_t>(std::stoul(line.substr(6), nullptr, 16)));
  }
  if (line.rfind("inputs ", 0) == 0) {
    drive.node().objects().object<std::uint32_t>(0x60FD).set(
        static_cast<std::uint32_t>(std::stoul(line.substr(7), nullptr, 16)));
  }
  if (line == "cause on") drive.set_fault_present(true);
  if (line == "cause off") drive.set_fault_present(false);
  return line != "quit";
}

/// Reads the lines that have arrived on standard input.
bool obey_input(std::string& buffer, IdealDrive& drive) {
  char bytes[256];
  const ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
  if (count <= 0) return false;
  buffer.append(bytes, static_cast<std::size_t>(count));
  for (auto end = buffer.find('\n'); end != std::string::npos; end = buffer.find('\n')) {
    if (!obey(buffer.substr(0, end), drive)) return false;
    buffer.erase(0, end + 1);
  }
  return true;
}

void send_all(jointrig::can::Transport& bus, IdealDrive& drive) {
  while (const auto frame = drive.node().out().pop()) bus.send(std::span(&*frame, 1));
}

void serve(jointrig::can::Transport& bus, IdealDrive& drive) {
  drive.node().power_on(monotonic_now());
  send_all(bus, drive);
  std::puts("up");
  std::fflush(stdout);
  std::string buffer;
  std::array<jointrig::can::ReceivedFrame, 64> received;
  while (true) {
    std::array<pollfd, 2> waited{{{STDIN_FILENO, POLLIN, 0}, {bus.poll_fd(), POLLIN, 0}}};
    constexpr int kMostMs = 1;
    poll(waited.data(), waited.size(), kMostMs);
    if ((waited[0].revents & (POLLIN | POLLHUP)) != 0 && !obey_input(buffer, drive)) return;
    const std::size_t count = bus.receive(received, 0);
    for (std::size_t i = 0; i < count; ++i) {
      drive.node().receive(received[i].frame, monotonic_now());
      send_all(bus, drive);
    }
    drive.node().poll(monotonic_now());
    send_all(bus, drive);
  }
}

int write_eds_to(const char* path) {
  std::ofstream out(path);
  out << jointrig::canopen::write_eds(jointrig::canopen::joint_board(), "joint.eds");
  return out.good() ? 0 : 1;
}

/// The default as the file has it, less the node id.
std::string default_of(const jointrig::canopen::EntryDescription& entry) {
  if (jointrig::canopen::size_of(entry.type) == 0) return entry.initial_text;
  if (jointrig::canopen::is_real(entry.type)) return std::to_string(entry.initial_real);
  return (entry.plus_node_id ? "$NODEID+" : "") + std::to_string(entry.initial);
}

int print_eds(const char* path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  const auto file = jointrig::canopen::read_eds(text.str(), path);
  for (const auto& object : file.device.objects) {
    for (const auto& entry : object.entries) {
      std::printf("%04X %d %d %s %d %s\n", object.index, entry.sub, static_cast<int>(entry.type),
                  std::string(jointrig::canopen::to_string(entry.access)).c_str(),
                  entry.mappable ? 1 : 0, default_of(entry).c_str());
    }
  }
  for (const std::string& note : file.notes) std::fprintf(stderr, "%s\n", note.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::strcmp(argv[1], "--eds") == 0) return write_eds_to(argv[2]);
    if (argc == 3 && std::strcmp(argv[1], "--read") == 0) return print_eds(argv[2]);
    if (argc < 3) return 2;
    jointrig::cia402::DriveOptions options;
    options.shows_homing_not_started = argc < 4 || std::strcmp(argv[3], "hidden") != 0;
    IdealDrive drive(static_cast<std::uint8_t>(std::stoul(argv[2])), options);
    const auto bus = jointrig::can::open_transport(argv[1]);
    serve(*bus, drive);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
