#include "app/wiggle/said_lines.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace jointrig::app {

bool SaidLines::has_line() {
  while (!is_over_ && read_.find('\n') == std::string::npos) {
    pollfd input{descriptor_, POLLIN, 0};
    if (::poll(&input, 1, 0) <= 0) return false;
    std::array<char, 256> bytes{};
    const ssize_t count = ::read(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return false;
    is_over_ = count <= 0;
    if (count > 0) read_.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return true;
}

std::string SaidLines::take() {
  const std::size_t end = read_.find('\n');
  std::string line = read_.substr(0, end);
  read_.erase(0, end == std::string::npos ? end : end + 1);
  return line;
}

}  // namespace jointrig::app
