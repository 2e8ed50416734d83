#pragma once
/// The server's ends of connections that a BusHub accepts.

#include "hw/can/cannelloni_codec.h"
#include "hw/can/hub_link.h"
#include "hw/can/socketcand_codec.h"
#include "hw/can/stream_transport.h"

namespace jointrig::can {

/// cannelloni over TCP: greets, wants the greeting, then carries frames.
class CannelloniServerLink final : public StreamTransport, public HubLink {
 public:
  explicit CannelloniServerLink(UniqueFd connection);
  ~CannelloniServerLink() override { close(); }
  Transport& transport() noexcept override { return *this; }
  [[nodiscard]] Capabilities capabilities() const noexcept override { return {true, true, false}; }
  [[nodiscard]] unsigned openings() const noexcept override { return greeted_ ? 1 : 0; }
  [[nodiscard]] bool on_bus() const noexcept override { return greeted_; }

 private:
  Taken take(std::string_view unread) noexcept override;
  std::size_t encode(const Frame& frame, std::span<char> out) noexcept override;

  bool greeted_ = false;
};

/// socketcand: hi, open, rawmode, then send and frame; echo at any time. Bus-off and error passive
/// are told as error messages.
class SocketcandServerLink final : public StreamTransport, public HubLink {
 public:
  /// @param bus  the name that clients open, "can0"
  SocketcandServerLink(UniqueFd connection, std::string bus);
  ~SocketcandServerLink() override { close(); }
  Transport& transport() noexcept override { return *this; }
  [[nodiscard]] Capabilities capabilities() const noexcept override { return {}; }
  [[nodiscard]] unsigned openings() const noexcept override { return openings_; }
  [[nodiscard]] bool on_bus() const noexcept override { return state_ == State::kRaw; }
  void tell(const VirtualBus::NodeState& state) noexcept override;

 private:
  enum class State { kNoBus, kOpened, kRaw };

  Taken take(std::string_view unread) noexcept override;
  std::size_t encode(const Frame& frame, std::span<char> out) noexcept override;
  void obey(std::string_view words) noexcept;

  std::string bus_;
  State state_ = State::kNoBus;
  unsigned openings_ = 0;
};

}  // namespace jointrig::can
