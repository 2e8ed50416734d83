#pragma once
/// Transports whose medium is a stream of bytes: a serial line, a TCP connection.

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "hw/can/fd_transport.h"

namespace jointrig::can {

class StreamTransport : public FdTransport {
 public:
  std::size_t send(std::span<const Frame> frames) noexcept final;

 protected:
  enum class Medium { kSocket, kTerminal };
  StreamTransport(std::string name, Medium medium)
      : FdTransport(std::move(name)), medium_(medium) {}

  /// Longest message of any stream protocol here, with room.
  static constexpr std::size_t kMaxMessage = 256;

  struct Taken {
    std::size_t consumed = 0;  ///< bytes to take off the front; 0: come again with more
    bool is_frame = false;
    Frame frame;
  };
  /// The first item of `unread`; takes something whenever kMaxMessage bytes are there, or fails.
  virtual Taken take(std::string_view unread) noexcept = 0;
  /// Returns the bytes written, 0 where the frame cannot be carried.
  virtual std::size_t encode(const Frame& frame, std::span<char> out) noexcept = 0;

  std::size_t read_available(std::span<ReceivedFrame> into) noexcept final;
  /// Writes bytes that belong to no frame, best effort: after the rest of a message if there is
  /// one.
  void write_text(std::string_view text) noexcept;
  /// The rest of a message whose beginning the medium has thrown away.
  void forget_rest() noexcept { rest_size_ = 0; }
  /// Bytes that came with the last words of opening.
  void keep_unread(std::string_view bytes) noexcept;

 private:
  static constexpr std::size_t kBatch = 32;  ///< frames in one write

  /// Writes what it can. Returns the bytes that went out; less than all: the medium is full.
  std::size_t write_some(std::string_view bytes) noexcept;
  bool write_rest() noexcept;
  void keep_rest(std::string_view rest) noexcept;
  std::size_t send_batch(std::span<const Frame> frames, bool& full) noexcept;
  std::size_t parse_unread(std::span<ReceivedFrame> into, TimeNs now) noexcept;
  /// False when nothing came.
  bool read_more() noexcept;

  Medium medium_;
  /// The part of a message that is not out yet: sent before anything else, so that none is cut.
  std::array<char, kMaxMessage> rest_{};
  std::size_t rest_size_ = 0;
  std::array<char, kBatch * kMaxMessage> out_{};
  std::array<char, 16 * kMaxMessage> in_{};
  std::size_t in_size_ = 0;
};

}  // namespace jointrig::can
