#include "hw/can/fd_transport.h"

#include <poll.h>

#include <array>
#include <cerrno>

#include "hw/can/clock.h"

namespace jointrig::can {

void FdTransport::opened(UniqueFd fd) noexcept {
  fd_ = std::move(fd);
  status_ = {};
  status_.open = true;
}

std::size_t FdTransport::receive(std::span<ReceivedFrame> into, TimeNs deadline) noexcept {
  for (;;) {
    if (!status_.open || into.empty()) return 0;
    const std::size_t count = read_available(into);
    counters_.received += count;
    if (count > 0 || !status_.open) return count;
    const TimeNs now = monotonic_now();
    if (now >= deadline) return 0;
    pollfd waited{fd_.get(), POLLIN, 0};
    const timespec left = time_left(now, deadline);
    ppoll(&waited, 1, &left, nullptr);  // a signal only makes it look again
  }
}

void FdTransport::flush() noexcept {
  // Taken apart as ever, since streams must not lose their place; bounded, since more may come.
  std::array<ReceivedFrame, 32> unread;
  for (int i = 0; i < 64 && status_.open && read_available(unread) > 0; ++i) continue;
}

void FdTransport::close() noexcept {
  if (!fd_) return;
  if (status_.open) {
    say_goodbye();
    fail(LinkError::kClosed, 0);
  }
  fd_.reset();
}

void FdTransport::fail(LinkError error, int system_error) noexcept {
  status_.open = false;
  status_.error = error;
  status_.system_error = system_error;
  fd_.reset();
}

bool FdTransport::would_block_else_fail(int error_number) noexcept {
  switch (error_number) {
    case EAGAIN:
#if EAGAIN != EWOULDBLOCK
    case EWOULDBLOCK:
#endif
    case EINTR:
      return true;
    case EPIPE:
    case ECONNRESET:
    case ETIMEDOUT:
      fail(LinkError::kPeerClosed, error_number);
      return false;
    case EIO:
    case ENXIO:
    case ENODEV:
    case ENETDOWN:
      fail(LinkError::kDeviceGone, error_number);
      return false;
    default:
      fail(LinkError::kSystem, error_number);
      return false;
  }
}

}  // namespace jointrig::can
