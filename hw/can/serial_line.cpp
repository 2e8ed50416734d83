#include "hw/can/serial_line.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <termios.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "hw/can/transport.h"

namespace jointrig::can {
namespace {

using Reason = OpenError::Reason;

struct Speed {
  int baud;
  speed_t code;
};
constexpr Speed kSpeeds[]{
    {9'600, B9600},        {19'200, B19200},      {38'400, B38400},      {57'600, B57600},
    {115'200, B115200},    {230'400, B230400},    {460'800, B460800},    {500'000, B500000},
    {921'600, B921600},    {1'000'000, B1000000}, {1'500'000, B1500000}, {2'000'000, B2000000},
    {3'000'000, B3000000}, {4'000'000, B4000000},
};

speed_t speed_of(int baud) {
  std::string known;
  for (const Speed& speed : kSpeeds) {
    if (speed.baud == baud) return speed.code;
    known += fmt::format("{}{}", (known.empty() ? "" : ", "), speed.baud);
  }
  throw OpenError(OpenError::Reason::kAddress,
                  fmt::format("baud={} is no rate of a serial line: take one of {}.", baud, known));
}

std::string hint(int error_number) {
  if (error_number == ENOENT) return "; is the adapter plugged in, and the name right?";
  if (error_number == EACCES) return "; add the user to the device's group (dialout)";
  if (error_number == EBUSY) return "; another program has it";
  return "";
}

OpenError::Reason reason_of(int error_number) {
  if (error_number == ENOENT || error_number == ENXIO || error_number == ENODEV) {
    return Reason::kNoDevice;
  }
  return error_number == EACCES || error_number == EBUSY ? Reason::kRefused : Reason::kSystem;
}

[[noreturn]] void fail(const std::string& device, const std::string& what, int error_number) {
  throw OpenError(reason_of(error_number), device + ": " + what + ": " +
                                               std::generic_category().message(error_number) +
                                               hint(error_number) + ".");
}

[[noreturn]] void no_pty(const char* what) {
  throw OpenError(OpenError::Reason::kSystem, std::string("no pty: ") + what + ": " +
                                                  std::generic_category().message(errno) + ".");
}

}  // namespace

Pty open_pty() {
  Pty pty;
  pty.master = UniqueFd(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  if (!pty.master) no_pty("posix_openpt");
  const int master = pty.master.get();
  std::array<char, 64> path{};
  if (grantpt(master) != 0 || unlockpt(master) != 0) no_pty("grantpt");
  if (ptsname_r(master, path.data(), path.size()) != 0) no_pty("ptsname_r");
  pty.device = path.data();
  pty.slave = UniqueFd(::open(path.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
  termios line{};
  if (!pty.slave || tcgetattr(pty.slave.get(), &line) != 0) no_pty(path.data());
  cfmakeraw(&line);
  if (tcsetattr(pty.slave.get(), TCSANOW, &line) != 0) no_pty(path.data());
  return pty;
}

UniqueFd open_serial_line(const std::string& device, int baud) {
  const speed_t speed = speed_of(baud);
  UniqueFd fd(::open(device.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  if (!fd) fail(device, "cannot be opened", errno);
  termios line{};
  if (tcgetattr(fd.get(), &line) != 0) {
    throw OpenError(OpenError::Reason::kNoDevice, device + ": is not a serial line.");
  }
  cfmakeraw(&line);
  line.c_cflag |= CLOCAL | CREAD;
  line.c_cflag &= ~static_cast<tcflag_t>(CSTOPB | CRTSCTS);
  line.c_cc[VMIN] = 1;  // a read without bytes is EAGAIN; 0 bytes mean that the line is gone
  line.c_cc[VTIME] = 0;
  cfsetispeed(&line, speed);
  cfsetospeed(&line, speed);
  if (tcsetattr(fd.get(), TCSANOW, &line) != 0) fail(device, "cannot be set up", errno);
  tcflush(fd.get(), TCIOFLUSH);
  return fd;
}

}  // namespace jointrig::can
