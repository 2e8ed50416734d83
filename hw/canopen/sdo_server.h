#pragma once
/// The side of an SDO that owns the objects (CiA 301, 7.2.4): expedited and segmented transfers.
///
/// Block download is answered with 0504 0001h; a block upload whose protocol switch threshold
/// allows it is served as an ordinary upload, else refused alike.

#include <cstdint>
#include <vector>

#include "hw/canopen/frame_queue.h"
#include "hw/canopen/object_dictionary.h"

namespace jointrig::canopen {

class SdoServer {
 public:
  /// A segmented transfer in which the client says nothing for so long is given up.
  static constexpr std::int64_t kPatience = 1'000'000'000;  // [ns]

  /// @param client_to_server, server_to_client  identifiers, as in 1200h
  SdoServer(ObjectDictionary& objects, std::uint32_t client_to_server,
            std::uint32_t server_to_client);

  [[nodiscard]] std::uint32_t listens_to() const noexcept { return request_id_; }

  /// @param frame  one with listens_to() as its identifier; one that is not 8 bytes long is ignored
  void receive(const can::Frame& frame, std::int64_t now, FrameQueue& out) noexcept;
  void poll(std::int64_t now, FrameQueue& out) noexcept;
  /// Forgets a transfer without a word, as a reset does.
  void reset() noexcept { transfer_ = Transfer::kNone; }

 private:
  enum class Transfer : std::uint8_t { kNone, kUpload, kDownload };
  using Request = std::span<const std::uint8_t, 8>;

  void start_upload(FrameQueue& out) noexcept;
  void start_block_upload(Request request, FrameQueue& out) noexcept;
  void start_download(Request request, FrameQueue& out) noexcept;
  void upload_segment(Request request, FrameQueue& out) noexcept;
  void download_segment(Request request, FrameQueue& out) noexcept;
  void write_expedited(Request request, FrameQueue& out) noexcept;
  void finish_download(std::uint8_t answer, FrameQueue& out) noexcept;
  /// The entry asked for, or nullptr after having said why not.
  Entry* wanted(FrameQueue& out) noexcept;
  void answer(std::uint8_t command, std::uint32_t data, FrameQueue& out) noexcept;
  void abort(AbortCode code, FrameQueue& out) noexcept;

  ObjectDictionary& objects_;
  std::uint32_t request_id_;
  std::uint32_t response_id_;

  Transfer transfer_ = Transfer::kNone;
  std::uint16_t index_ = 0;
  std::uint8_t sub_ = 0;
  bool toggle_ = false;
  std::uint32_t announced_ = 0;  // bytes the client said it would send; 0: it did not say
  std::vector<std::uint8_t> buffer_;
  std::size_t length_ = 0;  // bytes of the value in the buffer
  std::size_t done_ = 0;    // of them sent
  std::int64_t heard_ = 0;  // [ns] the client's last word
};

}  // namespace jointrig::canopen
