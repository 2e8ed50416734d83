#include "hw/canopen/sdo_server.h"

#include <algorithm>

#include "hw/canopen/sdo_frame.h"

namespace jointrig::canopen {

using sdo::Client;

SdoServer::SdoServer(ObjectDictionary& objects, std::uint32_t client_to_server,
                     std::uint32_t server_to_client)
    : objects_(objects),
      request_id_(client_to_server),
      response_id_(server_to_client),
      buffer_(objects.longest()) {}

void SdoServer::receive(const can::Frame& frame, std::int64_t now, FrameQueue& out) noexcept {
  if (frame.size != 8 || frame.remote) return;
  const Request request(frame.data.data(), 8);
  heard_ = now;
  const auto command = static_cast<Client>(request[0] >> 5);
  if (command == Client::kAbort) {
    transfer_ = Transfer::kNone;
    return;
  }
  if (command == Client::kDownloadSegment) return download_segment(request, out);
  if (command == Client::kUploadSegment) return upload_segment(request, out);

  // A new transfer ends the one before it.
  transfer_ = Transfer::kNone;
  index_ = static_cast<std::uint16_t>(load_little_endian(request.subspan(1), 2));
  sub_ = request[3];
  switch (command) {
    case Client::kStartUpload:
      return start_upload(out);
    case Client::kStartDownload:
      return start_download(request, out);
    case Client::kBlockUpload:
      return start_block_upload(request, out);
    default:
      return abort(AbortCode::kCommand, out);
  }
}

void SdoServer::poll(std::int64_t now, FrameQueue& out) noexcept {
  if (transfer_ == Transfer::kNone || now - heard_ < kPatience) return;
  abort(AbortCode::kTimeOut, out);
}

Entry* SdoServer::wanted(FrameQueue& out) noexcept {
  Entry* const entry = objects_.find(index_, sub_);
  if (entry == nullptr) abort(objects_.why_absent(index_), out);
  return entry;
}

void SdoServer::start_upload(FrameQueue& out) noexcept {
  const Entry* const entry = wanted(out);
  if (entry == nullptr) return;
  const AbortCode verdict = ObjectDictionary::may_read(*entry);
  if (verdict != AbortCode::kNone) return abort(verdict, out);

  constexpr auto kAnswer =
      static_cast<std::uint8_t>(static_cast<unsigned>(sdo::Server::kStartUpload) << 5);
  if (entry->size <= 4) {
    const auto unused = static_cast<std::uint8_t>((4 - entry->size) << 2);
    return answer(kAnswer | unused | sdo::kExpedited | sdo::kSizeGiven,
                  static_cast<std::uint32_t>(entry->bits()), out);
  }
  // A copy: a value that changes between two segments must not come out as half and half.
  std::ranges::copy(entry->bytes(), buffer_.begin());
  length_ = entry->size;
  done_ = 0;
  toggle_ = false;
  transfer_ = Transfer::kUpload;
  answer(kAnswer | sdo::kSizeGiven, static_cast<std::uint32_t>(length_), out);
}

void SdoServer::start_block_upload(Request request, FrameQueue& out) noexcept {
  const bool starts = (request[0] & 0x03) == 0;  // the sub-command; others need a transfer
  const std::size_t threshold = request[5];
  if (!starts || threshold == 0) return abort(AbortCode::kCommand, out);
  const Entry* const entry = wanted(out);
  if (entry == nullptr) return;
  if (entry->size > threshold) return abort(AbortCode::kCommand, out);
  start_upload(out);
}

void SdoServer::upload_segment(Request request, FrameQueue& out) noexcept {
  if (transfer_ != Transfer::kUpload) return abort(AbortCode::kCommand, out);
  const bool toggle = (request[0] & sdo::kToggleBit) != 0;
  if (toggle != toggle_) return abort(AbortCode::kToggle, out);
  const std::size_t count = std::min(length_ - done_, sdo::kSegmentBytes);
  const auto data = std::span<const std::uint8_t>(buffer_).subspan(done_, count);
  done_ += count;
  const bool last = done_ == length_;
  const unsigned command =
      (toggle ? sdo::kToggleBit : 0U) | (last ? unsigned{sdo::kLastSegment} : 0U);
  out.push(sdo::segment(response_id_, static_cast<std::uint8_t>(command), data));
  toggle_ = !toggle_;
  if (last) transfer_ = Transfer::kNone;
}

void SdoServer::start_download(Request request, FrameQueue& out) noexcept {
  if ((request[0] & sdo::kExpedited) != 0) return write_expedited(request, out);
  const Entry* const entry = wanted(out);
  if (entry == nullptr) return;
  announced_ = (request[0] & sdo::kSizeGiven) != 0
                   ? static_cast<std::uint32_t>(load_little_endian(request.subspan(4), 4))
                   : 0;
  // With no size given only the access can be judged yet.
  const std::size_t size = announced_ != 0 ? announced_ : entry->storage.size();
  const AbortCode verdict = ObjectDictionary::may_write(*entry, size);
  if (verdict != AbortCode::kNone) return abort(verdict, out);
  transfer_ = Transfer::kDownload;
  length_ = 0;
  toggle_ = false;
  answer(0x60, 0, out);
}

void SdoServer::write_expedited(Request request, FrameQueue& out) noexcept {
  Entry* const entry = wanted(out);
  if (entry == nullptr) return;
  std::size_t size = sdo::expedited_size(request[0]);
  // A client need not say how many of the four bytes count: then the object knows.
  if ((request[0] & sdo::kSizeGiven) == 0 && size_of(entry->type) != 0) {
    size = std::min(size, entry->storage.size());
  }
  const AbortCode verdict = objects_.write(*entry, request.subspan(4).first(size));
  if (verdict != AbortCode::kNone) return abort(verdict, out);
  answer(0x60, 0, out);
}

void SdoServer::download_segment(Request request, FrameQueue& out) noexcept {
  if (transfer_ != Transfer::kDownload) return abort(AbortCode::kCommand, out);
  const bool toggle = (request[0] & sdo::kToggleBit) != 0;
  if (toggle != toggle_) return abort(AbortCode::kToggle, out);
  const std::size_t count = sdo::segment_size(request[0]);
  if (length_ + count > buffer_.size()) return abort(AbortCode::kTooLong, out);
  std::ranges::copy(request.subspan(1).first(count),
                    buffer_.begin() + static_cast<std::ptrdiff_t>(length_));
  length_ += count;
  toggle_ = !toggle_;
  const auto command = static_cast<std::uint8_t>(0x20 | (toggle ? sdo::kToggleBit : 0));
  if ((request[0] & sdo::kLastSegment) != 0) return finish_download(command, out);
  out.push(sdo::frame(response_id_, command, 0, 0, 0));
}

void SdoServer::finish_download(std::uint8_t answer, FrameQueue& out) noexcept {
  Entry* const entry = wanted(out);
  if (entry == nullptr) return;
  if (announced_ != 0 && announced_ != length_) return abort(AbortCode::kLength, out);
  const AbortCode verdict =
      objects_.write(*entry, std::span<const std::uint8_t>(buffer_).first(length_));
  if (verdict != AbortCode::kNone) return abort(verdict, out);
  transfer_ = Transfer::kNone;
  out.push(sdo::frame(response_id_, answer, 0, 0, 0));
}

void SdoServer::answer(std::uint8_t command, std::uint32_t data, FrameQueue& out) noexcept {
  out.push(sdo::frame(response_id_, command, index_, sub_, data));
}

void SdoServer::abort(AbortCode code, FrameQueue& out) noexcept {
  transfer_ = Transfer::kNone;
  answer(sdo::kAbortByte, static_cast<std::uint32_t>(code), out);
}

}  // namespace jointrig::canopen
