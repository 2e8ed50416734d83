#pragma once

#include <string>

#include "hw/can/hub_link.h"
#include "hw/can/serial_line.h"
#include "hw/can/slcan_codec.h"
#include "hw/can/stream_transport.h"

namespace jointrig::can {

/// The other end of SlcanTransport: an adapter on a pty, as a client sees one on a serial device.
/// Commands: C, O, L, Sn (only the rate that the bus has), sXXYY, Yn, V, N, F, Zn (stamps), M, m.
/// Answers CR or BEL, z or Z to a frame. Tells its state in `s` lines, as the kernel's driver reads
/// them.
class SlcanAdapter final : public StreamTransport, public HubLink {
 public:
  /// @param rates  of the bus. Throws OpenError.
  explicit SlcanAdapter(const BitRates& rates);
  ~SlcanAdapter() override { close(); }

  /// The path that a client opens: /dev/pts/3.
  [[nodiscard]] const std::string& device() const noexcept { return name(); }
  /// Bytes to the client as they are, garbage too.
  void inject(std::string_view bytes) noexcept { write_text(bytes); }

  Transport& transport() noexcept override { return *this; }
  [[nodiscard]] Capabilities capabilities() const noexcept override { return {true, true, true}; }
  [[nodiscard]] unsigned openings() const noexcept override { return openings_; }
  [[nodiscard]] bool on_bus() const noexcept override { return open_; }
  [[nodiscard]] bool listen_only() const noexcept override { return listen_only_; }
  void answer(const Frame& frame, bool taken) noexcept override;
  void tell(const VirtualBus::NodeState& state) noexcept override;

 private:
  SlcanAdapter(const BitRates& rates, Pty pty);

  Taken take(std::string_view unread) noexcept override;
  std::size_t encode(const Frame& frame, std::span<char> out) noexcept override;
  /// Answers a command.
  void obey(std::string_view line) noexcept;
  bool set_channel(bool open, bool listen_only) noexcept;
  void drop_unread_frames() noexcept;
  void tell_flags() noexcept;

  BitRates rates_;
  UniqueFd slave_;
  SlcanLines lines_;
  VirtualBus::NodeState state_;
  unsigned openings_ = 0;
  bool open_ = false;
  bool listen_only_ = false;
  bool stamps_ = false;
};

}  // namespace jointrig::can
