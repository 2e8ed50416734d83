#pragma once
/// A link put around another one, for who changes or measures a part of what it does.

#include <memory>
#include <utility>

#include "hw/can/transport.h"

namespace jointrig::can {

/// All of it is the link's; override what is to be different.
class ForwardingTransport : public Transport {
 public:
  explicit ForwardingTransport(std::unique_ptr<Transport> link) : link_(std::move(link)) {}

  std::size_t send(std::span<const Frame> frames) noexcept override { return link_->send(frames); }
  std::size_t receive(std::span<ReceivedFrame> into, TimeNs deadline) noexcept override {
    return link_->receive(into, deadline);
  }
  [[nodiscard]] int poll_fd() const noexcept override { return link_->poll_fd(); }
  [[nodiscard]] LinkStatus status() const noexcept override { return link_->status(); }
  [[nodiscard]] LinkCounters counters() const noexcept override { return link_->counters(); }
  [[nodiscard]] Capabilities capabilities() const noexcept override {
    return link_->capabilities();
  }
  void flush() noexcept override { link_->flush(); }
  void close() noexcept override { link_->close(); }
  [[nodiscard]] const std::string& name() const noexcept override { return link_->name(); }

 private:
  std::unique_ptr<Transport> link_;
};

}  // namespace jointrig::can
