#include "hw/canopen/sdo_client.h"

#include <fmt/core.h>

#include <algorithm>

#include "hw/canopen/sdo_frame.h"

namespace jointrig::canopen {

using sdo::Server;

namespace {
constexpr std::uint8_t kAskUpload = 0x40;
constexpr std::uint8_t kAskSegment = 0x60;
constexpr std::uint8_t kStartSegments = 0x21;
constexpr std::uint8_t kExpeditedDownload = 0x23;
constexpr std::size_t kExpeditedBytes = 4;
}  // namespace

SdoClient::SdoClient(std::uint8_t node, SdoClientOptions options)
    : node_(node), options_(options), buffer_(std::max(options.longest, kExpeditedBytes)) {}

bool SdoClient::upload(std::uint16_t index, std::uint8_t sub, std::int64_t now,
                       FrameQueue& out) noexcept {
  if (state_ == State::kBusy) return false;
  uploading_ = true;
  index_ = index;
  sub_ = sub;
  tries_ = 0;
  start(now, out);
  return true;
}

bool SdoClient::download(std::uint16_t index, std::uint8_t sub, std::span<const std::uint8_t> value,
                         std::int64_t now, FrameQueue& out) noexcept {
  if (state_ == State::kBusy || value.size() > buffer_.size()) return false;
  uploading_ = false;
  index_ = index;
  sub_ = sub;
  std::ranges::copy(value, buffer_.begin());
  length_ = value.size();
  tries_ = 0;
  start(now, out);
  return true;
}

void SdoClient::start(std::int64_t now, FrameQueue& out) noexcept {
  ++tries_;
  now_ = now;
  deadline_ = now + options_.time_out;
  state_ = State::kBusy;
  step_ = Step::kStart;
  failure_ = AbortCode::kNone;
  refused_by_node_ = false;
  toggle_ = false;
  done_ = 0;
  const std::uint32_t id = 0x600U + node_;
  if (uploading_) {
    length_ = 0;
    out.push(sdo::frame(id, kAskUpload, index_, sub_, 0));
  } else if (length_ >= 1 && length_ <= kExpeditedBytes) {
    const auto command =
        static_cast<std::uint8_t>(kExpeditedDownload | (kExpeditedBytes - length_) << 2);
    const auto data = static_cast<std::uint32_t>(load_little_endian(buffer_, length_));
    out.push(sdo::frame(id, command, index_, sub_, data));
  } else {
    out.push(sdo::frame(id, kStartSegments, index_, sub_, static_cast<std::uint32_t>(length_)));
  }
}

bool SdoClient::receive(const can::Frame& frame, std::int64_t now, FrameQueue& out) noexcept {
  if (frame.id != 0x580U + node_ || frame.extended || frame.remote) return false;
  if (state_ != State::kBusy || frame.size != 8) {
    ++unexpected_;
    return true;
  }
  now_ = now;
  const Answer answer(frame.data.data(), 8);
  const auto kind = static_cast<Server>(answer[0] >> 5);
  const bool names_object =
      kind == Server::kAbort || kind == Server::kStartUpload || kind == Server::kStartDownload;
  if (names_object && !is_about_this(answer)) {
    ++unexpected_;
    return true;
  }
  if (kind != Server::kAbort && kind != expected()) {
    ++unexpected_;
    return true;
  }
  deadline_ = now + options_.time_out;
  if (kind == Server::kAbort) {
    refused(answer);
  } else if (!uploading_) {
    on_download_answer(answer, out);
  } else if (step_ == Step::kStart) {
    on_start_of_upload(answer, out);
  } else {
    on_upload_segment(answer, out);
  }
  return true;
}

sdo::Server SdoClient::expected() const noexcept {
  if (step_ == Step::kStart) return uploading_ ? Server::kStartUpload : Server::kStartDownload;
  return uploading_ ? Server::kUploadSegment : Server::kDownloadSegment;
}

/// Some nodes abort a segment without naming the object: 0000h:0 counts as this one.
bool SdoClient::is_about_this(Answer answer) const noexcept {
  const auto index = static_cast<std::uint16_t>(load_little_endian(answer.subspan(1), 2));
  const bool unnamed = answer[0] == sdo::kAbortByte && index == 0 && answer[3] == 0;
  return unnamed || (index == index_ && answer[3] == sub_);
}

void SdoClient::on_start_of_upload(Answer answer, FrameQueue& out) noexcept {
  if ((answer[0] & sdo::kExpedited) != 0) {
    length_ = sdo::expedited_size(answer[0]);
    std::ranges::copy(answer.subspan(4).first(length_), buffer_.begin());
    return done();
  }
  const bool said = (answer[0] & sdo::kSizeGiven) != 0;
  announced_ = said ? static_cast<std::size_t>(load_little_endian(answer.subspan(4), 4)) : 0;
  if (announced_ > buffer_.size()) return give_up(AbortCode::kOutOfMemory, out);
  step_ = Step::kSegments;
  ask_segment(out);
}

void SdoClient::ask_segment(FrameQueue& out) noexcept {
  const auto command = static_cast<std::uint8_t>(kAskSegment | (toggle_ ? sdo::kToggleBit : 0));
  out.push(sdo::frame(0x600U + node_, command, 0, 0, 0));
}

void SdoClient::on_upload_segment(Answer answer, FrameQueue& out) noexcept {
  const bool toggle = (answer[0] & sdo::kToggleBit) != 0;
  if (toggle != toggle_) return try_again(AbortCode::kToggle, out);
  const std::size_t count = sdo::segment_size(answer[0]);
  if (length_ + count > buffer_.size()) return give_up(AbortCode::kOutOfMemory, out);
  std::ranges::copy(answer.subspan(1).first(count),
                    buffer_.begin() + static_cast<std::ptrdiff_t>(length_));
  length_ += count;
  toggle_ = !toggle_;
  if ((answer[0] & sdo::kLastSegment) == 0) return ask_segment(out);
  if (announced_ != 0 && announced_ != length_) return try_again(AbortCode::kLength, out);
  done();
}

void SdoClient::on_download_answer(Answer answer, FrameQueue& out) noexcept {
  if (step_ == Step::kStart) {
    if (length_ >= 1 && length_ <= kExpeditedBytes) return done();
    step_ = Step::kSegments;
    return send_segment(out);
  }
  const bool toggle = (answer[0] & sdo::kToggleBit) != 0;
  if (toggle != toggle_) return try_again(AbortCode::kToggle, out);
  toggle_ = !toggle_;
  done_ += sending_;
  if (done_ == length_) return done();
  send_segment(out);
}

void SdoClient::send_segment(FrameQueue& out) noexcept {
  sending_ = std::min(length_ - done_, sdo::kSegmentBytes);
  const bool last = done_ + sending_ == length_;
  const unsigned command =
      (toggle_ ? unsigned{sdo::kToggleBit} : 0U) | (last ? unsigned{sdo::kLastSegment} : 0U);
  out.push(sdo::segment(0x600U + node_, static_cast<std::uint8_t>(command),
                        std::span<const std::uint8_t>(buffer_).subspan(done_, sending_)));
}

void SdoClient::poll(std::int64_t now, FrameQueue& out) noexcept {
  if (state_ != State::kBusy || now < deadline_) return;
  now_ = now;
  try_again(AbortCode::kTimeOut, out);
}

void SdoClient::done() noexcept {
  state_ = State::kDone;
  step_ = Step::kNone;
}

void SdoClient::refused(Answer answer) noexcept {
  failure_ = static_cast<AbortCode>(load_little_endian(answer.subspan(4), 4));
  refused_by_node_ = true;
  state_ = State::kFailed;
  step_ = Step::kNone;
}

void SdoClient::try_again(AbortCode code, FrameQueue& out) noexcept {
  if (tries_ >= options_.tries) return give_up(code, out);
  send_abort(code, out);
  start(now_, out);
}

void SdoClient::give_up(AbortCode code, FrameQueue& out) noexcept {
  send_abort(code, out);
  failure_ = code;
  state_ = State::kFailed;
  step_ = Step::kNone;
}

void SdoClient::cancel(FrameQueue& out) noexcept {
  if (state_ == State::kBusy) give_up(AbortCode::kGeneral, out);
}

void SdoClient::send_abort(AbortCode code, FrameQueue& out) const noexcept {
  out.push(
      sdo::frame(0x600U + node_, sdo::kAbortByte, index_, sub_, static_cast<std::uint32_t>(code)));
}

std::string SdoClient::failure_text() const {
  const auto code = static_cast<std::uint32_t>(failure_);
  const std::string who = refused_by_node_
                              ? "from the node"
                              : fmt::format("after {}{}", tries_, tries_ == 1 ? " try" : " tries");
  return fmt::format("node {}, {:04X}h:{}: {} ({:04X} {:04X}h, {})", node_, index_, sub_,
                     in_words(failure_), code >> 16, code & 0xFFFF, who);
}

}  // namespace jointrig::canopen
