#pragma once
/// The part that all transports on a file descriptor share: waiting, counting, breaking.

#include <string>

#include "hw/can/transport.h"
#include "hw/can/unique_fd.h"

namespace jointrig::can {

class FdTransport : public Transport {
 public:
  std::size_t receive(std::span<ReceivedFrame> into, TimeNs deadline) noexcept final;
  [[nodiscard]] int poll_fd() const noexcept final { return fd_.get(); }
  [[nodiscard]] LinkStatus status() const noexcept final { return status_; }
  [[nodiscard]] LinkCounters counters() const noexcept final { return counters_; }
  [[nodiscard]] const std::string& name() const noexcept final { return name_; }
  void flush() noexcept final;
  void close() noexcept final;

 protected:
  explicit FdTransport(std::string name) : name_(std::move(name)) {}

  /// Takes over a descriptor that does not block. From now on status().open.
  void opened(UniqueFd fd) noexcept;
  [[nodiscard]] int fd() const noexcept { return fd_.get(); }

  /// The link is of no use any more.
  void fail(LinkError error, int system_error) noexcept;
  /// After a read or write that failed with `error_number`. True if it merely would have blocked.
  bool would_block_else_fail(int error_number) noexcept;

  /// Reads without waiting until `into` is full or nothing is left. Bounded: a flood of garbage
  /// gives control back.
  virtual std::size_t read_available(std::span<ReceivedFrame> into) noexcept = 0;
  /// A last word before the descriptor is closed.
  virtual void say_goodbye() noexcept {}

  LinkStatus& status_ref() noexcept { return status_; }
  LinkCounters& counters_ref() noexcept { return counters_; }

 private:
  std::string name_;
  UniqueFd fd_;
  LinkStatus status_;
  LinkCounters counters_;
};

}  // namespace jointrig::can
