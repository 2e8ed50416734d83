#include "hw/can/stream_transport.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "hw/can/clock.h"

namespace jointrig::can {
namespace {

constexpr int kReadsPerCall = 16;

}  // namespace

std::size_t StreamTransport::send(std::span<const Frame> frames) noexcept {
  std::size_t handed_over = 0;
  std::size_t left = frames.size();
  bool full = !status_ref().open || !write_rest();
  while (left > 0 && !full) {
    const auto batch = frames.subspan(frames.size() - left, std::min(left, kBatch));
    handed_over += send_batch(batch, full);
    left -= batch.size();
  }
  counters_ref().sent += handed_over;
  counters_ref().tx_refused += left;
  return handed_over;
}

std::size_t StreamTransport::send_batch(std::span<const Frame> frames, bool& full) noexcept {
  std::array<std::size_t, kBatch> ends{};
  std::size_t count = 0;
  std::size_t size = 0;
  for (const Frame& frame : frames) {
    const std::size_t written = encode(frame, std::span(out_).subspan(size, kMaxMessage));
    if (written == 0) {
      ++counters_ref().tx_unsupported;
      continue;
    }
    ends[count++] = size += written;
  }
  const std::size_t out = write_some({out_.data(), size});
  full = out < size;
  // A message that is half out counts as sent, and its rest goes first next time.
  std::size_t sent = 0;
  while (sent < count && (sent == 0 ? 0 : ends[sent - 1]) < out) ++sent;
  if (!status_ref().open) sent = 0;
  const std::size_t kept = sent == 0 ? 0 : ends[sent - 1];
  if (kept > out) keep_rest({out_.data() + out, kept - out});
  counters_ref().tx_refused += count - sent;
  return sent;
}

std::size_t StreamTransport::write_some(std::string_view bytes) noexcept {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const char* from = bytes.data() + done;
    const std::size_t size = bytes.size() - done;
    // A connection that is gone shall be an error number, not a signal that ends the program.
    const ssize_t written = medium_ == Medium::kSocket ? ::send(fd(), from, size, MSG_NOSIGNAL)
                                                       : ::write(fd(), from, size);
    if (written <= 0) {
      would_block_else_fail(written < 0 ? errno : EAGAIN);
      break;
    }
    done += static_cast<std::size_t>(written);
  }
  return done;
}

bool StreamTransport::write_rest() noexcept {
  if (rest_size_ == 0) return true;
  const std::size_t out = write_some({rest_.data(), rest_size_});
  rest_size_ -= out;
  std::memmove(rest_.data(), rest_.data() + out, rest_size_);
  return rest_size_ == 0;
}

void StreamTransport::keep_rest(std::string_view rest) noexcept {
  rest_size_ = rest.copy(rest_.data(), rest_.size());
}

void StreamTransport::write_text(std::string_view text) noexcept {
  if (!write_rest()) return;
  const std::size_t out = write_some(text);
  if (out > 0 && out < text.size()) keep_rest(text.substr(out));
}

void StreamTransport::keep_unread(std::string_view bytes) noexcept {
  in_size_ = bytes.copy(in_.data(), in_.size());
}

std::size_t StreamTransport::read_available(std::span<ReceivedFrame> into) noexcept {
  write_rest();
  std::size_t count = 0;
  for (int reads = 0;; ++reads) {
    count += parse_unread(into.subspan(count), monotonic_now());
    if (!status_ref().open || count == into.size() || reads == kReadsPerCall || !read_more()) break;
  }
  return count;
}

std::size_t StreamTransport::parse_unread(std::span<ReceivedFrame> into, TimeNs now) noexcept {
  std::size_t count = 0;
  std::size_t done = 0;
  while (count < into.size()) {
    const Taken taken = take({in_.data() + done, in_size_ - done});
    if (taken.is_frame) into[count++] = {taken.frame, now};
    if (taken.consumed == 0) break;
    done += taken.consumed;
  }
  in_size_ -= done;
  std::memmove(in_.data(), in_.data() + done, in_size_);
  return count;
}

bool StreamTransport::read_more() noexcept {
  const ssize_t got = ::read(fd(), in_.data() + in_size_, in_.size() - in_size_);
  if (got > 0) {
    in_size_ += static_cast<std::size_t>(got);
    return true;
  }
  if (got < 0) {
    would_block_else_fail(errno);
  } else {
    fail(medium_ == Medium::kSocket ? LinkError::kPeerClosed : LinkError::kDeviceGone, 0);
  }
  return false;
}

}  // namespace jointrig::can
